"""How long it takes to find the decisions of a game, and to play one seat of it again."""

from __future__ import annotations

import pytest

from bot.replay.games import Order, replay_file
from bot.replay.steps import decision_points
from engine.model.rules import HANCHAN
from protocol.logs.formats import LogFile, write_log
from protocol.logs.game_log import GameLog
from tests.games import game_of


@pytest.fixture(scope="module")
def game():
    return GameLog(game_of("simple", 3, HANCHAN).events, source="game")


def test_decisions_of_four_seats(benchmark, game):
    count = benchmark(lambda: sum(1 for seat in range(4) for _ in decision_points(game, seat)))
    assert count > 400


def test_a_seat_played_again(benchmark, game):
    file = LogFile("game.xml", "mjlog", write_log(game, "mjlog").encode())
    done = benchmark.pedantic(lambda: replay_file(file, Order("simple", seats=(0,))), rounds=3)
    assert done.agreement.decisions > 80
