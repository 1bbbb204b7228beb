"""The clock's seconds become a number of nodes: a share of them at any table, less as the bank empties."""

from __future__ import annotations

import asyncio
import threading

import pytest

from bot.deciding.ask import Question
from bot.deciding.thinker import AIM, LEAST, NODES_PER_SECOND, SOFT, Pace, Thinker
from bot.play.clock import ClockTracker
from engine.model.rules import TONPU
from engine.policy.tsumogiri import TsumogiriPolicy
from engine.state import GameState, visible_to
from protocol.tenhou.game_type import FAST_CLOCK, NORMAL_CLOCK
from tests.games import game_of


class Asked(TsumogiriPolicy):
    """Keeps the budgets it is given."""

    def __init__(self):
        self.budgets = []

    def decide(self, state, legal, budget):
        self.budgets.append(budget)
        return super().decide(state, legal, budget)


@pytest.fixture(scope="module")
def first_draw():
    events = game_of("tsumogiri", 1).events
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
        asyncio.run(thinker.think(Question.of(state, state.legal_actions(), seconds)))
    finally:
        thinker.close()
    return policy.budgets[0].nodes


def test_nodes_are_a_share_of_the_seconds(first_draw):
    assert nodes_for(first_draw, 80.0) == round(80 * AIM * NODES_PER_SECOND)
    assert nodes_for(first_draw, 80.0) < nodes_for(first_draw, 160.0) < nodes_for(first_draw, 320.0)


def test_the_share_leaves_room_for_the_unforeseen():
    assert AIM * 1.1 < SOFT / 4


@pytest.mark.parametrize(("clock", "most"), [(NORMAL_CLOCK, 1.5), (FAST_CLOCK, 0.8)])
def test_a_full_bank_asks_for_no_more_than_a_decision_may_take(clock, most):
    tracker = ClockTracker(clock)
    full = AIM * tracker.allowance()
    assert full < most
    tracker.spend(clock.action + 3.0)
    assert AIM * tracker.allowance() < full


def test_a_slow_machine_is_asked_for_less_until_it_is_quick_again():
    pace = Pace()
    full = pace.nodes(8.0)
    pace.saw(8.0, 0.9 * 8 * AIM, searched=True)
    assert pace.nodes(8.0) == full
    pace.saw(8.0, 4 * 8 * AIM, searched=True)
    assert pace.nodes(8.0) == pytest.approx(full / 4, rel=0.01)
    pace.saw(8.0, 0.001, searched=False)
    assert pace.nodes(8.0) == pytest.approx(full / 4, rel=0.01)
    for _ in range(10):
        pace.saw(8.0, 0.5 * 8 * AIM, searched=True)
    assert pace.nodes(8.0) == full


def test_something_is_always_left():
    pace = Pace()
    for _ in range(100):
        pace.saw(5.0, 5.0, searched=True)
    assert pace.share == LEAST
    assert pace.nodes(0.05) >= 1


def test_a_late_answer_makes_the_next_search_smaller(first_draw):
    given_up = threading.Event()

    class Slow(Asked):
        def decide(self, state, legal, budget):
            given_up.wait()
            return super().decide(state, legal, budget)

    policy = Slow()
    thinker = Thinker(policy)

    async def twice():
        await thinker.think(Question.of(first_draw, first_draw.legal_actions(), 0.05))
        given_up.set()
        await thinker.think(Question.of(first_draw, first_draw.legal_actions(), 100.0))

    try:
        asyncio.run(twice())
    finally:
        thinker.close()
    first, second = (budget.nodes for budget in policy.budgets)
    assert second / 100.0 < first / 0.05
