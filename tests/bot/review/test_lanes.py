"""Hands of a game asked about side by side: the result of one thread, and an end when something fails."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from bot.deciding.players import PlayerSpec
from bot.review.examine import LANES, examine
from bot.review.fields import audit_fields
from engine.policy.registry import make_policy
from engine.policy.simple.policy import SimplePolicy
from protocol.logs.game_log import GameLog
from tests.bot.review.games import recording
from tests.games import game_of


@pytest.fixture(scope="module")
def game():
    played = game_of("simple", 5)
    return recording(GameLog(played.events, source="game.xml"))


@pytest.mark.parametrize("judge", ["simple", "value:nodes=300,call_nodes=200"])
def test_lanes_find_what_one_thread_finds(game, judge):
    fresh = partial(PlayerSpec.parse(judge).make, 0)
    alone, shared = (audit_fields(examine(game, 0, fresh, lanes=lanes)) for lanes in (1, LANES))
    assert len(alone["decisions"]) > 40
    assert alone == shared
    assert judge == "simple" or any(row["held"] for row in alone["decisions"])  # which names an earlier one


class Counting(SimplePolicy):
    """A policy of nobody we know, which notes the threads that ask it."""

    threads: set[int]

    def decide(self, state, legal, budget):
        self.threads.add(threading.get_ident())
        return super().decide(state, legal, budget)


def test_a_policy_from_outside_is_asked_in_the_calling_thread(game):
    Counting.threads = set()
    examine(game, 0, Counting, lanes=LANES)
    assert Counting.threads == {threading.get_ident()}


def test_every_decision_is_told_once(game):
    told = []
    found = examine(game, 1, partial(make_policy, "simple"), on_row=told.append, lanes=LANES)
    assert sorted(row.fields["number"] for row in told) == [row.fields["number"] for row in found.rows]


def test_an_exception_of_a_listener_ends_all_lanes(game):
    told = []

    def fail(row):
        told.append(row)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        examine(game, 1, partial(make_policy, "simple"), on_row=fail, lanes=LANES)
    assert len(told) <= LANES
