"""Fitting :mod:`engine.policy.value.placement`: final ranks from the tables between hands.

There is one row for every hand and player: the table before the hand, and the player's final rank. A tenth of all games
is held back (:mod:`engine.rules.recordings`) for evaluation; a twentieth of the others decides when to stop.
"""

from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.events import EndGame, Event, StartGame, StartKyoku
from engine.model.seats import SEATS, by_score
from engine.policy.value.placement import (
    INPUTS,
    RANKS,
    Layers,
    features,
    features_hash,
    forward,
    rank_chances,
    softmax,
)
from engine.train.fits import Adam

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]

HIDDEN: Final = (64, 32)
"""Widths of the hidden layers."""
BATCHES: Final = 100
"""Number of steps in a pass over the rows, within the bounds on a step."""
LEAST_BATCH, MOST_BATCH = 128, 4_096
RATE: Final = 2e-3
"""Learning rate of Adam at the start."""
LEAST_RATE: Final = 0.01
"""Learning rate at the end, as a fraction of the rate at the start."""
DECAY: Final = 1e-4
"""Weight decay."""
DIGITS: Final = 5


class Tables(NamedTuple):
    """Tables between hands, one row each."""

    scores: Numbers  # int64[n, 4]
    # kyoku, honba, sticks, last_kyoku: int64[n]
    kyoku: Numbers
    honba: Numbers
    sticks: Numbers
    last_kyoku: Numbers
    ranks: Numbers  # int64[n, 4], final rank by seat, 0 the first
    game: Numbers  # int64[n], number of the game


@dataclass
class Collector:
    """Collects the tables of games."""

    rows: list[tuple[int, ...]] = field(default_factory=list)
    games: int = 0

    def observe(self, events: Iterable[Event]) -> bool:
        """Add one game; returns False if the game has no end."""
        starts: list[StartKyoku] = []
        last = 7
        for event in events:
            if isinstance(event, StartGame):
                last = event.rules.last_kyoku
            elif isinstance(event, StartKyoku):
                starts.append(event)
            elif isinstance(event, EndGame) and starts:
                order = by_score(event.scores)
                ranks = [order.index(seat) for seat in SEATS]
                for start in starts:
                    facts = (start.kyoku, start.honba, start.riichi_sticks, last)
                    self.rows.append((self.games, *facts, *start.scores, *ranks))
                self.games += 1
                return True
        return False

    def tables(self) -> Tables:
        """The collected tables."""
        rows = np.array(self.rows, np.int64).reshape(-1, 13)
        kyoku, honba, sticks, last = rows[:, 1:5].T
        return Tables(rows[:, 5:9], kyoku, honba, sticks, last, rows[:, 9:13], rows[:, 0])


def inputs_of(tables: Tables) -> tuple[Floats, Numbers]:
    """(rows of features, final rank), four for each table, one for each player."""
    parts = []
    ranks = []
    for seat in SEATS:
        viewer = np.full(len(tables.kyoku), seat)
        parts.append(features(tables.scores, tables.kyoku, tables.honba, tables.sticks, viewer, tables.last_kyoku))
        ranks.append(tables.ranks[:, seat])
    return np.concatenate(parts), np.concatenate(ranks)


def fit(
    inputs: Floats,
    ranks: Numbers,
    check_inputs: Floats,
    check_ranks: Numbers,
    epochs: int = 40,
    seed: int = 1,
    progress: Callable[[int, float, float], None] | None = None,
) -> Layers:
    """Fit the layers, and return those with the lowest loss on the check rows.

    Args:
        inputs: float32[n, INPUTS].
        ranks: int64[n].
        check_inputs: rows that decide when to stop.
        check_ranks: their ranks.
        epochs: number of passes over the rows.
        seed: seed of the initial weights and the order.
        progress: called with (epoch, log loss of the last pass, log loss of the check rows).
    """
    rng = np.random.default_rng(seed)
    sizes = (INPUTS, *HIDDEN, RANKS)
    layers: Layers = []
    for wide, narrow in pairwise(sizes):
        weight = rng.normal(0.0, np.sqrt(2.0 / wide), (wide, narrow)).astype(np.float32)
        layers.append((weight, np.zeros(narrow, np.float32)))
    optimisers = [
        Adam(part, RATE, warm=1, least=LEAST_RATE, decay=decay)
        for layer in layers
        for part, decay in zip(layer, (DECAY, 0.0), strict=True)
    ]
    size = min(max(len(inputs) // BATCHES, LEAST_BATCH), MOST_BATCH)
    steps = epochs * -(-len(inputs) // size)
    number = 0
    best = (np.inf, deepcopy(layers))
    for epoch in range(epochs):
        total = 0.0
        for rows in _batches(rng, len(inputs), size):
            number += 1
            loss, gradients = _gradients(layers, inputs[rows], ranks[rows])
            total += loss * len(rows)
            for optimiser, gradient in zip(optimisers, chain.from_iterable(gradients), strict=True):
                optimiser.step(gradient, number / steps)
        judged = log_loss(rank_chances(layers, check_inputs), check_ranks)
        if judged < best[0]:
            best = (judged, deepcopy(layers))
        if progress is not None:
            progress(epoch + 1, total / len(inputs), judged)
    return best[1]


def _batches(rng: np.random.Generator, count: int, size: int) -> Iterator[Numbers]:
    order = rng.permutation(count)
    for start in range(0, count, size):
        yield order[start : start + size]


def _gradients(layers: Layers, inputs: Floats, ranks: Numbers) -> tuple[float, Layers]:
    values = forward(layers, inputs)
    slope = softmax(values[-1])
    loss = log_loss(slope, ranks)
    slope[np.arange(len(ranks)), ranks] -= 1.0
    slope /= np.float32(len(ranks))
    found: Layers = []
    for at in range(len(layers) - 1, -1, -1):
        found.append((values[at].T @ slope, slope.sum(axis=0)))
        if at:
            slope = (slope @ layers[at][0].T) * (values[at] > 0)
    return loss, found[::-1]


def log_loss(chances: Floats, ranks: Numbers) -> float:
    """Mean negative logarithm of the chance given to the outcome."""
    return float(-np.log(np.maximum(chances[np.arange(len(ranks)), ranks], 1e-9)).mean())


def calibration_error(chances: Floats, ranks: Numbers, bins: int = 15) -> float:
    """Expected calibration error over all four ranks, 0-1, with equal numbers of rows in each bin."""
    given = chances.ravel()
    was = (np.arange(RANKS) == ranks[:, None]).ravel()
    parts = np.array_split(np.argsort(given, kind="stable"), bins)
    return float(sum(abs(given[part].mean() - was[part].mean()) * len(part) for part in parts) / len(given))


def baseline(train: Tables, tables: Tables) -> Floats:
    """The naive prediction: how often a player in n-th place, with that many hands to go, ended in each rank.

    Rows are ordered as by :func:`inputs_of`.
    """
    counts = np.ones((2, 9, 4, RANKS))
    for seat in SEATS:
        np.add.at(counts, (*_standing(train, seat), train.ranks[:, seat]), 1.0)
    shares = counts / counts.sum(axis=-1, keepdims=True)
    result: Floats = np.concatenate([shares[_standing(tables, seat)] for seat in SEATS]).astype(np.float32)
    return result


def _standing(tables: Tables, seat: int) -> tuple[Numbers, Numbers, Numbers]:
    mine = tables.scores[:, [seat]]
    earlier = np.arange(4) < seat
    ahead = ((tables.scores > mine) | ((tables.scores == mine) & earlier)).sum(axis=1)
    left = np.clip(tables.last_kyoku - tables.kyoku, -1, 7) + 1
    return (tables.last_kyoku == 7).astype(np.int64), left, ahead


def select(tables: Tables, rows: NDArray[np.bool_]) -> Tables:
    """The selected rows."""
    return Tables(*(column[rows] for column in tables))


def document(layers: Layers, card: dict[str, Any]) -> dict[str, Any]:
    """The content of the file."""
    return {
        "card": {**card, "features": features_hash()},
        "weights": [np.round(weight, DIGITS).tolist() for weight, _ in layers],
        "biases": [np.round(bias, DIGITS).tolist() for _, bias in layers],
    }
