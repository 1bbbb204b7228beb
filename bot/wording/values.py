"""The values of a decision's candidates as people compare them: in points wherever the rate is known."""

from __future__ import annotations

from bot.wording.numbers import decimals_of, number
from engine.policy.decision import Decision


def value_unit(decision: Decision) -> str:
    """What :func:`value_text` counts."""
    return "points" if decision.points(0.0) is not None else decision.unit or "value"


def value_text(decision: Decision, value: float) -> str:
    """A value of the decision, in points or with as many decimals as its noise leaves."""
    points = decision.points(value)
    return number(value, decimals_of(decision.noise)) if points is None else number(points)
