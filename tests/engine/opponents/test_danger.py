"""Requirements on every danger estimator, and the plain table for tiles whose safety players have names for."""

from __future__ import annotations

import random
import tarfile
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from engine.model.events import Draw, StartKyoku
from engine.model.tiles import KINDS
from engine.opponents.danger import Danger
from engine.opponents.danger_tables import SHAPES, danger_tables, read_tables
from engine.opponents.facts import genbutsu_masks, opponents
from engine.opponents.registry import ESTIMATORS, make_estimator
from engine.rules.table_kernels import CLOSED, OPEN, RIICHI
from engine.state import GameState
from protocol.logs import mjlog
from tests.oracles.naive_truth import discard_points
from tests.samples import parse_tile37


def kind(text):
    return parse_tile37(text)


def test_opponents_are_distinguished_by_their_stance(table, riichi_table):
    deal = table("1599m1478p258s36z", indicator="6z")
    deal.turn(0, "9s")
    deal.draw(1)
    deal.discard(1, "7z")
    deal.pon(3, "77z")
    deal.discard(3, "2m", tsumogiri=False)
    deal.draw(0, "3m")
    one, two, three = opponents(deal.state)
    assert (one.stance, two.stance, three.stance) == (CLOSED, CLOSED, OPEN)
    assert (three.seat, three.called, three.turn, three.dora_seen) == (3, 1, 1, 3)
    assert three.yakuhai >> kind("4z") & 1
    assert not three.yakuhai >> kind("2z") & 1
    assert opponents(riichi_table().state)[0].stance == RIICHI


def test_the_plain_table_knows_suji_and_honours(riichi_table):
    danger = make_estimator("suji").estimate(riichi_table().state)
    row = danger.p_deal_in[1]
    assert row[kind("5s")] == row[kind("1m")] == row[kind("8p")] == 0.0
    assert row[kind("2s")] < row[kind("2p")]  # suji of 5s
    assert row[kind("1p")] < row[kind("4p")]
    assert row[kind("5m")] > row[kind("4m")]  # 4m: half suji by 7m and 1m both
    assert danger.p_tenpai[1] == 1.0
    assert danger.p_tenpai[2] < 0.3


def test_honba_is_paid_too(riichi_table):
    plain = make_estimator("suji").estimate(riichi_table().state)
    more = make_estimator("suji").estimate(riichi_table(honba=2).state)
    assert more.loss[1:] - plain.loss[1:] == pytest.approx(600.0)
    assert not more.loss[0].any()


def test_a_danger_adds_up_over_seats():
    zero = np.zeros((4, KINDS), np.float32)
    p, loss = zero.copy(), zero.copy()
    p[1, 5], p[2, 5] = 0.1, 0.2
    loss[1, 5], loss[2, 5] = 2_000, 8_000
    danger = Danger(np.zeros(4, np.float32), zero, p, loss)
    assert danger.deal_in(5) == pytest.approx(0.28)
    assert danger.expected_loss(5) == pytest.approx(6_000)
    assert (danger.deal_in(6), danger.expected_loss(6)) == (0.0, 0.0)


def test_an_unknown_estimator_is_reported_with_those_there_are():
    with pytest.raises(ValueError, match="suji"):
        make_estimator("crystal ball")


def test_tables_of_another_shape_are_refused():
    tables = {name: np.zeros(shape).tolist() for name, shape in SHAPES.items()}
    assert read_tables(tables).ron.shape == (3,)
    with pytest.raises(ValueError, match="wait has shape"):
        read_tables(tables | {"wait": [[0.0]]})


def test_the_tables_that_come_with_the_package_are_chances():
    tables = danger_tables()
    for name in ("tenpai", "wait", "genbutsu_wait", "ron"):
        array = getattr(tables, name)
        assert ((array >= 0) & (array <= 1)).all()
    assert (tables.points > 900).all()


def positions(corpus, shard="houou-hanchan-00", games=2, share=0.02):
    chosen = random.Random(4)
    with tarfile.open(corpus / f"{shard}.tar.xz") as archive:
        for member in islice(archive, games):
            log = mjlog.read(archive.extractfile(member).read(), member.name)
            for point in discard_points(log.events):
                if chosen.random() < share:
                    yield point


@pytest.mark.corpus
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimates_are_chances_and_genbutsu_is_nought(corpus, name):
    estimator = make_estimator(name)
    assert estimator.name == name
    seen = 0
    for point in positions(corpus):
        state = point.state
        danger = estimator.estimate(state)
        assert danger.p_tenpai.shape == (4,)
        assert danger.p_tenpai.dtype == np.float32
        for rows in (danger.p_wait, danger.p_deal_in, danger.loss):
            assert rows.shape == (4, KINDS)
            assert rows.dtype == np.float32
            assert not rows[state.seat].any()
            assert np.isfinite(rows).all()
        for chances in (danger.p_tenpai, danger.p_wait, danger.p_deal_in):
            assert ((chances >= 0) & (chances <= 1)).all()
        assert danger.p_tenpai[state.seat] == 0
        assert (danger.p_deal_in <= danger.p_tenpai[:, None] + 1e-6).all()
        safe = genbutsu_masks(state)
        for opponent in opponents(state):
            row = danger.p_deal_in[opponent.seat]
            assert not any(row[k] for k in range(KINDS) if safe[opponent.seat] >> k & 1)
            assert (danger.loss[opponent.seat] > 0).all()
        seen += 1
    assert seen > 10


def with_other_hands(event, viewer, order):
    """The event as if the tiles that the viewer does not see were others."""
    if isinstance(event, Draw) and event.seat != viewer:
        return Draw(event.seat, order[event.tile])
    if isinstance(event, StartKyoku):
        hands = [
            hand if seat == viewer else tuple(order[tile] for tile in hand) for seat, hand in enumerate(event.hands)
        ]
        return replace(event, hands=tuple(hands))
    return event


@pytest.mark.corpus
@pytest.mark.parametrize("name", ESTIMATORS)
def test_hidden_tiles_change_nothing(corpus, name):
    """A view receives full logs with all tiles, once as they are and once with other hidden tiles."""
    with tarfile.open(corpus / "houou-hanchan-00.tar.xz") as archive:
        events = mjlog.read(archive.extractfile(next(iter(archive))).read()).events
    order = random.Random(1).sample(range(136), 136)
    true, false = GameState(1), GameState(1)
    estimator = make_estimator(name)
    compared = 0
    for event in events[:600]:
        true.apply(event)
        false.apply(with_other_hands(event, 1, order))
        if isinstance(event, Draw) and event.seat == 1 and true.wall_left < 50:
            here, there = estimator.estimate(true), estimator.estimate(false)
            for field in ("p_tenpai", "p_wait", "p_deal_in", "loss"):
                assert (getattr(here, field) == getattr(there, field)).all()
            compared += 1
    assert compared > 20
