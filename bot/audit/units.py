"""The one unit of an audit: the losses, values and noise of a decision as people compare them.

A policy that maximises the final result states its values in result points, thousands with uma and oka. In an audit
they count points at the table: how many points more on the scoreboard would have been worth as much, to this player, in
this situation. Every other unit (dan points, places, tiles, chances) stays as it is.
"""

from __future__ import annotations

from typing import Final

from engine.policy.decision import Decision
from engine.policy.grounds import Figure, Ground, GroundKind, ground

POINTS: Final = "points"
RESULT: Final = "result"
"""The unit of :func:`engine.policy.value.objective.make_objective` for the final result."""
LEAST: Final = 0.001
"""Result points that a point is worth at least: itself, in the final score, if it changes no place."""


def shown_unit(unit: str) -> str:
    """The unit in which values that a policy states in ``unit`` are shown."""
    return POINTS if unit == RESULT else unit


def worth_of_one(decision: Decision) -> float:
    """What one of the shown unit is worth in the policy's own unit: divide its values by this."""
    return max(decision.per_point, LEAST) if decision.unit == RESULT else 1.0


def in_shown_unit(found: Ground, decision: Decision) -> Ground:
    """A ground of the decision with the worths in it in the shown unit; policies state them in points if they can."""
    figures = {name: _figure(value, decision) for name, value in found.figures.items()}
    points, amount = figures.get("points"), figures.get("amount")
    if found.kind is GroundKind.POINTS and isinstance(points, int | float):
        own = points * decision.per_point if decision.per_point > 0 else points
        if decision.unit == RESULT:
            return ground(GroundKind.POINTS, points=own / worth_of_one(decision))
        if decision.unit != POINTS and decision.per_point > 0:
            return ground(GroundKind.AMOUNT, amount=own, unit=decision.unit)
    if found.kind is GroundKind.AMOUNT and isinstance(amount, int | float) and figures["unit"] == RESULT:
        return ground(GroundKind.POINTS, points=amount / worth_of_one(decision))
    return Ground(found.kind, figures)


def _figure(value: Figure, decision: Decision) -> Figure:
    if isinstance(value, Ground):
        return in_shown_unit(value, decision)
    return tuple(in_shown_unit(each, decision) for each in value) if isinstance(value, tuple) else value
