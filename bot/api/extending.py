"""Building blocks of policies, evaluators and danger estimators; ``docs/extending.md`` shows each at work."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from bot.api.arguments import typed
from bot.deciding.players import make_player
from bot.evaluate.guarded import estimator_named, evaluator_named
from bot.machine.errors import InputError
from engine import shanten as engine
from engine.model.actions import Action
from engine.model.tiles import KINDS
from engine.opponents.danger import DangerEstimator
from engine.policy import forced as policy
from engine.policy.decision import Decider, Decision
from engine.search.evaluator import Evaluator
from engine.settings import shown
from engine.shanten import Ukeire

COPIES: Final = 4
"""Number of copies of each kind of tile."""


@typed
def make_policy(text: str, seed: int = 0) -> Decider:
    """A policy for one seat: ``NAME``, ``NAME:KEY=VALUE,…`` or ``module:Class``.

    Args:
        text: the policy, such as ``'simple'``.
        seed: seed of its randomness.
    """
    return make_player(text, seed)


@typed
def make_evaluator(text: str) -> Evaluator:
    """An evaluator: ``NAME``, ``NAME:KEY=VALUE,…`` or ``module:Class``."""
    return evaluator_named(text)


@typed
def make_estimator(name: str) -> DangerEstimator:
    """A danger estimator: ``model``, ``mj1``, ``suji``, ``waits``, or ``module:Class``."""
    return estimator_named(name)[0]


@typed
def forced(legal: Sequence[Action]) -> Decision | None:
    """The decision if there is nothing to compare: a win, or the only legal answer; None otherwise."""
    for each in legal:
        if not isinstance(each, Action):
            raise TypeError(f"forced: {shown(each)}, of type {type(each).__name__}, is not an Action")
    return policy.forced(legal)


@typed
def shanten_of(counts34: Sequence[int] | NDArray[np.uint8], melds: int = 0) -> int:
    """Shanten of a hand that is given as counts: 0 is tenpai, -1 complete.

    Args:
        counts34: number of concealed tiles of each ``tile34``, such as ``GameState.counts``.
        melds: number of melds.
    """
    counts = _copies("counts34", counts34)
    try:
        return engine.shanten(counts, _melds(melds))
    except engine.HandError as error:
        raise InputError(str(error)) from None


@typed
def ukeire_of(
    counts34: Sequence[int] | NDArray[np.uint8],
    melds: int = 0,
    unseen: Sequence[int] | NDArray[np.uint8] | None = None,
) -> Ukeire:
    """The tiles that lower the shanten of a hand of 13 tiles, which is given as counts.

    Args:
        counts34: number of concealed tiles of each ``tile34``.
        melds: number of melds.
        unseen: number of copies of each ``tile34`` that may still come; None: all that the hand does not hold.
    """
    counts = _copies("counts34", counts34)
    left = [COPIES - held for held in counts] if unseen is None else _copies("unseen", unseen)
    try:
        return engine.ukeire(counts, _melds(melds), left)
    except engine.HandError as error:
        raise InputError(str(error)) from None


def _copies(name: str, values: Sequence[int] | NDArray[np.uint8]) -> list[int]:
    """The values as numbers, if they are a number of copies for each kind."""
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    whole = all(isinstance(each, int | np.integer) and 0 <= each <= COPIES for each in listed)
    if len(listed) != KINDS or not whole:
        raise InputError(f"{name} {shown(values)}: it is {KINDS} whole numbers from 0 to {COPIES}")
    return list(map(int, listed))


def _melds(number: int) -> int:
    if not 0 <= number <= 4:
        raise InputError(f"melds {shown(number)}: a hand has 0 to 4")
    return int(number)
