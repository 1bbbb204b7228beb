"""How a game will end: the chance of each final rank, from scores, round, honba and sticks between two hands.

A small network, fitted on the final placements of recorded games (``oshihiki train placement``). It is asked about the
moment before a hand is dealt. Games that are over (someone is below zero, or the last hand has been played) never reach
it: :func:`engine.policy.worth.utility.worth_of` computes their worth from the final scores.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

RANKS: Final = 4
MOST_LEFT: Final = 8
"""Hands to come that are told apart: 0 (all last) to 7, and -1 for any hand of an extension."""
INPUTS: Final = 43
"""Columns of :func:`features`."""
SCALES: Final = (1_500.0, 6_000.0, 18_000.0)
"""Differences of points that count as small, usual and large; each pair of players is seen at all three."""


def features(
    scores: NDArray[np.int64],
    kyoku: NDArray[np.int64],
    honba: NDArray[np.int64],
    sticks: NDArray[np.int64],
    viewer: NDArray[np.int64],
    last_kyoku: NDArray[np.int64],
) -> Floats:
    """What the network sees.

    Args:
        scores: int64[n, 4], points by absolute seat before the hand.
        kyoku: int64[n], 0 = E1 …
        honba: int64[n].
        sticks: int64[n], riichi sticks on the table.
        viewer: int64[n], whose final rank is asked for, absolute seat.
        last_kyoku: int64[n], 3 or 7: the last scheduled hand.

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
        # who is last to deal: the viewer's own dealings to come
        np.maximum(0, (last_kyoku - kyoku - dealer_distance(dealer)) // 4 + 1)[:, None] / 2.0,
        _lead(relative) / 10_000.0,
    ]
    result: Floats = np.concatenate(columns, axis=1, dtype=np.float32)
    return result


def dealer_distance(dealer: NDArray[np.int64]) -> NDArray[np.int64]:
    """Hands until the viewer deals, from where the dealer sits as seen by the viewer."""
    return np.asarray((4 - dealer) % 4)


def _lead(relative: NDArray[np.float64]) -> NDArray[np.float64]:
    """Own points over the best, the middle and the worst of the others."""
    others = np.sort(relative[:, 1:], axis=1)[:, ::-1]
    lead: NDArray[np.float64] = relative[:, :1] - others
    return lead


def _one_hot(values: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    return np.asarray(np.eye(size)[values])


REBUILD: Final = "rebuild it: oshihiki train placement LOG… --out engine/policy/worth/tables/placement.json"


@dataclass(frozen=True, slots=True)
class PlacementModel:
    """Layers of the network.

    Attributes:
        weights: float32[inputs, outputs] of each layer; ReLU between, softmax behind the last.
        biases: float32[outputs] of each layer.
        card: what it was fitted on and how well it does.
        digest: of the file, for records of decisions.
    """

    weights: tuple[Floats, ...]
    biases: tuple[Floats, ...]
    card: dict[str, Any]
    digest: str

    def ranks(self, inputs: Floats) -> Floats:
        """float32[n, 4]: chance to end first, second, third, fourth, for rows of :func:`features`."""
        hidden = inputs
        for weight, bias in zip(self.weights[:-1], self.biases[:-1], strict=True):
            hidden = np.maximum(hidden @ weight + bias, 0.0)
        logits = hidden @ self.weights[-1] + self.biases[-1]
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        result: Floats = chances / chances.sum(axis=1, keepdims=True)
        return result


def read_model(text: str) -> PlacementModel:
    """A model from its file.

    Raises:
        ValueError: it is not one, or its inputs are not those of :func:`features`; says what rebuilds it.
    """
    data = json.loads(text)
    weights = tuple(np.array(layer, np.float32) for layer in data["weights"])
    if data["card"]["features"] != features_hash() or len(weights[0]) != INPUTS:
        raise ValueError(f"the placement table was fitted on other inputs than this version's; {REBUILD}")
    biases = tuple(np.array(layer, np.float32) for layer in data["biases"])
    return PlacementModel(weights, biases, data["card"], hashlib.blake2b(text.encode(), digest_size=8).hexdigest())


def features_hash() -> str:
    """A hash of what :func:`features` gives for a few tables: it changes when the inputs' meaning does."""
    rng = np.random.default_rng(7)
    scores = rng.integers(-50, 600, (8, 4)) * 100
    kyoku, honba, sticks, viewer = (rng.integers(0, top, 8) for top in (8, 4, 4, 4))
    rows = features(scores, kyoku, honba, sticks, viewer, np.array([3, 7] * 4))
    return hashlib.blake2b(np.round(rows, 3).tobytes(), digest_size=8).hexdigest()


@cache
def placement_model() -> PlacementModel:
    """The model that comes with the package.

    Raises:
        ValueError: it is missing or does not fit this version; says what rebuilds it.
    """
    try:
        text = files("engine.policy.worth").joinpath("tables/placement.json").read_text(encoding="utf-8")
    except OSError:
        raise ValueError(f"the placement table is missing; {REBUILD}") from None
    return read_model(text)
