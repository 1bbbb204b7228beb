"""One seat's view written as a whole game: what nobody showed is made up, and the rules are kept."""

from __future__ import annotations

import pytest

from bot.replay.verify import check_game
from bot.replay.verify_counts import VerifyCounts
from engine.model.events import RiichiDeclared, Win
from engine.model.rules import HANCHAN, TONPU
from engine.state import visible_to
from protocol.logs.game_log import GameLog
from protocol.logs.made_up import fill_hidden
from tests.games import game_of


@pytest.mark.parametrize(("rules", "seed"), [(TONPU, 0), (TONPU, 1), (HANCHAN, 0)])
def test_a_game_with_made_up_tiles_verifies(rules, seed):
    events = game_of("simple", seed, rules).events
    winners = {event.seat for event in events if isinstance(event, Win)}
    assert any(isinstance(event, RiichiDeclared) for event in events) or not winners
    for seat in range(4):
        tally = VerifyCounts()
        check_game(fill_hidden(GameLog(tuple(visible_to(event, seat) for event in events))), tally)
        assert tally.errors == []
        assert tally.actions > 100
