"""What the hidden hands say is what the recordings did: every tile won on was one that could be won on."""

from __future__ import annotations

import tarfile
from itertools import islice

import pytest

from engine.model.events import (
    Discard,
    Draw,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartKyoku,
    Win,
)
from engine.opponents.facts import LAST_TURN, Opponent, flush_suit, genbutsu_masks, opponents, suit_collected
from engine.rules.codes import HiddenTileError
from engine.train.yardstick import OPPONENTS, discards_of, wins_on_discards
from protocol.logs import mjlog
from tests.oracles.naive_truth import discard_points, held_by
from tests.samples import parse_tile37


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


def mask(kinds):
    return sum(1 << kind for kind in kinds)


def test_a_wait_is_reported_and_who_won_on_it():
    events = deal()
    events[-1] = Discard(1, events[-3].tile, True)
    events += [RiichiAccepted(1), Draw(2, 9), Discard(2, 9, True), Win(1, 2, 9, (0, 6_800, -5_800, 0))]
    moments, rows = discards_of(events)
    assert moments["turn"].tolist() == [0, 1, 2]
    last = rows[-2]
    assert (last["moment"], last["seat"], last["ippatsu"]) == (2, 1, 1)
    assert last["waits"] == last["rons"] == mask([parse_tile37("3m"), parse_tile37("6m")])
    assert [won.by for won in wins_on_discards(events)] == [[], [], [1]]
    assert wins_on_discards(events)[-1].paid == [0, 5_800, 0, 0]
    # double riichi 2, ippatsu 1, pinfu 1, itsu 2, red fives 2: baiman, and one honba
    *_, point = discard_points(events)
    assert held_by(point.views[1], point.state).points == (16_300, 16_300)


def test_who_let_it_pass_is_furiten():
    events = deal()
    events[-1] = Discard(1, events[-3].tile, True)
    events += [RiichiAccepted(1), Draw(2, 9), Discard(2, 9, True), Draw(3, 20), Discard(3, 20, True)]
    last = discards_of(events)[1][-2]
    assert (last["seat"], last["waits"], last["rons"]) == (1, mask((2, 5)), 0)


def test_a_robbed_kan_and_the_next_hand_are_not_won_on_the_discard():
    discard, win = Discard(0, 0, True), Win(1, 0, 4, (-1_000, 1_000, 0, 0))
    events = deal()
    assert wins_on_discards([discard, Draw(1, 5), win])[0].by == []
    assert wins_on_discards([discard, events[0], win])[0].by == []
    triple = Ryuukyoku(RyuukyokuKind.TRIPLE_RON, (0,) * 4)
    assert wins_on_discards([discard, triple])[0].by == [1, 2, 3]
    assert wins_on_discards([discard, Draw(1, 5), triple])[0].by == []


def test_hidden_hands_are_refused():
    with pytest.raises(HiddenTileError, match="captured sessions"):
        discards_of([StartKyoku(0, 0, 0, 0, 130, (25_000,) * 4, (tuple(range(13)), None, None, None))])


@pytest.mark.corpus
@pytest.mark.parametrize("shard", ["houou-hanchan-00", "houou-tonpu-00", "tokujou-hanchan-00", "other4-00"])
def test_opponents_and_their_waits_are_those_of_the_rules(corpus, shard):
    rons = 0
    for events in games(corpus, shard, 8):
        moments, rows = discards_of(events)
        points = zip(discard_points(events), wins_on_discards(events), moments, strict=True)
        for number, (point, won, moment) in enumerate(points):
            state = point.state
            safe = genbutsu_masks(state)
            assert (won.by, won.paid) == (list(point.won_by), list(point.paid))
            here = rows[OPPONENTS * number : OPPONENTS * (number + 1)]
            for each, row in zip(opponents(state), here, strict=True):
                row["turn"] = min(row["turn"], LAST_TURN)
                assert Opponent(*(row[name].item() for name in Opponent._fields)) == each
                held = held_by(point.views[each.seat], state)
                found = row["moment"], row["safe"], row["waits"], row["rons"]
                assert found == (number, safe[each.seat], mask(held.waits), mask(held.rons))
                assert not row["safe"] & row["rons"]
                melds = moment["meld_lows"][each.seat, : moment["melds"][each.seat]].tolist()
                river = moment["river_kinds"][each.seat, : moment["lengths"][each.seat]].tolist()
                assert suit_collected(melds, river) == flush_suit(state, each.seat)
                if point.won_by == (each.seat,):
                    at = held.rons.index(point.tile >> 2)
                    hidden = point.views[each.seat].riichi[each.seat]  # ura dora are turned only after the win
                    paid = point.paid[each.seat]
                    assert paid >= held.points[at] if hidden else paid == held.points[at]
                    rons += 1
    assert rons > 10
