"""Settings of the players, apart from them so that reading a configuration loads no player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from engine.opponents.registry import ESTIMATORS
from engine.policy.worth.objective import OBJECTIVES, ROOMS
from engine.search.registry import NamesEvaluator
from engine.settings import Among, Bounds

CALL_NODES: Final = 15_000
"""Bound of a search that answers a discard, where the budget names none: passing and each call are roots of their
own."""


@dataclass(frozen=True, slots=True)
class DagPolicySettings:
    """Settings of the policy ``dag``.

    Attributes:
        evaluator: who values an attack, as :func:`~engine.search.registry.make_evaluator` takes it.
        nodes: bound of its work where the budget names none; by default well under a second.
    """

    evaluator: Annotated[str, NamesEvaluator()] = "dag"
    nodes: Annotated[int, Bounds(1)] = 100_000


@dataclass(frozen=True, slots=True)
class FlowSettings:
    """Settings of the policy ``flow``.

    Attributes:
        danger: name of the danger estimator.
        evaluator: who values an attack, as :func:`~engine.search.registry.make_evaluator` takes it.
        nodes, call_nodes: bounds of its work where the budget names none, ``call_nodes`` when a discard is answered.
    """

    danger: Annotated[str, Among(ESTIMATORS)] = "model"
    evaluator: Annotated[str, NamesEvaluator()] = "dag"
    nodes: Annotated[int, Bounds(1)] = 40_000
    call_nodes: Annotated[int, Bounds(1)] = CALL_NODES


@dataclass(frozen=True, slots=True)
class PhoenixSettings:
    """Settings of the policy ``phoenix``.

    Attributes:
        imitates: whom: players of the phoenix room, the strongest program of the recordings, players of the upper-dan
            room, others.
    """

    imitates: Annotated[str, Among(("phoenix", "program", "upper", "other"))] = "phoenix"


@dataclass(frozen=True, slots=True)
class ValueSettings:
    """Settings of the policy ``value``; worths are in points, at what a point is worth on the table.

    Attributes:
        utility: name of the objective; see :func:`~engine.policy.worth.objective.make_objective`.
        dan, room: own rank and room, for the objective ``dan``.
        danger: name of the danger estimator.
        fold_within: points by which an attack must be better than folding.
        stay_folded: the same once the hand has been given up: no back and forth near the threshold.
        call_margin: points by which a call that opens the hand must be better than passing: the search knows neither
            what a closed hand keeps for folding nor all that a far hand may become. With this figure as many calls are
            made as strong players make. A hand that is open already needs a share of it (``OPEN_MARGIN``).
        spare: how much of the worth of keeping a tile that the search does not see is counted; see
            :mod:`engine.policy.worth.spare`. 0: nothing.
        noise: points below which two actions count as equal.
        calls_from: the furthest shanten from which a discard is called.
        evaluator: who values an attack, as :func:`~engine.search.registry.make_evaluator` takes it.
        nodes, call_nodes: bounds of its work where the budget names none, ``call_nodes`` when a discard is answered;
            by default a third of a second, so that the fast clock holds.
    """

    utility: Annotated[str, Among(OBJECTIVES)] = "placement"
    dan: Annotated[int, Bounds(0, 20)] = 16
    room: Annotated[str, Among(tuple(ROOMS))] = "phoenix"
    danger: Annotated[str, Among(ESTIMATORS)] = "model"
    fold_within: Annotated[float, Bounds(0.0)] = 50.0
    stay_folded: Annotated[float, Bounds(0.0)] = 300.0
    call_margin: Annotated[float, Bounds(0.0)] = 250.0
    spare: Annotated[float, Bounds(0.0)] = 1.0
    noise: Annotated[float, Bounds(0.0)] = 30.0
    calls_from: Annotated[int, Bounds(-1, 8)] = 3
    evaluator: Annotated[str, NamesEvaluator()] = "dag"
    nodes: Annotated[int, Bounds(1)] = 40_000
    call_nodes: Annotated[int, Bounds(1)] = CALL_NODES
