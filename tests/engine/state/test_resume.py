"""Coming back in the middle of a hand."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.events import Discard, Draw, Resume, Ryuukyoku, RyuukyokuKind
from engine.model.melds import Meld, MeldKind
from engine.model.tiles import allocate136, parse_tiles37
from engine.state import GameState, Phase, StateError
from tests.oracles.naive_view import validate

HAND = allocate136(parse_tiles37("234678m22p45s"))
CHUN = Meld(MeldKind.PON, (132, 133, 134), 134, 3)
RIVERS = ((108, 109), (112,), (116, 117), (120,))


def snapshot(**changes):
    facts = {
        "kyoku": 5,
        "honba": 1,
        "riichi_sticks": 1,
        "dealer": 1,
        "dora_indicators": (60,),
        "scores": (24_000, 25_000, 26_000, 24_000),
        "seat": 0,
        "hand": HAND,
        "melds": ((CHUN,), (), (), ()),
        "rivers": RIVERS,
        "riichi_at": (None, None, 1, None),
    }
    return Resume(**(facts | changes))


def resumed(**changes):
    state = GameState(0)
    state.apply(snapshot(**changes))
    validate(state)
    return state


def test_a_snapshot_tells_waits_riichi_rivers_and_scores():
    s = resumed()
    assert s.phase is Phase.RESUMED
    assert (s.place(), s.honba, s.riichi_sticks) == ("S2-1", 1, 1)
    assert s.waits == (20, 23)
    assert s.riichi == [0, 0, 1, 0]
    assert s.scores == [24_000, 25_000, 26_000, 24_000]
    assert not s.history_known
    assert not s.uninterrupted
    assert s.rivers[0][0].tsumogiri is None


def test_a_called_tile_goes_back_to_its_river():
    s = resumed()
    assert [discarded.tile for discarded in s.rivers[3]] == [120, 134]
    assert s.rivers[3][-1].called_by == 0
    own = Meld(MeldKind.PON, (92, 93, 94), 92, 0)
    s = resumed(melds=((), (own,), (), ()), hand=(*HAND, 100, 101, 102))
    assert s.river_mask >> 23 & 1  # what others took from us still makes us furiten


def test_the_wall_follows_from_what_lies_on_the_table():
    """Six tiles in rivers, one pon that skipped a draw: the called tile is one more discard and one draw less."""
    assert resumed().wall_left == 70 - 6
    kan = Meld(MeldKind.ANKAN, (128, 129, 130, 131), None, 1)
    assert resumed(melds=((CHUN,), (kan,), (), ()), dora_indicators=(60, 61)).wall_left == 70 - 7


def test_play_goes_on_with_whoever_draws():
    s = resumed()
    s.apply(Draw(2, None))
    s.apply(Discard(2, 76, True))
    validate(s)
    assert s.turn == 2
    s.apply(Draw(3, None))
    s.apply(Discard(3, 80, False))
    assert any(action.kind is ActionKind.RON for action in s.legal_actions())
    s.apply(Draw(0, 100))
    assert s.furiten_turn
    validate(s)
    assert s.legal_actions()


def test_a_draw_before_the_snapshot_shows_with_its_discard():
    s = resumed()
    s.apply(Discard(1, 76, False))
    validate(s)
    assert s.wall_left == 70 - 7
    s.apply(Draw(2, None))


def test_own_riichi_stays_closed_to_other_discards():
    s = resumed(melds=((), (), (), ()), hand=(*HAND, 132, 133, 134), riichi_at=(0, None, None, None))
    assert s.riichi[0] == 2
    s.apply(Draw(0, 100))
    assert [str(action) for action in s.legal_actions()] == ["discard 8s"]


def test_before_anything_happened_all_is_known():
    s = resumed(melds=((),) * 4, rivers=((),) * 4, riichi_at=(None,) * 4, hand=(*HAND, 132, 133, 134))
    assert s.phase is Phase.DEALT
    assert s.history_known
    s.apply(Draw(1, None))


def test_after_a_call_of_ones_own_the_discard_is_still_to_come():
    s = resumed(hand=(*HAND, 100))
    assert s.phase is Phase.CALLED
    assert s.turn == 0
    assert s.wall_left == 70 - 7
    assert s.waits == ()
    assert s.kuikae == 1 << 33
    assert {action.kind for action in s.legal_actions()} == {ActionKind.DISCARD}
    s.apply(Discard(0, 100, False))
    validate(s)
    assert s.waits == (20, 23)
    s.apply(Draw(1, None))


def test_a_draw_without_any_discard_is_refused():
    """Only a closed kan lies on the table: the hand cannot be exhausted."""
    state = GameState(0)
    kan = Meld(MeldKind.ANKAN, (132, 133, 134, 135), None, 0, 132)
    state.apply(snapshot(melds=((kan,), (), (), ()), rivers=((),) * 4, riichi_at=(None,) * 4))
    with pytest.raises(StateError):
        state.apply(Ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (0, 0, 0, 0)))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"seat": 1}, "another seat"),
        ({"hand": HAND[:9]}, "10 tiles"),
        ({"hand": (*HAND, 100, 101)}, "10 tiles"),
        ({"hand": (*HAND, 100, 101, 102, 103), "melds": ((),) * 4}, "13 tiles"),
        ({"rivers": ((HAND[0],), (), (), ())}, "appears twice"),
        ({"dora_indicators": (136,)}, "not one of the 136"),
        ({"rivers": (tuple(range(72, 105)), (), (), ()), "riichi_at": (None,) * 4}, "discards of seat 0 33"),
    ],
)
def test_a_snapshot_that_cannot_be(changes, expected):
    with pytest.raises(StateError, match=expected):
        GameState(0).apply(snapshot(**changes))
