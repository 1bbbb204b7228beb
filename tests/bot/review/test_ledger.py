"""Units and grades."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from bot.config import Policy
from bot.review.measure import Grade, bounds, grade_of, in_shown_unit, reference, shown_unit, worth_of_one
from engine.model.actions import PASS
from engine.policy.decision import Decision
from engine.policy.grounds import GroundKind, ground
from engine.policy.registry import make_policy
from engine.policy.settings import ValueSettings


def test_result_points_become_points_at_the_table():
    decision = Decision(PASS, unit="result", per_point=0.002)
    assert shown_unit("result") == "points"
    assert worth_of_one(decision) == 0.002
    assert worth_of_one(Decision(PASS, unit="result", per_point=0.0)) == 0.001  # a point is worth at least itself
    assert worth_of_one(Decision(PASS, unit="dan points", per_point=0.002)) == 1.0


def test_grounds_count_the_unit_that_is_shown():
    found = ground(GroundKind.NEXT_BEST, does=ground(GroundKind.PASS), gap=ground(GroundKind.POINTS, points=500.0))
    dan = in_shown_unit(found, Decision(PASS, unit="dan points", per_point=0.004))
    assert dan.figures["gap"] == ground(GroundKind.AMOUNT, amount=2.0, unit="dan points")
    assert in_shown_unit(found, Decision(PASS, unit="result", per_point=0.002)) == found
    worth = ground(GroundKind.AMOUNT, amount=1.5, unit="result")
    assert in_shown_unit(worth, Decision(PASS, unit="result")) == ground(GroundKind.POINTS, points=1500.0)


def test_grades_follow_the_bounds_that_were_counted():
    least = reference().bounds
    assert 30 < least["mistake"] < least["blunder"]
    assert grade_of(least["mistake"] - 1, "points", 30.0) is Grade.INACCURACY
    assert grade_of(least["mistake"], "points", 30.0) is Grade.MISTAKE
    assert grade_of(least["blunder"], "points", 30.0) is Grade.BLUNDER
    assert bounds("dan points", 0.06)[Grade.BLUNDER] == pytest.approx(least["blunder"] * 0.002)


def test_the_bounds_are_what_phoenix_players_reach_so_often():
    known = reference()
    for grade, often in known.card["one_in"].items():
        assert known.one_in(grade) == pytest.approx(often, rel=0.15)  # the bounds are round


def test_the_default_judge_is_the_one_that_the_players_were_counted_with():
    judge = reference().card["judge"]["policy"]
    assert judge == Policy().name
    counted = reference().suits(judge, dict(make_policy(judge).settings()))
    assert counted, "run oshihiki train reference again: until then no game has a percentile"


def test_a_disputed_difference_is_no_mistake():
    assert grade_of(5_000.0, "points", 30.0, disputed=True) is Grade.INACCURACY


def test_no_constant_of_the_policy_makes_a_grade_by_itself():
    constants = {value for value in asdict(ValueSettings()).values() if isinstance(value, int | float)}
    assert not constants & set(reference().bounds.values())
