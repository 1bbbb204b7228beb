"""The danger network: its features, its shape, its forward pass, its weights, and the estimate made of its outputs.

Suits share their weights, and so do honours. A row of features (:mod:`engine.opponents.layout_kernels`) consists of
three blocks for the suits, seven for the honours, and the features of the whole table. Each block is reduced to a few
numbers; their sums and the table's features form a summary; and from its own numbers and the summary each block
predicts for each of its kinds: is it a wait, does it deal in, and for how many points?
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records
from engine.model.rules import Rules
from engine.model.seats import SEATS, others
from engine.model.tiles import KINDS
from engine.networks.weights import NetworkShape
from engine.opponents import feature_kernels as kernels
from engine.opponents import layout_kernels as layout
from engine.opponents.danger import Danger
from engine.opponents.facts import kinds_of
from engine.opponents.layout_kernels import GLOBALS, GLOBALS_AT, HONOUR, HONOURS_AT, SUIT
from engine.opponents.registry import best_estimator
from engine.rules.table_kernels import IS_CHI, IS_CLOSED_KAN, RIICHI, WAS_RIICHI, Table
from engine.rules.tables import new_tables
from engine.state import GameState
from engine.tables import (
    ShippedFile,
    arrays_in,
    numbers,
    packed,
    require_features,
    short_hash,
    widths,
)

Floats = NDArray[np.float32]

OUTPUTS: Final = 3
"""Outputs for each kind: log-odds of a wait, log-odds of a deal-in, logarithm of its points in thousands."""
WAIT, DEAL, VALUE = range(OUTPUTS)


class OpponentRows(NamedTuple):
    """Rows about the three opponents of each viewer, by seat."""

    features: NDArray[np.float32]  # (3n, FEATURES)
    safe: NDArray[np.int64]  # (3n,) bit sets of the kinds that they cannot win on now
    stances: NDArray[np.int64]  # (3n,) ``RIICHI``, ``OPEN`` or ``CLOSED``


def features_of(views: Records[Table]) -> OpponentRows:
    """The inputs of n viewers about their opponents."""
    n = 3 * len(views)
    rows = OpponentRows(np.empty((n, layout.FEATURES), np.float32), *np.empty((2, n), np.int64))
    kernels.fill_opponents(views, *rows)
    return rows


@cache
def features_hash() -> str:
    """Sixteen hex digits over the names of the layout and over the kernel's output for an invented table.

    Equal on every machine; it changes as soon as a number changes its meaning.
    """
    declared = (layout.KIND, layout.OF_SUIT, layout.OF_HONOUR, layout.WHOLE)
    parts = ["\n".join(row.name for columns in declared for row in columns.rows).encode()]
    for number in range(4):
        for row, safe, _ in zip(*features_of(_made_up(number)), strict=True):
            parts += [np.rint(row * 1000).astype("<i4").tobytes(), int(safe).to_bytes(8, "little")]
    return short_hash(*parts)


def _made_up(number: int) -> Records[Table]:
    """An invented view that contains something of everything."""
    random = np.random.Generator(np.random.PCG64(number)).integers
    views = new_tables(Rules())
    view = views[0]
    view.viewer, view.wall, view.indicators = number, int(random(0, 70)), 2
    view.dealer, view.kyoku, view.honba, view.sticks = random(0, (4, 8, 4, 3)).tolist()
    view.scores[:] = 100 * random(50, 500, 4)
    view.riichi[:] = random(0, 3, 4)
    view.ippatsu[:] = random(0, 2, 4)
    view.reds_seen[:], view.own_reds[:] = random(0, 2, 6).reshape(2, 3)
    order = 0
    for _ in range(8 + 4 * number):
        for seat in SEATS:
            at = view.lengths[seat]
            view.river_kinds[seat, at], view.river_flags[seat, at] = random(0, 34), random(0, 2)
            view.river_orders[seat, at] = order
            view.lengths[seat] += 1
            order += 1
    for seat in SEATS:
        view.river_flags[seat, random(0, 8)] |= WAS_RIICHI
        view.melds[seat] = random(0, 4)
        for at in range(view.melds[seat]):
            kind = random(0, 5)
            low = 9 * random(0, 3) + random(0, 7) if kind == IS_CHI else random(0, 34)
            view.meld_kinds[seat, at], view.meld_lows[seat, at] = kind, low
            view.meld_called[seat, at] = -1 if kind == IS_CLOSED_KAN else low
            view.meld_from[seat, at], view.meld_orders[seat, at] = random(0, 4), random(0, order)
            view.meld_reds[seat, at] = random(0, 2)
    view.visible[:] = random(0, 5, 34)
    view.hand[:] = np.minimum(view.visible, random(0, 3, 34))
    view.dora[random(0, 34, 2)] += 1
    return views


@dataclass(frozen=True)
class Shape(NetworkShape):
    """Widths of the layers: two for suits, two for honours, two for the summary."""

    suit: int = 192
    suit_out: int = 128
    honour: int = 48
    honour_out: int = 48
    summary: int = 192
    summary_out: int = 128

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every array of weights, in the order in which they are stored."""
        return {
            "suit_in": (SUIT, self.suit),
            "suit_globals": (GLOBALS, self.suit),
            "suit_bias": (self.suit,),
            "honour_in": (HONOUR, self.honour),
            "honour_globals": (GLOBALS, self.honour),
            "honour_bias": (self.honour,),
            "summary_suits": (self.suit, self.summary),
            "summary_honours": (self.honour, self.summary),
            "summary_globals": (GLOBALS, self.summary),
            "summary_bias": (self.summary,),
            "summary_again": (self.summary, self.summary_out),
            "summary_again_bias": (self.summary_out,),
            "suit_again": (self.suit, self.suit_out),
            "suit_summary": (self.summary_out, self.suit_out),
            "suit_again_bias": (self.suit_out,),
            "honour_again": (self.honour, self.honour_out),
            "honour_summary": (self.summary_out, self.honour_out),
            "honour_again_bias": (self.honour_out,),
            "suit_answer": (self.suit_out, 9 * OUTPUTS),
            "suit_answer_bias": (9 * OUTPUTS,),
            "honour_answer": (self.honour_out, OUTPUTS),
            "honour_answer_bias": (OUTPUTS,),
            "tenpai": (self.summary_out, 1),
            "tenpai_bias": (1,),
        }


class Blocks(NamedTuple):
    """Rows of features in the shapes that the layers take: (3n, SUIT), (7n, HONOUR), (n, GLOBALS)."""

    suits: Floats
    honours: Floats
    globals: Floats


def blocks_of(features: Floats) -> Blocks:
    """Split rows of features, (n, FEATURES), into blocks."""
    n = len(features)
    return Blocks(
        features[:, :HONOURS_AT].reshape(3 * n, SUIT),
        features[:, HONOURS_AT:GLOBALS_AT].reshape(7 * n, HONOUR),
        np.ascontiguousarray(features[:, GLOBALS_AT:]),
    )


class DangerOutputs(NamedTuple):
    """The outputs of the network for n rows."""

    kinds: Floats  # (n, 34, OUTPUTS)
    tenpai: Floats  # (n,) log-odds


def forward(weights: Mapping[str, Floats], blocks: Blocks) -> DangerOutputs:
    """The outputs for n rows."""
    w = weights
    n = len(blocks.globals)
    suit = _rectified(blocks.suits @ w["suit_in"], blocks.globals @ w["suit_globals"] + w["suit_bias"], 3)
    honour = _rectified(blocks.honours @ w["honour_in"], blocks.globals @ w["honour_globals"] + w["honour_bias"], 7)
    summary = suit.reshape(n, 3, -1).sum(axis=1) @ w["summary_suits"]
    summary += honour.reshape(n, 7, -1).sum(axis=1) @ w["summary_honours"]
    summary += blocks.globals @ w["summary_globals"] + w["summary_bias"]
    np.maximum(summary, 0.0, out=summary)
    summary = summary @ w["summary_again"] + w["summary_again_bias"]
    np.maximum(summary, 0.0, out=summary)
    suit = _rectified(suit @ w["suit_again"], summary @ w["suit_summary"] + w["suit_again_bias"], 3)
    honour = _rectified(honour @ w["honour_again"], summary @ w["honour_summary"] + w["honour_again_bias"], 7)
    kinds = np.empty((n, 34, OUTPUTS), np.float32)
    kinds[:, :27] = (suit @ w["suit_answer"] + w["suit_answer_bias"]).reshape(n, 27, OUTPUTS)
    kinds[:, 27:] = (honour @ w["honour_answer"] + w["honour_answer_bias"]).reshape(n, 7, OUTPUTS)
    return DangerOutputs(kinds, (summary @ w["tenpai"])[:, 0] + w["tenpai_bias"])


def chance(log_odds: Floats) -> Floats:
    """Convert log-odds to chances, in a new array."""
    found = np.exp(-np.maximum(log_odds, -60.0))
    found += 1.0
    return np.reciprocal(found, out=found)


def _rectified(parts: Floats, whole: Floats, times: int) -> Floats:
    """ReLU, in place, of ``parts`` plus a term shared by all parts of a row."""
    by_row = parts.reshape(len(whole), times, -1)
    by_row += whole[:, None, :]
    np.maximum(parts, 0.0, out=parts)
    return parts


FILE: Final = ShippedFile("engine.opponents", "danger_net.npz", "oshihiki train danger LOG... --out {}")

DEAL_SLOPE, DEAL_SHIFT, WAIT_SLOPE, WAIT_SHIFT, TENPAI_SLOPE, TENPAI_SHIFT, VALUE_SHIFT = range(7)
"""Columns of the calibration: log-odds are multiplied by the slope and the shift is added; the last shift is added to
the logarithm of the points."""
NEUTRAL: Final = (1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class DangerWeights:
    """A fitted network."""

    shape: Shape  # widths of its layers
    flat: Floats  # all weights in one vector
    calibration: Floats  # (3, 7) float32, one row each for an opponent in riichi, open and closed
    features: str  # hash of the features it was fitted on, see :func:`~engine.opponents.network.features_hash`

    def arrays(self) -> dict[str, Floats]:
        """The weights by name."""
        return self.shape.named(self.flat)

    def digest(self) -> str:
        """A hash of everything that determines the estimates."""
        arrays = (self.shape.widths(), self.flat, self.calibration)
        return short_hash(self.features.encode(), *(np.ascontiguousarray(array).tobytes() for array in arrays))

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        return packed(
            shape=self.shape.widths(),
            flat=self.flat,
            calibration=self.calibration,
            features=np.array(self.features),
        )


def read_weights(data: bytes, name: str) -> DangerWeights:
    """Read weights from a file's contents.

    Raises:
        WeightsError: the file does not contain weights, or they were fitted on other features; ``name`` is quoted.
    """
    with FILE.reading(name):
        kept = arrays_in(data)
        features = str(kept["features"])
        require_features(features, features_hash())
        shape = Shape(*widths(kept["shape"]))
        flat, calibration = (numbers(kept[part], np.float32) for part in ("flat", "calibration"))
        if flat.shape != (shape.size,) or calibration.shape != (3, len(NEUTRAL)):
            raise ValueError(f"it has {flat.size} weights, its layers need {shape.size}")
    return DangerWeights(shape, flat, calibration, features)


@cache
def shipped_weights() -> DangerWeights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_weights`; also if the file is missing.
    """
    return FILE.load(read_weights)


LEAST_VALUE, MOST_VALUE = -0.5, 3.5
"""Bounds of the logarithm of a deal-in's points in thousands: 600 to 33,000 points. Derived from what wins can cost."""


def calibrated(
    outputs: DangerOutputs, safe: NDArray[np.int64], stances: NDArray[np.int64], calibration: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Chances of n rows: (n,) tenpai, (n, 34) wait, (n, 34) deal-in, and (n, 34) points of a deal-in.

    The rules override the network: safe kinds are 0, riichi is tenpai, no deal-in is likelier than its wait, and no
    wait likelier than tenpai.
    """
    by = calibration[stances]
    deals = chance(outputs.kinds[:, :, DEAL] * by[:, DEAL_SLOPE, None] + by[:, DEAL_SHIFT, None])
    deals[kinds_of(safe)] = 0.0
    waits = chance(outputs.kinds[:, :, WAIT] * by[:, WAIT_SLOPE, None] + by[:, WAIT_SHIFT, None])
    np.maximum(waits, deals, out=waits)
    tenpai = chance(outputs.tenpai * by[:, TENPAI_SLOPE] + by[:, TENPAI_SHIFT])
    tenpai[stances == RIICHI] = 1.0
    np.maximum(tenpai, waits.max(axis=1), out=tenpai)
    value = np.maximum(outputs.kinds[:, :, VALUE] + by[:, VALUE_SHIFT, None], LEAST_VALUE)
    np.minimum(value, MOST_VALUE, out=value)
    points = np.exp(value, out=value)
    points *= 1000.0
    return tenpai, waits, deals, points


class ModelEstimator:
    """Our own danger estimate: that of the network for each opponent, with the rules enforced.

    Raises:
        WeightsError: at construction, if the weights are missing or were fitted on other features.
    """

    name = "model"

    def __init__(self) -> None:
        self.weights = shipped_weights()
        self._arrays = self.weights.arrays()
        self.digests = {"danger_net": self.weights.digest()}

    def estimate(self, state: GameState) -> Danger:
        """See :class:`~engine.opponents.danger.DangerEstimator`."""
        seats = list(others(state.seat))
        features, safe, stances = features_of(state.as_table())
        outputs = forward(self._arrays, blocks_of(features))
        tenpai, waits, deals, points = calibrated(outputs, safe, stances, self.weights.calibration)
        p_tenpai = np.zeros(4, np.float32)
        p_wait, p_deal_in, loss = np.zeros((3, 4, KINDS), np.float32)
        p_tenpai[seats], p_wait[seats], p_deal_in[seats] = tenpai, waits, deals
        loss[seats] = points + state.honba * state.rules.honba_points
        return Danger(p_tenpai, p_wait, p_deal_in, loss)


def warm_up() -> None:
    """Estimate once, so that the next estimate is quick."""
    best, _ = best_estimator()
    best.estimate(GameState(0))
