"""What the hidden hands say is what the recordings did: every tile won on was one that could be won on."""

from __future__ import annotations

import tarfile
from itertools import islice

import pytest

from engine.model.events import Discard, Draw, RiichiAccepted, RiichiDeclared, StartKyoku, Win
from engine.model.seats import SEATS
from engine.model.tiles import parse_tile37
from engine.opponents.genbutsu import genbutsu_masks
from engine.train.truth import discard_points, held_by
from protocol.logs import mjlog


def games(corpus, shard, number):
    with tarfile.open(corpus / f"{shard}.tar.xz") as archive:
        for member in islice(archive, number):
            yield mjlog.read(archive.extractfile(member).read(), member.name).events


def deal():
    """Seat 1 waits on 3m and 6m in riichi; the others hold what is left."""
    winner = (4 * 3, 4 * 4, *(4 * kind for kind in range(9, 18)), 4 * 20, 4 * 20 + 1)
    spare = iter(tile for tile in range(135, 0, -1) if tile not in {*winner, 130, 8, 9, 20})
    others = [tuple(next(spare) for _ in range(13)) for _ in range(3)]
    hands = (others[0], winner, others[1], others[2])
    start = StartKyoku(0, 1, 0, 0, 130, (25_000,) * 4, hands)
    return [
        start,
        Draw(0, 8),
        Discard(0, hands[0][0], False),
        Draw(1, next(spare)),
        RiichiDeclared(1),
        Discard(1, 4 * 20 + 1, False),
    ]


def test_a_wait_is_reported_with_what_it_costs():
    events = deal()
    events[-1] = Discard(1, events[-3].tile, True)
    events += [RiichiAccepted(1), Draw(2, 9), Discard(2, 9, True), Win(1, 2, 9, (0, 6_800, -5_800, 0))]
    *_, last = discard_points(events)
    assert (last.seat, last.tile, last.won_by, last.paid) == (2, 9, (1,), (0, 5_800, 0, 0))
    held = held_by(last.views[1], last.state)
    assert list(held.waits) == [parse_tile37("3m"), parse_tile37("6m")]
    assert held.rons == held.waits
    # double riichi 2, ippatsu 1, pinfu 1, itsu 2, red fives 2: baiman, and one honba
    assert held.points == (16_300, 16_300)


def test_who_let_it_pass_is_furiten():
    events = deal()
    events[-1] = Discard(1, events[-3].tile, True)
    events += [RiichiAccepted(1), Draw(2, 9), Discard(2, 9, True), Draw(3, 20), Discard(3, 20, True)]
    *_, last = discard_points(events)
    assert held_by(last.views[1], last.state) == ((2, 5), (), ())


def test_hidden_hands_are_refused():
    with pytest.raises(ValueError, match="captured sessions"):
        list(discard_points([StartKyoku(0, 0, 0, 0, 130, (25_000,) * 4, (tuple(range(13)), None, None, None))]))


@pytest.mark.corpus
@pytest.mark.parametrize("shard", ["houou-hanchan-00", "houou-tonpu-00", "tokujou-hanchan-00"])
def test_every_ron_was_one_that_could_be_and_no_genbutsu_ever_is(corpus, shard):
    rons = 0
    for events in games(corpus, shard, 8):
        for point in discard_points(events):
            safe = genbutsu_masks(point.state)
            for seat in SEATS:
                if seat == point.seat:
                    continue
                held = held_by(point.views[seat], point.state)
                assert not any(safe[seat] >> kind & 1 for kind in held.rons)
                if seat in point.won_by:
                    at = held.rons.index(point.tile >> 2)
                    hidden = point.views[seat].riichi[seat]  # ura dora are turned only after the win
                    assert point.paid[seat] >= held.points[at] if hidden else point.paid[seat] == held.points[at]
                    rons += 1
    assert rons > 10
