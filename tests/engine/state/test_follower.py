"""A view that follows what may be wrong."""

from __future__ import annotations

from engine.model.events import Discard, Draw, EndGame, StartGame, StartKyoku
from engine.model.rules import HANCHAN
from engine.state import Follower, FourViews, GameState

START = StartGame(HANCHAN, ("a", "b", "c", "d"))
HAND = tuple(range(0, 52, 4))
"""One of each of thirteen kinds."""
DEAL = StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, (HAND, None, None, None))


def test_after_an_impossible_event_the_rest_of_the_hand_is_passed_over():
    follower = Follower(GameState(0, HANCHAN))
    assert follower.hear(START)
    assert follower.hear(DEAL)
    assert follower.hear(Draw(0, 53))
    assert not follower.hear(Draw(0, 54))
    assert follower.lost
    assert follower.fault is not None
    before = follower.state
    assert not follower.hear(Discard(0, 53, tsumogiri=True))
    assert follower.fault is None
    assert follower.state is before
    assert follower.hear(DEAL)
    assert not follower.lost
    assert follower.state is not before
    assert follower.hear(Draw(0, 53))


def test_the_end_of_the_game_is_heard_by_a_lost_view_too():
    follower = Follower(GameState(0, HANCHAN))
    follower.hear(START)
    follower.hear(DEAL)
    assert not follower.hear(Draw(1, None))
    assert follower.hear(EndGame((25_000,) * 4, (0.0,) * 4))
    assert follower.lost


def test_four_views_see_their_own_hands_and_are_lost_and_found_together():
    hands = tuple(tuple(range(seat, 52 + seat, 4)) for seat in range(4))
    follower = Follower(FourViews())
    follower.hear(START)
    assert follower.hear(StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, hands))
    assert [view.hand for view in follower.state] == [list(hand) for hand in hands]
    assert follower.hear(Draw(0, 53))
    assert [view.drawn for view in follower.state] == [53, None, None, None]
    assert not follower.hear(Draw(0, 54))
    before = follower.state
    assert follower.hear(StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, hands))
    assert all(view is not old for view, old in zip(follower.state, before, strict=True))
