"""The clock's seconds become a number of nodes: a share of them at any table, less as the bank empties."""

from __future__ import annotations

import asyncio

import pytest

from bot.live.clock import ClockTracker
from bot.live.thinker import AIM, NODES_PER_SECOND, SOFT, Thinker
from engine.arena.match import play_game
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from engine.policy.tsumogiri import TsumogiriPolicy
from engine.state import GameState, visible_to
from protocol.tenhou.game_type import FAST_CLOCK, NORMAL_CLOCK


class Asked(TsumogiriPolicy):
    """Keeps the budgets it is given."""

    def __init__(self):
        self.budgets = []

    def decide(self, state, legal, budget):
        self.budgets.append(budget)
        return super().decide(state, legal, budget)


@pytest.fixture(scope="module")
def first_draw():
    events = play_game([make_policy("tsumogiri") for _ in range(4)], TONPU, 1).events
    state = GameState(0, TONPU)
    for event in events:
        state.apply(visible_to(event, 0))
        if state.legal_actions():
            return state
    raise AssertionError


def nodes_for(state, seconds):
    policy = Asked()
    thinker = Thinker(policy)
    try:
        asyncio.run(thinker.think(state, state.legal_actions(), seconds))
    finally:
        thinker.close()
    return policy.budgets[0].nodes


def test_nodes_are_a_share_of_the_seconds(first_draw):
    assert nodes_for(first_draw, 8.0) == round(8 * AIM * NODES_PER_SECOND)
    assert nodes_for(first_draw, 0.5) < nodes_for(first_draw, 1.0) < nodes_for(first_draw, 2.0)


def test_the_share_leaves_room_for_the_unforeseen():
    assert AIM * 1.1 < SOFT / 4


@pytest.mark.parametrize(("clock", "most"), [(NORMAL_CLOCK, 1.5), (FAST_CLOCK, 0.8)])
def test_a_full_bank_asks_for_no_more_than_a_decision_may_take(clock, most):
    tracker = ClockTracker(clock)
    full = AIM * tracker.allowance()
    assert full < most
    tracker.spend(clock.action + 3.0)
    assert AIM * tracker.allowance() < full
