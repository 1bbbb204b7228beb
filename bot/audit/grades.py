"""The grades of answers: what a difference cost, in words that everybody knows.

The bounds between them come from recorded games (:mod:`bot.audit.reference`): phoenix players make a mistake or worse
in about one of twenty judged decisions, and a blunder in about one of a hundred.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from bot.audit.reference import reference
from bot.audit.units import POINTS

NOISE: Final = 30.0
"""The noise in points of the judge by which the bounds were counted. Values in other units have no such count: their
bounds are as many times their own noise."""


class Grade(StrEnum):
    """How good an answer was, best first."""

    BEST = "best"
    """The policy's own choice."""
    EQUAL = "equal"
    """Worth as much within the noise."""
    INACCURACY = "inaccuracy"
    """Worth less, by less than a mistake."""
    MISTAKE = "mistake"
    BLUNDER = "blunder"


COSTLY: Final = (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)
"""The grades of differences, worst first."""


def bounds(unit: str, noise: float) -> dict[Grade, float]:
    """The least loss of a mistake and of a blunder.

    Args:
        unit: unit of the loss.
        noise: of the decision, in that unit.
    """
    scale = 1.0 if unit == POINTS else noise / NOISE
    found = reference().bounds
    return {grade: scale * found[grade.value] for grade in (Grade.MISTAKE, Grade.BLUNDER)}


def grade_of(loss: float, unit: str, noise: float) -> Grade:
    """The grade of a difference that cost ``loss``."""
    least = bounds(unit, noise)
    if loss >= least[Grade.BLUNDER]:
        return Grade.BLUNDER
    return Grade.MISTAKE if loss >= least[Grade.MISTAKE] else Grade.INACCURACY
