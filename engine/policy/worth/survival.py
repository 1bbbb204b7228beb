"""The chance that no other player ends the hand, go-around by go-around."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.search.discard_tables import discard_tables
from engine.search.position import Position

Course = tuple[float, ...]
"""``[d]``: chance that no other player ends the hand in the go-around with ``d`` own draws left."""

STEEP: Final = (0.4, 2.5)
"""Lowest and highest exponent by which the danger estimate may change the fitted survival of the hand. A guess."""
RIICHI_FIRST: Final = (-0.74, 1.88, -0.102)
"""Logarithm of the exponent for a hand in riichi while nobody else is: constant, factor of the logarithm of a silent
hand's exponent, factor of the own draws left minus 8. Players who were far from a win when riichi was declared mostly
fold, so early riichi last longer. Fitted by maximum likelihood on how 3,063 riichi of training games ended (standard
errors 0.11, 0.19, 0.014)."""
RIICHI_LATER: Final = 0.91
"""The exponent if somebody else is in riichi. Fitted likewise on 580 riichi (0.85 to 0.98); the danger estimate adds
nothing there."""


class Survival(NamedTuple):
    """Chances that no other player ends the hand in a go-around.

    Attributes:
        silent: without an own riichi.
        riichi: with one.
        counted: whether hands in riichi are forecast as recorded ones went.
    """

    silent: Course
    riichi: Course
    counted: bool


def survival(position: Position, lasts: float, *, counted: bool) -> Survival:
    """How long the others let the hand go on.

    The fitted chances are raised to the power with which the wall runs out with the chance ``lasts``; those in riichi,
    if ``counted``, to the power that recorded riichi suggest for it.
    """
    draws = range(position.draws_left + 1)
    silent, riichi = (
        np.array([discard_tables().survival(position, left, riichi) for left in draws]) for riichi in (False, True)
    )
    whole = float(np.log(silent[1:]).sum())
    steep = np.log(max(lasts, 1e-3)) / whole if whole < 0 else 1.0
    steep = float(np.clip(steep, *STEEP))
    in_riichi = _steep_in_riichi(position, steep) if counted else steep
    return Survival(_course(silent, steep), _course(riichi, in_riichi), counted)


def _steep_in_riichi(position: Position, steep: float) -> float:
    if position.riichi_against:
        return RIICHI_LATER
    constant, power, by_draws = RIICHI_FIRST
    return math.exp(constant + power * math.log(steep) + by_draws * (position.draws_left - 8.0))


def _course(fitted: NDArray[np.float64], exponent: float) -> Course:
    return tuple((fitted**exponent).tolist())
