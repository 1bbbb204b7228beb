"""Chance of each final rank, from scores, round, honba and riichi sticks between two hands.

A small network, fitted on the final placements of recorded games (``oshihiki train placement``), is evaluated for the
moment before a hand is dealt. Games that are over (someone is below zero, or the last hand has been played) never reach
it: :func:`engine.worth.currency.worth_of` computes their worth from the final scores.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.tables import ShippedFile, numbers, require_features, short_hash

Floats = NDArray[np.float32]
Layers = list[tuple[Floats, Floats]]
"""For each layer float32[inputs, outputs], the weights, and float32[outputs], the biases."""

RANKS: Final = 4
"""Number of final ranks."""
MOST_LEFT: Final = 8
"""Number of distinct values of the hands to come: 0 (all last) to 7; any hand of an extension is -1."""
INPUTS: Final = 43
"""Number of columns of :func:`features`."""
SCALES: Final = (1_500.0, 6_000.0, 18_000.0)
"""Differences of points that count as small, usual and large: the network sees each difference at all three scales. A
guess, but the weights are fitted to it."""


def features(
    scores: NDArray[np.int64],
    kyoku: NDArray[np.int64],
    honba: NDArray[np.int64],
    sticks: NDArray[np.int64],
    viewer: NDArray[np.int64],
    last_kyoku: NDArray[np.int64],
) -> Floats:
    """The inputs of the network.

    Args:
        scores: int64[n, 4], points by absolute seat before the hand.
        kyoku: int64[n], number of the hand, 0 = E1.
        honba: int64[n], number of honba.
        sticks: int64[n], riichi sticks on the table.
        viewer: int64[n], absolute seat whose final rank is predicted.
        last_kyoku: int64[n], the last scheduled hand, 3 or 7.

    Returns:
        float32[n, INPUTS].
    """
    count = len(kyoku)
    rows = np.arange(count)
    seats = (viewer[:, None] + np.arange(4)) % 4
    relative = scores[rows[:, None], seats].astype(np.float64)
    behind = relative[:, :1] - relative[:, 1:]
    left = np.clip(last_kyoku - kyoku, -1, MOST_LEFT - 1)
    spread = np.sqrt(np.maximum(left, 0) + 0.8)[:, None]
    dealer = (kyoku - viewer) % 4
    columns = [
        (relative - 25_000.0) / 10_000.0,
        *(np.tanh(behind / scale) for scale in SCALES),
        np.tanh(behind / (8_000.0 * spread)),
        (relative.max(axis=1, keepdims=True) - 30_000.0) / 10_000.0,
        _one_hot(dealer, 4),
        _one_hot(left + 1, MOST_LEFT + 1),
        (last_kyoku == 7)[:, None],
        np.minimum(honba, 5)[:, None] / 3.0,
        np.minimum(sticks, 5)[:, None] / 3.0,
        _one_hot(viewer, 4),
        # a hand that an extension can follow
        ((left <= 0) & (relative.max(axis=1) < 30_000))[:, None],
        (relative.min(axis=1, keepdims=True) / 10_000.0),
        # how often the viewer will still be the dealer
        np.maximum(0, (last_kyoku - kyoku - dealer_distance(dealer)) // 4 + 1)[:, None] / 2.0,
        _lead(relative) / 10_000.0,
    ]
    result: Floats = np.concatenate(columns, axis=1, dtype=np.float32)
    return result


def dealer_distance(dealer: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number of hands until the viewer deals; ``dealer`` is the dealer's seat relative to the viewer."""
    return np.asarray((4 - dealer) % 4)


def _lead(relative: NDArray[np.float64]) -> NDArray[np.float64]:
    """Own points relative to the best, the middle and the worst of the others."""
    others = np.sort(relative[:, 1:], axis=1)[:, ::-1]
    lead: NDArray[np.float64] = relative[:, :1] - others
    return lead


def _one_hot(values: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    return np.asarray(np.eye(size)[values])


FILE: Final = ShippedFile("engine.worth", "placement.json", "oshihiki train placement LOG… --out {}")


@dataclass(frozen=True, slots=True)
class PlacementModel:
    """A fitted network.

    Attributes:
        layers: weights and biases, see :func:`rank_chances`.
        card: what it was fitted on, and its scores.
        digest: hash of the file, for records of decisions.
    """

    layers: Layers
    card: dict[str, Any]
    digest: str

    def ranks(self, inputs: Floats) -> Floats:
        """float32[n, 4]: chance of each final rank for rows of :func:`features`."""
        return rank_chances(self.layers, inputs)


def forward(layers: Layers, inputs: Floats) -> list[Floats]:
    """The inputs and the output of every layer: ReLU after each but the last, whose outputs are logits."""
    values = [inputs]
    for at, (weight, bias) in enumerate(layers):
        value = values[-1] @ weight + bias
        values.append(np.maximum(value, 0.0) if at < len(layers) - 1 else value)
    return values


def softmax(logits: Floats) -> Floats:
    """Chances from logits, row by row."""
    chances = np.exp(logits - logits.max(axis=1, keepdims=True))
    result: Floats = chances / chances.sum(axis=1, keepdims=True)
    return result


def rank_chances(layers: Layers, inputs: Floats) -> Floats:
    """float32[n, 4]: chance of each final rank."""
    return softmax(forward(layers, inputs)[-1])


def read_model(data: bytes, name: str = FILE.path) -> PlacementModel:
    """The model in the contents of its file, which a message calls ``name``.

    Raises:
        WeightsError: it is damaged, was fitted on features other than :func:`features`, or has another shape.
    """
    with FILE.reading(name):
        fields = json.loads(data)
        require_features(fields["card"]["features"], features_hash())
        pairs = zip(fields["weights"], fields["biases"], strict=True)
        layers = [(numbers(weight, np.float32), numbers(bias, np.float32)) for weight, bias in pairs]
        if rank_chances(layers, np.zeros((1, INPUTS), np.float32)).shape != (1, RANKS):
            raise ValueError("it has another shape")
        return PlacementModel(layers, fields["card"], short_hash(data))


def features_hash() -> str:
    """A hash of :func:`features` for a few situations: it changes when the meaning of the inputs does."""
    rng = np.random.default_rng(7)
    scores = rng.integers(-50, 600, (8, 4)) * 100
    kyoku, honba, sticks, viewer = (rng.integers(0, top, 8) for top in (8, 4, 4, 4))
    rows = features(scores, kyoku, honba, sticks, viewer, np.array([3, 7] * 4))
    return short_hash(np.round(rows, 3).tobytes())


@cache
def placement_model() -> PlacementModel:
    """The model in the package.

    Raises:
        WeightsError: it is missing, damaged or does not fit this version.
    """
    return FILE.load(read_model)
