"""Values of an evaluator in the currency of the hand, whether it can use stakes or not."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import allocate136, parse_tiles37
from engine.opponents.registry import best_estimator
from engine.policy.scene import Scene
from engine.policy.value.attack import attack, stakes_of
from engine.policy.value.risks import assess
from engine.search.evaluator import Choice, Evaluation, Stakes, Utility, Worth
from engine.search.position import Sketch
from engine.search.read_waits import read_waits
from engine.worth.currency import Situation, currency
from engine.worth.objective import make_objective

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


def stakes_at(state):
    worth = currency(Situation.of(state), make_objective("points", state.rules))
    estimator, _ = best_estimator()
    risks = assess(state, estimator.estimate(state), worth)
    position = Scene(state, state.legal_actions()).position
    return stakes_of(position, worth, risks, read_waits(position), np.zeros(5))


def test_a_riichi_is_paid_once(table):
    before = stakes_at(table("123456789m1134p").draw(0, "9s").state)
    assert before.terminal[2] == pytest.approx(before.terminal[1] - 1_000.0)
    assert before.ended[1] == pytest.approx(before.ended[0] - 1_000.0)
    assert before.hazard_worth[1] == pytest.approx(before.hazard_worth[0] - 1_000.0)
    declared = table("123456789m1134p")
    declared.draw(0, "9s")
    declared.riichi(0, "9s")
    for seat, tile in ((1, "1z"), (2, "2z"), (3, "3z")):
        declared.turn(seat, tile)
    after = stakes_at(declared.draw(0, "4z").state)
    assert after.terminal[2] == after.terminal[1]
    assert after.ended[1] == after.ended[0]
    assert after.hazard_worth[1] == after.hazard_worth[0]
