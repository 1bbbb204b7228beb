"""Values of an evaluator in the currency of the hand, whether it can use stakes or not."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import allocate136, parse_tiles37
from engine.policy.value.attack import attack
from engine.search.evaluator import Choice, Evaluation, Stakes, Utility, Worth
from engine.search.position import Sketch

RESULT = Utility((-100_000, 200_000), (-100.0, 200.0), "result")
STAKES = Stakes(RESULT, RESULT, ended=(0.0, -1.0), terminal=(-1.0, 1.0, 0.0))
HAND = Sketch(allocate136(parse_tiles37("2345m4067p34588s1z"))).position()


class Answers:
    """Answers in a unit of its own choice."""

    name = "answers"
    digests = MappingProxyType({})

    def __init__(self, unit):
        self.unit = unit
        self.asked = None

    def evaluate(self, position, stakes=None, budget=None):
        self.asked = position, stakes, budget
        worth = Worth(Choice(ActionKind.DISCARD, 27), 2_000.0, 0.5, None, 4_000.0, (1_000.0, 2_000.0))
        return Evaluation(self.name, (worth,), self.unit)


def test_an_answer_in_the_unit_of_the_stakes_is_left_alone():
    evaluator, budget = Answers("result"), Budget(nodes=5)
    (worth,) = attack(evaluator, HAND, STAKES, 0.001, budget).actions
    assert worth.value == 2_000.0
    assert evaluator.asked == (HAND, STAKES, budget)


def test_points_count_what_a_point_is_worth():
    found = attack(Answers("points"), HAND, STAKES, 0.001, Budget())
    (worth,) = found.actions
    assert found.unit == "result"
    assert (worth.value, worth.value_by_draws) == (2.0, (1.0, 2.0))
    assert (worth.p_win, worth.win_points) == (0.5, 4_000.0)


def test_any_other_unit_is_refused():
    with pytest.raises(ValueError, match="the evaluator answers answers in 'tiles', not in 'result' as asked, nor in"):
        attack(Answers("tiles"), HAND, STAKES, 0.001, Budget())


def test_stakes_have_one_unit():
    with pytest.raises(ValueError, match="self-draws are valued in result and rons in points"):
        Stakes(RESULT, Utility(), ended=(0.0, 0.0), terminal=(0.0, 0.0, 0.0))
