"""A player in its seat: what it is told."""

from __future__ import annotations

import pytest

from engine.model.events import Draw, StartGame, StartKyoku
from engine.model.rules import HANCHAN
from engine.policy.decision import Seated
from engine.policy.registry import make_policy
from engine.policy.tsumogiri import TsumogiriPolicy
from engine.state import StateError

HANDS = tuple(tuple(range(seat, 52 + seat, 4)) for seat in range(4))
DEAL = StartKyoku(0, 0, 0, 0, 135, (25_000,) * 4, HANDS)


class Listening(TsumogiriPolicy):
    """Keeps what it is told."""

    def __init__(self):
        self.told = []

    def start_kyoku(self):
        self.told.append("a new hand")

    def hear(self, event, seat):
        self.told.append((event, seat))

    def close(self):
        """Nothing to end."""


def test_a_player_is_told_of_a_hand_and_then_of_what_its_seat_may_see():
    seat = Seated(1, HANCHAN, Listening())
    for event in (StartGame(HANCHAN), DEAL, Draw(0, 53)):
        seat.apply(event)
    begun, new_hand, dealt, drawn = seat.player.told
    assert begun == (StartGame(HANCHAN), 1)
    assert new_hand == "a new hand"
    assert dealt[0].hands == (None, HANDS[1], None, None)
    assert drawn == (Draw(0, None), 1)
    assert seat.state.hand == list(HANDS[1])


def test_events_that_cannot_have_happened_are_not_told():
    seat = Seated(1, HANCHAN, Listening())
    seat.apply(DEAL)
    told = len(seat.player.told)
    with pytest.raises(StateError):
        seat.apply(Draw(1, 54))
    assert seat.lost
    assert not seat.hear(Draw(0, 53))
    assert len(seat.player.told) == told


def test_a_policy_that_does_not_listen_sits_down_too():
    seat = Seated(0, HANCHAN, make_policy("tsumogiri"))
    assert seat.hear(DEAL)
    assert seat.hear(Draw(0, 53))
    assert seat.player.decide(seat.state, seat.state.legal_actions(), None).action.tile == 53
