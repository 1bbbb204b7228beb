"""Scores of predicted chances: log loss, AUC, calibration. For danger estimates, and for any other chances."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

BINS: Final = 20
LEAST: Final = 1e-6
"""For the log loss, chances are kept this far from 0 and 1, so that a miss costs 14 nats instead of infinitely many."""


@dataclass(frozen=True)
class Bin:
    """A group of similar chances: how many, their mean, and how often the event happened."""

    n: int
    said: float
    happened: float


@dataclass(frozen=True)
class Scores:
    """Scores of one estimator on one set of rows.

    Attributes:
        n: number of rows.
        events: number of rows where the event happened.
        log_loss: mean, in nats.
        brier: mean squared error.
        auc: chance that a row where the event happened has a higher prediction than one where it did not; NaN without
            both.
        calibration_error: mean distance between prediction and outcome over ``bins``, weighted by rows.
        bins: rows in order of prediction, in groups of about equal size; equal predictions stay together.
    """

    n: int
    events: int
    log_loss: float
    brier: float
    auc: float
    calibration_error: float
    bins: tuple[Bin, ...]

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain values with five digits; a bin is ``[n, said, happened]``."""
        figures = {name: round(value, 5) if isinstance(value, float) else value for name, value in asdict(self).items()}
        return figures | {"bins": [[each.n, round(each.said, 5), round(each.happened, 5)] for each in self.bins]}


def score(chances: NDArray[np.floating[Any]], happened: NDArray[Any], bins: int = BINS) -> Scores:
    """Compare predicted chances, (n,) in 0-1, with outcomes, (n,) 0 or 1."""
    said = np.asarray(chances, np.float64).ravel()
    true = np.asarray(happened, np.float64).ravel()
    if not len(said):
        return Scores(0, 0, float("nan"), float("nan"), float("nan"), float("nan"), ())
    order = np.argsort(said, kind="stable")
    said, true = said[order], true[order]
    held = np.clip(said, LEAST, 1 - LEAST)
    log_loss = -np.where(true > 0, np.log(held), np.log(1 - held)).mean()
    groups = _bins(said, true, bins)
    error = sum(group.n * abs(group.said - group.happened) for group in groups) / len(said)
    return Scores(
        n=len(said),
        events=int(true.sum()),
        log_loss=float(log_loss),
        brier=float(((said - true) ** 2).mean()),
        auc=_auc(said, true),
        calibration_error=float(error),
        bins=groups,
    )


def _auc(said: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """The AUC by rank sums, with ties counted half; ``said`` is ascending."""
    hits = true.sum()
    misses = len(true) - hits
    if not hits or not misses:
        return float("nan")
    _, first, count = np.unique(said, return_index=True, return_counts=True)
    ranks = np.repeat(first + (count + 1) / 2, count)
    return float((ranks[true > 0].sum() - hits * (hits + 1) / 2) / (hits * misses))


def _bins(said: NDArray[np.float64], true: NDArray[np.float64], bins: int) -> tuple[Bin, ...]:
    """Group the rows; ``said`` is ascending."""
    edges = {0, len(said)}
    for cut in range(1, bins):  # each cut falls before the first row of its value
        edges.add(int(np.searchsorted(said, said[cut * len(said) // bins])))
    cuts = sorted(edges)
    return tuple(
        Bin(end - start, float(said[start:end].mean()), float(true[start:end].mean())) for start, end in pairwise(cuts)
    )
