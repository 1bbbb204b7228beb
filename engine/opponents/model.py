"""Our own danger estimate: a small network, fitted and calibrated on recorded games."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.seats import others
from engine.model.tiles import KINDS
from engine.opponents.danger import Danger, DangerEstimator
from engine.opponents.network import (
    DEAL,
    DEAL_SHIFT,
    DEAL_SLOPE,
    TENPAI_SHIFT,
    TENPAI_SLOPE,
    VALUE,
    VALUE_SHIFT,
    WAIT,
    WAIT_SHIFT,
    WAIT_SLOPE,
    Floats,
    Layers,
    Weights,
    blocks_of,
    chance,
    features_of,
    forward,
    shipped_weights,
)
from engine.opponents.registry import make_estimator
from engine.rules.table_kernels import RIICHI
from engine.state import GameState
from engine.tables import WeightsError

LEAST_VALUE, MOST_VALUE = -0.5, 3.5
"""Bounds of the logarithm of a deal-in's points in thousands: 600 to 33,000 points. Derived from what wins can cost."""
_KIND_BITS: Final = np.arange(KINDS, dtype=np.int64)


class ModelEstimator:
    """The network's calibrated estimate for each opponent, with the rules enforced.

    Raises:
        WeightsError: at construction, if the weights are missing or were fitted on other features.
    """

    name = "model"

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights or shipped_weights()
        self._arrays = self.weights.arrays()
        self.digests = {"danger_net": self.weights.digest()}

    def estimate(self, state: GameState) -> Danger:
        """See :class:`~engine.opponents.danger.DangerEstimator`."""
        seats = list(others(state.seat))
        features, safe, stances = features_of(state.as_table())
        layers = forward(self._arrays, blocks_of(features))
        tenpai, waits, deals, points = calibrated(layers, safe, stances, self.weights.calibration)
        p_tenpai = np.zeros(4, np.float32)
        p_wait, p_deal_in, loss = np.zeros((3, 4, KINDS), np.float32)
        p_tenpai[seats], p_wait[seats], p_deal_in[seats] = tenpai, waits, deals
        loss[seats] = points + state.honba * state.rules.honba_points
        return Danger(p_tenpai, p_wait, p_deal_in, loss)


def calibrated(
    layers: Layers, safe: NDArray[np.int64], stances: NDArray[np.int64], calibration: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Chances of n rows: (n,) tenpai, (n, 34) wait, (n, 34) deal-in, and (n, 34) points of a deal-in.

    The rules override the network: safe kinds are 0, riichi is tenpai, no deal-in is likelier than its wait, and no
    wait likelier than tenpai.
    """
    by = calibration[stances]
    deals = chance(layers.kinds[:, :, DEAL] * by[:, DEAL_SLOPE, None] + by[:, DEAL_SHIFT, None])
    deals[(safe[:, None] >> _KIND_BITS & 1).astype(bool)] = 0.0
    waits = chance(layers.kinds[:, :, WAIT] * by[:, WAIT_SLOPE, None] + by[:, WAIT_SHIFT, None])
    np.maximum(waits, deals, out=waits)
    tenpai = chance(layers.tenpai * by[:, TENPAI_SLOPE] + by[:, TENPAI_SHIFT])
    tenpai[stances == RIICHI] = 1.0
    np.maximum(tenpai, waits.max(axis=1), out=tenpai)
    value = np.maximum(layers.kinds[:, :, VALUE] + by[:, VALUE_SHIFT, None], LEAST_VALUE)
    np.minimum(value, MOST_VALUE, out=value)
    points = np.exp(value, out=value)
    points *= 1000.0
    return tenpai, waits, deals, points


def best_estimator(name: str = "model") -> tuple[DangerEstimator, str | None]:
    """The estimator of that name, or the suji table with a warning for the user.

    Raises:
        ValueError: no estimator has that name.
    """
    try:
        return make_estimator(name), None
    except WeightsError as error:
        return make_estimator("suji"), f"playing with the plain danger table: {error}"


def warm_up() -> None:
    """Estimate once, so that the next estimate is quick."""
    best, _ = best_estimator()
    best.estimate(GameState(0))
