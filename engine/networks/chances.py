"""The network that states the chances of the tiles to come, and the weights that are shipped.

For each kind of tile it states, turn by turn, the chance that each of the others discards it and that the viewer draws
it, *given that neither has happened since now* and that the hand is still going on. Such conditional chances multiply:
a hand that waits for the kind is not won in the next turns with the product of what they leave. Both the chance that
honours are kept in pairs and that a tile is never let go are in how they fall from turn to turn. And it states, for
each go-around that is reached, the chance that another player ends the hand, then that the viewer deals in, and then
that it gives the hand up.

It sees what the imitating network sees (:mod:`engine.networks.imitation_layout_kernels`), without a question, and how
the viewer goes on: as it stands, with a riichi declared now, or with a call, and with which tile.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.networks.chances_layout_kernels import (
    ACTORS,
    CALLS,
    DECLARES,
    ENDS,
    KINDS,
    NOW,
    NOW_DISCARDED,
    TURNS,
    WHOLE,
)
from engine.networks.imitation import inputs_hash as imitation_hash
from engine.networks.imitation_layout_kernels import ACCEPTED, G_SHANTEN, UNSEEN
from engine.networks.trunk import Floats, Scales, Trunk, TrunkShape
from engine.networks.weights import NetworkWeights
from engine.tables import ShippedFile, short_hash

KNOTS: Final = (0.0, 1.0, 3.0, 6.0, 11.0)
"""Turns at which the network states logarithms of odds; between them they are interpolated."""
SCALES: Final = Scales(KINDS, WHOLE)


def with_choice(
    planes: NDArray[np.uint8],
    numbers: NDArray[np.uint8],
    how: NDArray[np.integer],
    tile34: NDArray[np.integer],
    before: NDArray[np.integer],
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The inputs: what a seat sees, and how it goes on.

    Args:
        planes: (n, 34, planes) of the imitating network.
        numbers: (n, numbers) of it.
        how: (n,) PLAIN, DECLARES or CALLS.
        tile34: (n,) the kind that is discarded now, or called; -1 if it is not said.
        before: (n,) how many of the others discard before the viewer's next draw.
    """
    now = np.zeros((len(planes), 34, 3), np.uint8)
    said = np.flatnonzero(tile34 >= 0)
    now[said, tile34[said], (how[said] == CALLS).astype(np.intp)] = 1
    now[:, :, 2] = planes[:, :, ACCEPTED] * numbers[:, G_SHANTEN, None]
    more = np.stack([how == DECLARES, how == CALLS, before], axis=1).astype(np.uint8)
    return np.concatenate([planes, now], axis=2), np.concatenate([numbers, more], axis=1)


def turn_weights() -> Floats:
    """(KNOTS, TURNS) weight of each knot at each turn, by linear interpolation."""
    turns = np.arange(TURNS)
    return np.stack([np.interp(turns, KNOTS, unit) for unit in np.eye(len(KNOTS))]).astype(np.float32)


def shares_of(planes: NDArray[np.uint8]) -> Floats:
    """(n, 34) logarithm of the odds that an unseen tile is of the kind; far below zero where none is left."""
    unseen = planes[:, :, UNSEEN].astype(np.float32)
    share = unseen / np.maximum(unseen.sum(axis=1, keepdims=True), 1.0)
    found: Floats = np.log(np.maximum(share, 1e-6) / np.maximum(1.0 - share, 1e-6))
    return found


@cache
def inputs_hash() -> str:
    """Hash of the meaning of inputs and outputs; weights fitted on others are refused."""
    own = KINDS.meanings[NOW_DISCARDED:], WHOLE.meanings[NOW:], KNOTS, "ends"
    return short_hash(f"{imitation_hash()} {own}".encode())


@dataclass(frozen=True)
class ChanceShape(TrunkShape):
    """Widths of the network."""

    channels: int = 48
    blocks: int = 5
    summary: int = 24

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The trunk's, then those of the outputs."""
        outputs = ACTORS * len(KNOTS)
        return self.of_trunk(len(KINDS), len(WHOLE)) | {
            "whole": (outputs, self.summary),
            "kind": (outputs, self.channels),
            "kind_bias": (outputs,),
            "ends": (ENDS * len(KNOTS), self.summary),
            "ends_bias": (ENDS * len(KNOTS),),
        }


class Chances(Trunk):
    """Fitted weights, arranged for the forward pass; see the module."""

    scales = SCALES
    _turns = turn_weights()

    def chances(self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        """The chances of the kinds, (n, ACTORS, TURNS, 34), and of the ends of the hand, (n, ENDS, TURNS).

        Of each kind in each turn of each actor, if it has not come since now; for each go-around that is reached, that
        another player ends the hand, and if not, that the viewer deals in, and if not, that it gives the hand up.

        Args:
            planes: (n, 34, planes), with :func:`with_choice`.
            numbers: (n, numbers).
        """
        found = np.empty((len(planes), ACTORS, TURNS, 34), np.float32)
        ends = np.empty((len(planes), ENDS, TURNS), np.float32)
        for at in range(0, len(planes), self.at_once):
            some = slice(at, at + self.at_once)
            found[some], ends[some] = self._chances(planes[some], numbers[some])
        return found, ends

    def _chances(self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8]) -> tuple[Floats, Floats]:
        rows = self.rows(planes, numbers)
        summary = self.summary(rows)
        knots = self.at_kinds(rows, "kind") + self._w["kind_bias"] + (summary @ self._w["whole"])[:, None]
        odds = knots.reshape(len(planes), 34, ACTORS, len(KNOTS)) @ self._turns
        odds += shares_of(planes)[:, :, None, None]
        found = _chance(odds).transpose(0, 2, 3, 1)
        found *= planes[:, None, None, :, UNSEEN] > 0
        ends = (summary @ self._w["ends"] + self._w["ends_bias"]).reshape(-1, ENDS, len(KNOTS))
        return found, _chance(ends @ self._turns)


def _chance(odds: NDArray[np.floating]) -> Floats:
    found: Floats = np.float32(1.0) / (np.float32(1.0) + np.exp(-odds))
    return found


FILE: Final = ShippedFile("engine.networks", "chances.npz", "oshihiki train chances LOG... --out {}")


@dataclass(frozen=True)
class ChanceWeights(NetworkWeights[ChanceShape]):
    """A fitted network."""

    FILE = FILE
    SHAPE = ChanceShape
    inputs_now = staticmethod(inputs_hash)

    def network(self) -> Chances:
        """The network with these weights."""
        return Chances(self.shape, self.arrays())


@cache
def shipped_chance_weights() -> ChanceWeights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :meth:`ChanceWeights.read`; also when the file is missing.
    """
    return FILE.load(ChanceWeights.read)


@cache
def shipped_chances() -> Chances:
    """The network with :func:`shipped_chance_weights`."""
    return shipped_chance_weights().network()
