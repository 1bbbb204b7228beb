"""The networks of the ``waits`` estimator: the paper's condition (b), with one network for kinds that are alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.events import Discard, Event
from engine.model.tiles import HONOURS, KINDS
from engine.opponents.facts import STANCES
from engine.papers.waits.estimator import CURVES, NET_OF, NETS, WaitNets
from engine.papers.waits.net_kernels import Net
from engine.papers.waits.rivers import PAIRS, brought_first, pair_bits, renamed_codes, river_codes
from engine.papers.waits.training import (
    NUMBER_SAMPLES,
    SparseRows,
    WaitSamples,
    grouped_samples,
    sparse_rows,
    train_net,
    with_rivers,
)
from engine.train.recordings import Split
from engine.train.truth import OPPONENTS, discards_of, kinds_of

EPOCHS: Final = 1
"""Number of epochs. The paper trains for 50, but from the second on the log loss of other games rises: the networks
have then memorised their samples, and their scores mean less and less."""
RARE: Final = 640
"""Ordered pairs seen in fewer than one in this many rivers, with suits exchanged, are left out."""


def common_pairs(samples: WaitSamples) -> NDArray[np.int64]:
    """(5476,) row of each ordered pair that is not rare; -1 for the others."""
    seen = np.zeros(PAIRS, np.int64)
    renames = [renamed_codes(brought_first(kind)) for kind in (0, 9, 18)]
    fit = samples.chosen((Split.TRAIN,))
    for i in fit:
        for codes in renames:
            seen[pair_bits(codes[samples.codes[i]])] += 1
    common = (seen > 0) & (RARE * seen >= len(renames) * len(fit))
    return np.where(common, np.cumsum(common) - 1, -1)


def fit_net(samples: WaitSamples, which: int, rows_of: NDArray[np.int64], seed: int, epochs: int = EPOCHS) -> Net:
    """Train one shared network on the games of the training split."""
    rng = np.random.default_rng([seed, which])
    kinds = np.flatnonzero(which == NET_OF).tolist()
    rivers, labels = grouped_samples(samples, samples.chosen((Split.TRAIN,)), kinds, NUMBER_SAMPLES, rng)
    rows = only_common(sparse_rows(rivers, pairs=True), rows_of)
    return train_net(rows, labels, int(rows_of.max()) + 1, epochs, rng, lazy=True)


def only_common(rows: SparseRows, rows_of: NDArray[np.int64]) -> SparseRows:
    """The inputs without rare pairs, renumbered."""
    bits = rows_of[rows.bits]
    kept = np.concatenate([[0], np.cumsum(bits >= 0)])
    return SparseRows(kept[rows.starts], bits[bits >= 0])


class Curves(NamedTuple):
    """Logistic curves that turn a score into a chance, ``CURVES`` each."""

    slope: NDArray[np.float64]
    offset: NDArray[np.float64]


class CurveSamples:
    """Scores and truth for tenpai opponents in games of the validation split."""

    def __init__(self, nets: WaitNets) -> None:
        self._nets = nets
        self._logits: dict[tuple[int, int], list[NDArray[np.float32]]] = {}
        self._truth: dict[tuple[int, int], list[NDArray[np.bool_]]] = {}

    def observe(self, events: Sequence[Event]) -> None:
        """Add a game: every tenpai opponent at every discard, without genbutsu."""
        moments, rows = discards_of(events)
        rivers = (rivers for event, rivers in with_rivers(events) if isinstance(event, Discard))
        for at, by_seat in enumerate(rivers):
            red_fives = bool(moments["red_fives"][at])
            some = rows[OPPONENTS * at : OPPONENTS * (at + 1)]
            some = some[some["waits"] != 0]
            each = zip(some, kinds_of(some["safe"]), kinds_of(some["waits"]), strict=True)
            for row, safe, truth in each:
                logits = self._nets.logits(river_codes(by_seat[row["seat"]], red_fives))
                for group, part in enumerate((_NUMBERS & ~safe, ~_NUMBERS & ~safe)):
                    key = int(row["stance"]), group
                    self._logits.setdefault(key, []).append(logits[part])
                    self._truth.setdefault(key, []).append(truth[part])

    def curves(self) -> Curves:
        """Fit all curves."""
        slope, offset = np.ones(CURVES), np.zeros(CURVES)
        for key in self._logits:
            slope[key], offset[key] = logistic(np.concatenate(self._logits[key]), np.concatenate(self._truth[key]))
        return Curves(slope, offset)

    def rows(self) -> dict[str, int]:
        """Number of rows of each stance."""
        return {
            name: sum(len(part) for group in range(2) for part in self._truth.get((stance, group), ()))
            for stance, name in enumerate(STANCES)
        }


_NUMBERS: Final = np.arange(KINDS) < HONOURS


def logistic(scores: NDArray[Any], truth: NDArray[np.bool_], steps: int = 50) -> tuple[float, float]:
    """Slope and offset of the curve with the least log loss, by Newton's method with a weak prior."""
    x = np.stack([np.asarray(scores, np.float64), np.ones(len(scores))])
    weights = np.zeros(2)
    prior = 1e-3
    for _ in range(steps):
        p = 1 / (1 + np.exp(-weights @ x))
        gradient = x @ (p - truth) + prior * weights
        curvature = (x * (p * (1 - p))) @ x.T + prior * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        weights -= step
        if np.abs(step).max() < 1e-9:
            break
    return float(weights[0]), float(weights[1])


def stacked(nets: Sequence[Net]) -> Net:
    """The networks as one, with the network as first axis."""
    if len(nets) != NETS:
        raise ValueError(f"{len(nets)} networks instead of {NETS}")
    return Net(*(np.stack(parts) for parts in zip(*nets, strict=True)))
