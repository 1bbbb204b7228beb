"""Evaluators and danger estimators as people name them. They may be anyone's: their answers are checked.

What they do wrong ends the command with one line that names them and the method; there is nothing to fall back on.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bot.machine.errors import InputError
from bot.machine.outlet import prints_to_stderr
from bot.machine.outside import FaultKind, OutsideError, find_here_too, misfit, outside
from bot.machine.text import brief
from engine.model.actions import CALLS, DISCARDS, ActionKind
from engine.model.budget import Budget
from engine.model.melds import MeldKind
from engine.model.tiles import KINDS
from engine.search.calls import after_call_of, choice_of_call, possible_calls
from engine.search.evaluator import Choice, Evaluation, Evaluator, Stakes
from engine.search.position import Position, PositionError
from engine.search.registry import EVALUATORS

if TYPE_CHECKING:
    from engine.opponents.danger import Danger, DangerEstimator
    from engine.state import GameState

_SHAPES: Final = {"p_tenpai": (4,), "p_wait": (4, KINDS), "p_deal_in": (4, KINDS), "loss": (4, KINDS)}


class GuardedEvaluator:
    """An evaluator whose answers are complete.

    Attributes:
        name, digests: those of the evaluator.
    """

    def __init__(self, inner: Evaluator, text: str) -> None:
        self._inner = inner
        self._who = f"evaluator {brief(text, 100)}"
        with outside(self._who, "name or digests"):
            self.name: str = str(inner.name)
            self.digests: Mapping[str, str] = dict(inner.digests)

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :meth:`engine.search.evaluator.Evaluator.evaluate`.

        Raises:
            PositionError: the position cannot be evaluated.
            OutsideError: the evaluator raised anything else, or its answer is incomplete.
        """
        with outside(self._who, "evaluate", (PositionError,)):
            evaluation = self._inner.evaluate(position, stakes, budget)
            fault = _misshapen_evaluation(evaluation, position)
        if fault:
            raise OutsideError(FaultKind(self._who, "evaluate", "did not return an evaluation"), brief(fault))
        return evaluation


class GuardedEstimator:
    """A danger estimator whose answers are complete.

    Attributes:
        name, digests: those of the estimator.
        worlds: number of random hands behind each answer; 0 if it draws none.
    """

    def __init__(self, inner: "DangerEstimator", text: str) -> None:
        self._inner = inner
        self._who = f"danger estimator {brief(text, 100)}"
        with outside(self._who, "name or digests"):
            self.name: str = str(inner.name)
            self.digests: Mapping[str, str] = dict(inner.digests)
            self.worlds = int(getattr(inner, "worlds", 0))

    def estimate(self, state: "GameState") -> "Danger":
        """See :meth:`engine.opponents.danger.DangerEstimator.estimate`; the estimator gets a copy of the state.

        Raises:
            OutsideError: the estimator raised, or its answer is incomplete.
        """
        with outside(self._who, "estimate"):
            danger = self._inner.estimate(state.copy())
            fault = _misshapen_danger(danger)
        if fault:
            raise OutsideError(FaultKind(self._who, "estimate", "did not return the danger"), brief(fault))
        return danger


def evaluator_named(text: str, options: Mapping[str, Any] | None = None) -> GuardedEvaluator:
    """A new evaluator: ``NAME``, ``NAME:KEY=VALUE,…`` or ``module:Class``.

    Args:
        text: its name, with or without settings.
        options: further settings.

    Raises:
        InputError: the evaluator or a setting does not exist, or a value is not allowed.
    """
    find_here_too(text)
    try:
        with prints_to_stderr():
            named = EVALUATORS.parse(text)
            made = EVALUATORS.make(named.name, {**named.options, **(options or {})})
    except ValueError as error:
        raise InputError(str(error)) from None
    return GuardedEvaluator(made, text)


def estimator_named(name: str) -> tuple[GuardedEstimator, str | None]:
    """A new danger estimator, or the plain table with a warning for the user where its weights are missing.

    Raises:
        InputError: no estimator has that name, or it cannot be created.
    """
    from engine.opponents.registry import best_estimator  # noqa: PLC0415 - a hand alone is quicker without

    find_here_too(name)
    try:
        with prints_to_stderr():
            made, instead = best_estimator(name)
    except ValueError as error:
        raise InputError(str(error)) from None
    return GuardedEstimator(made, name), instead


def _misshapen_evaluation(evaluation: Any, position: Position) -> str:
    """The fault that prevents an evaluation from being shown; empty if there is none."""
    if fault := misfit(evaluation, Evaluation):
        return fault
    for worth in evaluation.actions:
        choice = worth.choice
        if not all(-1 <= tile < KINDS for tile in (choice.tile34, worth.then34, *choice.own34)):
            return "a choice with a tile that does not exist"
        if not _possible(position, choice, worth.then34):
            return f"the hand cannot {choice}"
    return "" if evaluation.actions else "it has no actions"


def _possible(position: Position, choice: Choice, then34: int) -> bool:
    """Whether the hand has the tiles for an action, a win aside, and for the discard after it."""
    kind, tile34, counts = choice.kind, choice.tile34, position.counts
    if kind in DISCARDS:
        return position.to_discard and tile34 >= 0 and counts[tile34] > 0
    if kind is ActionKind.ANKAN:
        return tile34 >= 0 and counts[tile34] == 4
    if kind is ActionKind.KAKAN:
        pons = {meld.tile34 for meld in position.melds if meld.kind is MeldKind.PON}
        return tile34 in pons and counts[tile34] == 1
    if kind not in CALLS:
        return True
    calls = possible_calls(position) if position.offered >= 0 else ()
    found = [own34 for call, own34 in calls if choice == choice_of_call(position, call, own34)]
    return bool(found) and (then34 < 0 or after_call_of(position, kind, found[0]).counts[then34] > 0)


def _misshapen_danger(danger: Any) -> str:
    """The fault that prevents the danger from being used; empty if there is none."""
    from engine.opponents.danger import Danger  # noqa: PLC0415 - as above

    if not isinstance(danger, Danger):
        return f"{type(danger).__name__} instead of Danger"
    for name, shape in _SHAPES.items():
        values = np.asarray(getattr(danger, name))
        if values.shape != shape or values.dtype.kind != "f":
            return f"{name} has the shape {values.shape} and the type {values.dtype} instead of {shape} and float"
        if not np.isfinite(values).all() or values.min() < 0.0:
            return f"{name} has values that are negative or not finite"
        if name != "loss" and values.max() > 1.0 + _ROUNDING:
            return f"{name} has values above 1"
    return ""


_ROUNDING: Final = 1e-5
"""What a chance may exceed 1 by."""
