"""Draws, discards, what is counted and what is refused."""

from __future__ import annotations

import pytest

from engine.model.actions import Action, ActionKind
from engine.model.events import (
    Call,
    Discard,
    Disconnected,
    Draw,
    EndGame,
    NewDora,
    RiichiAccepted,
    RiichiDeclared,
    Ryuukyoku,
    RyuukyokuKind,
    StartGame,
    StartKyoku,
    Win,
)
from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.model.tiles import SOUTH
from engine.state import GameState, StateError, visible_to
from engine.state.words import event_words
from tests.oracles.naive_view import validate

HAND = "19m19p19s1234567z"
PLAIN = "123m406p79s11224z"


def test_a_hand_begins(table):
    t = table(PLAIN, seat=2, kyoku=5, honba=1, sticks=2, indicator="3m", scores=(24_000, 26_000, 25_000, 23_000))
    s = t.state
    assert (s.round_wind, s.seat_wind, s.dealer) == (SOUTH, SOUTH, 1)
    assert (s.wall_left, s.honba, s.riichi_sticks) == (70, 1, 2)
    assert s.visible[2] == 2
    assert s.unseen(2) == 2
    assert s.legal_actions() == ()
    assert s.place() == "S2-1"


def test_draws_take_the_wall_down_and_discards_fill_the_rivers(table):
    t = table(PLAIN).turn(0, "5m", "1m").turn(1, "9p").turn(2, "9p")
    t.draw(3).discard(3, "9p", tsumogiri=False)
    s = t.state
    assert s.wall_left == 66
    assert [len(river) for river in s.rivers] == [1, 1, 1, 1]
    assert s.rivers[0][0].tsumogiri is False
    assert s.rivers[1][0].tsumogiri is True
    assert s.rivers[3][0].tsumogiri is False
    assert s.visible[17] == 3
    assert s.hand == sorted(s.hand)


def test_copies_nobody_can_tell_apart_are_listed_once_and_the_drawn_tile_by_itself(table):
    t = table("1119m406p789s112z").draw(0, "1m")
    ones = [action for action in t.kinds(ActionKind.DISCARD) if action.tile >> 2 == 0]
    assert [action.tile for action in ones] == [0, 3]
    assert t.state.is_legal(Action(ActionKind.DISCARD, 2))
    assert not t.state.is_legal(Action(ActionKind.DISCARD, 16))


def test_a_red_five_is_another_tile_unless_the_rules_have_none(table):
    hand = "055m123p789s1122z"
    fives = [a.tile for a in table(hand).draw(0, "9m").kinds(ActionKind.DISCARD) if a.tile >> 2 == 4]
    assert fives == [16, 17]
    plain = table("555m123p789s1122z", rules=Rules(red_fives=False)).draw(0, "9m")
    assert [a.tile for a in plain.kinds(ActionKind.DISCARD) if a.tile >> 2 == 4] == [16]
    assert plain.state.is_legal(Action(ActionKind.DISCARD, 18))


def test_nobody_is_asked_out_of_turn(table):
    t = table(PLAIN).draw(0, "5m")
    assert t.can(ActionKind.DISCARD)
    t.discard(0, "5m")
    assert t.state.legal_actions() == ()
    t.draw(1)
    assert t.state.legal_actions() == ()
    assert not t.state.is_legal(Action(ActionKind.DISCARD, 0))


def _dealt(table):
    return table(PLAIN)


def _drawn(table):
    return table(PLAIN).draw(0, "5m")


def _thrown(table):
    return table(PLAIN).turn(0, "5m")


def _other_drew(table):
    return table(PLAIN).turn(0, "5m").draw(1)


PON = Meld(MeldKind.PON, (108, 109, 110), 110, 1)

IMPOSSIBLE = [
    (_dealt, Draw(1, None), "seat 0 draws"),
    (_dealt, Draw(0, None), "see a tile"),
    (_dealt, Draw(0, 0), "not seen before"),
    (_dealt, Draw(0, 136), "not seen before"),
    (_dealt, Discard(0, 0, False), "nobody discards"),
    (_dealt, StartGame(TONPU), "hand is in play"),
    (_dealt, StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, ((), (), (), ())), "hand is in play"),
    (_dealt, EndGame((25_000,) * 4), "hand is in play"),
    (_drawn, Draw(1, None), "nobody draws"),
    (_drawn, Discard(1, 100, True), "seat 0's turn"),
    (_drawn, Discard(0, 60, False), "the hand is"),
    (_drawn, Discard(0, 0, True), "drawn was 5m"),
    (_drawn, RiichiDeclared(0), "not tenpai"),
    (_drawn, RiichiDeclared(1), "only seat 0"),
    (_drawn, RiichiAccepted(0), "not just declared"),
    (_drawn, NewDora(100), "has its indicator"),
    (_drawn, Win(0, 0, 17, (0, 0, 0, 0)), "does not wait"),
    (_drawn, Win(0, 1, 17, (0, 0, 0, 0)), "no tile is on offer"),
    (_drawn, Win(7, 7, 17, (0, 0, 0, 0)), "seats are 0 to 3"),
    (_drawn, Ryuukyoku(RyuukyokuKind.EXHAUSTIVE, (0, 0, 0, 0)), "last discard"),
    (_drawn, Ryuukyoku(RyuukyokuKind.FOUR_WINDS, (0, 0, 0, 0)), "four like winds"),
    (_drawn, Call(0, Meld(MeldKind.ANKAN, (0, 1, 2, 3), None, 0, 0)), "the hand is"),
    (_drawn, Call(0, Meld(MeldKind.ANKAN, (0, 1, 2, 4), None, 0, 0)), "no such meld"),
    (_drawn, Call(5, PON), "no such meld"),
    (_drawn, Call(0, PON), "only the tile just discarded"),
    (_thrown, Draw(2, None), "seat 1 draws"),
    (_thrown, Draw(0, 100), "seat 1 draws"),
    (_thrown, Ryuukyoku(RyuukyokuKind.NINE_TERMINALS, (0, 0, 0, 0)), "first turn"),
    (_thrown, Ryuukyoku(RyuukyokuKind.FOUR_RIICHI, (0, 0, 0, 0)), "four riichi"),
    (_thrown, Ryuukyoku(RyuukyokuKind.FOUR_KANS, (0, 0, 0, 0)), "four kans"),
    (_thrown, Win(1, 0, 20, (0, 0, 0, 0)), "a different tile"),
    (_other_drew, Discard(1, 0, False), "somewhere else"),
    (_other_drew, Discard(1, -1, False), "not a tile"),
    (_other_drew, Discard(2, 100, True), "seat 1's turn"),
]


@pytest.mark.parametrize(
    ("place", "event", "expected"), IMPOSSIBLE, ids=lambda each: getattr(each, "__name__", str(each)[:40])
)
def test_an_impossible_event_is_refused_with_its_reason_and_changes_nothing(table, place, event, expected):
    state = place(table).state
    before = state.digest()
    with pytest.raises(StateError, match=expected) as raised:
        state.apply(event)
    assert event_words(event) in str(raised.value)
    assert "E1" in str(raised.value)
    assert state.digest() == before


@pytest.mark.parametrize(
    ("hand", "indicator", "kyoku", "dealer", "expected"),
    [
        (tuple(range(12)), 135, 0, 0, "own 13 tiles"),
        (None, 135, 0, 0, "own 13 tiles"),
        (tuple(range(13)), 0, 0, 0, "appears twice"),
        ((*range(12), 136), 135, 0, 0, "not one of the 136"),
        (tuple(range(13)), 135, 1, 0, "deals"),
    ],
)
def test_a_deal_that_cannot_be(hand, indicator, kyoku, dealer, expected):
    state = GameState(0)
    before = state.digest()
    with pytest.raises(StateError, match=expected):
        state.apply(StartKyoku(kyoku, 0, 0, dealer, indicator, (25_000,) * 4, (hand, None, None, None)))
    assert state.digest() == before


def test_arrays_for_kernels_are_made_once_between_two_events_and_are_no_part_of_the_state(table):
    state = table(PLAIN).draw(0, "1z").state
    before, seen = state.digest(), state.as_table()
    assert state.as_table() is seen
    assert state.digest() == before
    assert state.copy().as_table() is not seen
    state.apply(Discard(0, state.hand[0], False))
    assert state.as_table()[0].lengths[0] == seen[0].lengths[0] + 1


def test_values_that_are_no_event_are_refused():
    with pytest.raises(StateError, match="not an event"):
        GameState(0).apply("draw")


def test_a_seat_is_0_to_3():
    with pytest.raises(ValueError, match="0 to 3"):
        GameState(4)


def test_nothing_hidden_is_remembered():
    """Two games that a seat cannot tell apart give equal views, with or without the hidden tiles."""
    hands = tuple(tuple(range(13 * seat, 13 * seat + 13)) for seat in range(4))
    open_view, masked_view = GameState(1), GameState(1)
    events = [
        StartGame(HANCHAN),
        StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, hands),
        Draw(0, 60),
        Discard(0, 60, True),
        Draw(1, 61),
        Discard(1, 13, False),
        Draw(2, 62),
    ]
    for event in events:
        open_view.apply(event)
        masked_view.apply(visible_to(event, 1))
    assert open_view.digest() == masked_view.digest()
    assert visible_to(events[2], 1) == Draw(0, None)
    assert visible_to(events[1], 1).hands == (None, hands[1], None, None)
    assert visible_to(events[4], 1) is events[4]


def test_a_copy_goes_its_own_way(table):
    t = table(PLAIN).draw(0, "5m")
    before = t.state.digest()
    twin = t.state.copy()
    assert twin.digest() == before
    assert twin.legal_actions() == t.state.legal_actions()
    twin.apply(Discard(0, twin.drawn, True))
    twin.apply(Draw(1, None))
    twin.apply(Discard(1, 60, True))
    validate(twin)
    assert t.state.digest() == before
    assert twin.digest() != before


def test_a_player_who_drops_out_changes_nothing(table):
    t = table(PLAIN)
    before = t.state.digest()
    t.apply(Disconnected(2))
    assert t.state.digest() == before


def test_a_game_begins_on_a_clear_table_and_ends():
    state = GameState(3)
    state.apply(StartGame(Rules(hanchan=False, start_points=27_000)))
    assert state.scores == [27_000] * 4
    state.apply(EndGame((30_000, 27_000, 26_000, 25_000)))
    assert state.scores == [30_000, 27_000, 26_000, 25_000]
    validate(state)
