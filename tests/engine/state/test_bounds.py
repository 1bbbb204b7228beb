"""A view takes no event with a number that no table has, says which, and is as it was before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.bounds import CHANGE, HONBA, POINTS, SCORE, STICKS
from engine.model.events import Discard, EndGame, Resume, Ryuukyoku, RyuukyokuKind, StartKyoku
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import allocate136, parse_tiles37
from engine.state import GameState, StateError

FAR = (10**7, 2**31, 2**63, 10**400, -(10**400))
HAND = allocate136(parse_tiles37("123m406p79s11224z"))
DEAL = StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, (HAND, None, None, None))
BACK = Resume(0, 0, 0, 0, (135,), (25_000,) * 4, 0, HAND, ((), (), (), ()), ((), (), (), ()))
NUMBERS = [
    *(("honba", value) for value in (-1, HONBA.high + 1, *FAR)),
    *(("riichi_sticks", value) for value in (-1, STICKS.high + 1, *FAR)),
    *(("kyoku", value) for value in (-1, 16, *FAR)),
    *(("scores", (value, 0, 0, 0)) for value in (SCORE.low - 1, SCORE.high + 1, *FAR)),
    ("scores", (POINTS, 100, 0, 0)),
]


def refused(state, event):
    before = state.digest()
    with pytest.raises(StateError) as error:
        state.apply(event)
    assert state.digest() == before
    return str(error.value)


@pytest.mark.parametrize(("field", "value"), NUMBERS)
@pytest.mark.parametrize("event", [DEAL, BACK])
def test_a_hand_at_a_standing_that_no_table_has_is_refused(event, field, value):
    said = refused(GameState(0), replace(event, **{field: value}))
    assert field.rstrip("s").replace("_", " ") in said


def pon(kind, owner):
    return Meld(MeldKind.PON, (4 * kind, 4 * kind + 1, 4 * kind + 2), 4 * kind, (owner + 1) % 4)


def kan(kind, owner):
    return Meld(MeldKind.ANKAN, tuple(range(4 * kind, 4 * kind + 4)), None, owner)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"melds": ((), tuple(pon(kind, 1) for kind in (3, 4, 5, 6, 7)), (), ())}, "melds of seat 1 5"),
        ({"melds": ((), tuple(kan(kind, 1) for kind in (3, 4, 5)), (kan(6, 2), kan(7, 2)), ())}, "kans 5"),
        ({"melds": ((), (Meld(MeldKind.PON, (16, 17, 500), 16, 2),), (), ())}, "a meld that does not exist"),
        ({"melds": ((), (Meld(MeldKind.PON, (12, 13, 14), 12, 1),), (), ())}, "a meld that does not exist"),
        ({"dora_indicators": ()}, "dora indicators 0"),
        ({"dora_indicators": (130, 131, 132, 133, 134, 135)}, "dora indicators 6"),
        ({"rivers": ((), tuple(tile for tile in range(136) if tile not in {*HAND, 135})[:71], (), ())}, "tiles drawn"),
        ({"dealer": 1}, "seat kyoku % 4 deals"),
    ],
)
def test_a_snapshot_of_a_table_that_cannot_be_is_refused(changes, said):
    assert said in refused(GameState(0), replace(BACK, **changes))


def test_after_a_snapshot_nobody_has_drawn_from_an_empty_wall():
    tiles = tuple(tile for tile in range(136) if tile not in {*HAND, 135})
    state = GameState(0)
    state.apply(replace(BACK, rivers=(tiles[:18], tiles[18:36], tiles[36:53], tiles[53:70])))
    assert state.wall_left == 0
    refused(state, Discard(1, tiles[70], tsumogiri=True))


@pytest.mark.parametrize("change", [CHANGE.low - 1, CHANGE.high + 1, *FAR[1:]])
def test_an_end_that_changes_scores_by_more_than_any_can_is_refused(table, change):
    nine = Ryuukyoku(RyuukyokuKind.NINE_TERMINALS, (change, 0, 0, 0))
    state = table("19m19p19s1234567z").draw(0, "2m").state
    assert "change of seat 0's score" in refused(state, nine)
    state.apply(replace(nine, deltas=(0, 0, 0, 0)))
    if abs(change) > CHANGE.high + 1 + POINTS:
        assert "score of seat 1" in refused(state, EndGame((0, change, 0, 0)))
