"""Rules that a log states and that are not played: the results of such a game are not compared."""

from __future__ import annotations

import json

import pytest

from bot.replay.verify import verify_logs
from engine.arena import play_game
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from protocol.logs import tenhou6
from protocol.logs.formats import LogFile
from protocol.logs.game_log import GameLog


@pytest.mark.parametrize(("text", "compared"), [("般東喰赤", 1), ("般東喰赤 トビなし", 0), ("般東喰赤 後付けなし", 0)])
def test_the_results_of_rules_that_are_not_played_are_not_compared(text, compared):
    log = json.loads(tenhou6.write(GameLog(play_game([make_policy("simple") for _ in range(4)], TONPU, 3).events)))
    log["rule"]["disp"] = text
    log["sc"][1] += 5 * (1 - compared)  # another uma
    tally = verify_logs([LogFile("game.json", "tenhou6", json.dumps(log).encode())])
    assert tally.errors == []
    assert (tally.results_exact, tally.results_unstated) == (compared, 1 - compared)
