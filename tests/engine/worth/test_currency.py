"""The worth of endings: an aborted hand is dealt again, also where any other draw would end the game."""

from __future__ import annotations

import pytest

from engine.model.rules import HANCHAN
from engine.model.standing import Standing
from engine.policy.value.policy import ValuePolicy
from engine.worth.currency import Situation, currency, final_worth, worth_of
from engine.worth.objective import OBJECTIVES, make_objective

DEALER_LEADS = Situation(HANCHAN, 3, 7, 0, 0, (20_000, 22_000, 25_000, 33_000))
"""The last hand: its dealer wins the game by an exhaustive draw, and plays on after an aborted hand."""


def test_an_aborted_last_hand_does_not_end_the_game():
    placement = make_objective("placement", HANCHAN)
    found = currency(DEALER_LEADS, placement)
    assert found.now == pytest.approx(36.4, abs=0.05)
    assert found.per_point == pytest.approx(0.0020, abs=0.00005)
    ended = worth_of(DEALER_LEADS, [DEALER_LEADS.exhausted((False, False, False, True))], placement)[0]
    assert ended == pytest.approx(10.0 + 36.0)
    assert found.now < ended


@pytest.mark.parametrize("name", OBJECTIVES)
def test_a_point_is_worth_something_to_every_seat(name):
    """A point worth nothing would make every margin of the policy vanish."""
    for seat in range(4):
        table = Situation(HANCHAN, seat, 7, 0, 0, DEALER_LEADS.scores)
        assert currency(table, make_objective(name, HANCHAN)).per_point > 0.0


@pytest.mark.parametrize("name", OBJECTIVES)
def test_no_point_costs_anything(name):
    """The network of placements is not quite monotonic where places can hardly change."""
    decided = Situation(HANCHAN, 0, 7, 0, 0, (45_000, 5_000, 5_000, 45_000))
    assert currency(decided, make_objective(name, HANCHAN)).per_point >= 0.0


def test_the_audit_measures_from_the_same_aborted_hand():
    policy = ValuePolicy()
    worth = policy.standing(HANCHAN, 3)
    aborted = Standing(DEALER_LEADS.kyoku, DEALER_LEADS.honba, DEALER_LEADS.sticks, DEALER_LEADS.scores).aborted
    assert currency(DEALER_LEADS, policy.objective(HANCHAN)).now == pytest.approx(worth(aborted))


def test_below_zero_an_aborted_hand_ends_the_game_too():
    table = Situation(HANCHAN, 3, 2, 0, 0, (-100, 30_100, 35_000, 35_000))
    objective = make_objective("dan", HANCHAN)
    assert worth_of(table, [table.aborted()], objective)[0] == objective.by_rank[1]


def test_each_place_is_as_much_better_than_the_next():
    objective = make_objective("rank", HANCHAN)
    scores = (40_000, 30_000, 20_000, 10_000)
    assert [final_worth(scores, seat, objective) for seat in range(4)] == [-1.0, -2.0, -3.0, -4.0]
