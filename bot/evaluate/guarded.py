"""Evaluators and danger estimators as people name them. They may be anyone's: their answers are checked.

What they do wrong ends the command with one line that names them and the method; there is nothing to fall back on.
"""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from bot.evaluate.hand_fields import fields
from bot.machine.errors import InputError
from bot.machine.outlet import prints_to_stderr
from bot.machine.outside import Guard, find_here_too, is_ours
from bot.machine.text import brief
from engine.model.budget import Budget
from engine.model.tiles import KINDS
from engine.search.evaluator import Evaluation, Evaluator, Stakes
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
        self._guard = Guard(f"evaluator {brief(text, 100)}")
        self.name: str
        self.digests: Mapping[str, str]
        self.name, self.digests = self._guard.call("name or digests", lambda: (str(inner.name), dict(inner.digests)))

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :meth:`engine.search.evaluator.Evaluator.evaluate`.

        Raises:
            PositionError: the position cannot be evaluated.
            OutsideError: the evaluator raised anything else, or its answer is incomplete.
        """

        def accept(evaluation: Evaluation) -> Evaluation:
            if not evaluation.actions:
                raise ValueError("it has no actions")
            if not is_ours(self._inner):
                json.dumps(fields(position, evaluation, 0.0), allow_nan=False)  # fails where showing it would
            return evaluation

        return self._guard.call(
            "evaluate",
            lambda: self._inner.evaluate(position, stakes, budget),
            accept,
            "did not return an evaluation",
            passing=(PositionError,),
        )


class GuardedEstimator:
    """A danger estimator whose answers are complete.

    Attributes:
        name, digests: those of the estimator.
        worlds: number of random hands behind each answer; 0 if it draws none.
    """

    def __init__(self, inner: "DangerEstimator", text: str) -> None:
        self._inner = inner
        self._guard = Guard(f"danger estimator {brief(text, 100)}")
        self.name: str
        self.digests: Mapping[str, str]
        self.worlds: int
        self.name, self.digests, self.worlds = self._guard.call(
            "name or digests", lambda: (str(inner.name), dict(inner.digests), int(getattr(inner, "worlds", 0)))
        )

    def estimate(self, state: "GameState") -> "Danger":
        """See :meth:`engine.opponents.danger.DangerEstimator.estimate`; the estimator gets a copy of the state.

        Raises:
            OutsideError: the estimator raised, or its answer is incomplete.
        """
        return self._guard.call(
            "estimate", lambda: self._inner.estimate(state.copy()), _whole_danger, "did not return the danger"
        )


def _whole_danger(danger: "Danger") -> "Danger":
    for name, shape in _SHAPES.items():
        values = np.asarray(getattr(danger, name), np.float64)
        if values.shape != shape or not (values >= 0.0).all() or not np.isfinite(values).all():
            raise ValueError(f"{name} is not {shape} finite numbers from 0 on")
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
