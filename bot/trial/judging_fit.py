"""What the results of judged decisions say about the values stated for them and about strong players' choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from bot.trial.judging import Judged

LEAST: Final = 20
"""Fewest decisions for a fit."""
OWN_SPREAD: Final = 500.0
"""Spread of the results of different decisions that walls do not explain, in points; decisions weigh by both."""


@dataclass(frozen=True, slots=True)
class Fit:
    """``result = stated * difference of values + prior * difference of log chances``, each with its standard error.

    Attributes:
        stated: points of result for a stated point; 1 if the values are right.
        prior: points of result for a unit of the logarithm of the chance that strong players choose an answer; 0 if
            the values leave nothing to be learned from them.
    """

    stated: tuple[float, float]
    prior: tuple[float, float]


def fitted(judged: Sequence[Judged]) -> Fit | None:
    """The weights of values and of strong players' choices in the results; None for too few decisions.

    Weighted least squares, with errors that allow for unequal spreads (White, 1980).
    """
    if len(judged) < LEAST:
        return None
    weights = np.array([one.spread**2 + OWN_SPREAD**2 for one in judged]) ** -0.5
    causes = np.array([(one.stated, one.prior) for one in judged]) * weights[:, None]
    results = np.array([one.came for one in judged]) * weights
    coefficients, _, rank, _ = np.linalg.lstsq(causes, results)
    if rank < causes.shape[1]:
        return None
    inverse = np.linalg.inv(causes.T @ causes)
    scattered = causes * (results - causes @ coefficients)[:, None]
    errors = np.sqrt(np.diag(inverse @ (scattered.T @ scattered) @ inverse))
    (stated, prior), (stated_error, prior_error) = coefficients.tolist(), errors.tolist()
    return Fit((stated, stated_error), (prior, prior_error))
