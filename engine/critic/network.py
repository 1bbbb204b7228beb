"""The critic: what it sees, how a hand ends for every tile that may be drawn next, and the weights that are shipped.

On the trunk of :mod:`engine.networks.trunk`, outputs are read from the whole table and at every kind. Their sum says,
for that kind drawn: how likely each end of :mod:`engine.critic.outcomes` is, and how much each player would win;
players are counted from the one that draws. What the ends are worth makes values of it. The mean of the values over
the tiles left in the wall is the value before the draw.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.critic import layout_kernels as layout
from engine.critic.input_kernels import fill_critic_inputs
from engine.critic.outcomes import ENDS, GAINS, NO_WIN, WORTHS, WorthTables, between_gains
from engine.model.rules import Rules
from engine.networks.trunk import Floats, Scales, Trunk, TrunkShape
from engine.networks.weights import NetworkWeights
from engine.shanten.tables import hand_tables
from engine.tables import ShippedFile, short_hash

PLANES: Final = layout.KINDS.meanings
"""The numbers for each kind, and what each is divided by."""
NUMBERS: Final = layout.WHOLE.meanings
"""The numbers for the whole table, and what each is divided by."""
SCALES: Final = Scales(layout.KINDS, layout.WHOLE)
UNIT: Final = 8_000.0
"""Points that an output of one stands for, beside :data:`USUAL`."""
USUAL: Final = 6_000.0
OUTPUTS: Final = ENDS + 4
_PER_POINTS: Final = 200
"""Unit of the points among the inputs."""


class CriticInputs(NamedTuple):
    """The critic's inputs for n tables."""

    planes: NDArray[np.uint8]  # (n, 34, PLANES)
    numbers: NDArray[np.uint8]  # (n, GLOBALS)
    seats: NDArray[np.int64]  # (n,), the seat that draws next; the critic counts seats from it

    def where(self, rows: NDArray[np.int64] | slice) -> "CriticInputs":
        """Some of them."""
        return CriticInputs(self.planes[rows], self.numbers[rows], self.seats[rows])


def inputs_of(moments: NDArray[Any]) -> CriticInputs:
    """The inputs of tables with all hands open, records of :class:`engine.rules.moment_kernels.Moment`."""
    n = len(moments)
    found = CriticInputs(
        np.empty((n, 34, layout.PLANES), np.uint8), np.empty((n, layout.GLOBALS), np.uint8), np.empty(n, np.int64)
    )
    records: Any = moments
    fill_critic_inputs(records, hand_tables(), *found)
    return found


@cache
def inputs_hash() -> str:
    """Hash of the meaning of the inputs; weights fitted on others are refused."""
    return short_hash(repr((PLANES, NUMBERS)).encode())


@dataclass(frozen=True)
class CriticShape(TrunkShape):
    """Widths of the network."""

    channels: int = 48
    blocks: int = 5
    summary: int = 64

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The trunk's, then those of the outputs."""
        return self.of_trunk(layout.PLANES, layout.GLOBALS) | {
            "whole": (OUTPUTS, self.summary),
            "whole_bias": (OUTPUTS,),
            "kind": (OUTPUTS, self.channels),
        }


class Forecast(NamedTuple):
    """How hands will end after each kind was drawn; seats are counted from the one that draws."""

    ends: Floats  # (n, 34, ENDS), chances
    gains: Floats  # (n, 34, 4), points that each seat would win, honba included


class Values(NamedTuple):
    """Expected results of the rest of the hand, for n tables."""

    before: Floats  # (n, 4, WORTHS) before the draw, by absolute seat; points, and final places
    after: Floats  # (n, 34, 4, WORTHS) after each kind was drawn; a kind that is not in the wall has a value too


class Critic(Trunk):
    """Fitted weights, arranged for the forward pass."""

    scales = SCALES

    def values(self, inputs: CriticInputs, hands: NDArray[np.int64], worths: WorthTables) -> Values:
        """Expected result of the hand for each seat, before and after the next draw.

        Args:
            inputs: of n tables.
            hands: (n,), the row of ``worths`` that holds for each table.
            worths: what the ends are worth.
        """
        n = len(hands)
        after = np.empty((n, 34, 4, WORTHS), np.float32)
        for at in range(0, n, self.at_once):
            some = slice(at, at + self.at_once)
            few = inputs.where(some)
            after[some] = _worth(self.forecast(few), few.seats, hands[some], worths)
        return Values(np.einsum("nk,nksw->nsw", next_kinds(inputs), after), after)

    def ends_before(self, inputs: CriticInputs) -> Floats:
        """(n, ENDS): how likely each end is before the next draw; seats are counted from the one that draws."""
        found = np.empty((len(inputs.planes), ENDS), np.float32)
        for at in range(0, len(found), self.at_once):
            some = slice(at, at + self.at_once)
            few = inputs.where(some)
            found[some] = np.einsum("nk,nke->ne", next_kinds(few), self.forecast(few).ends)
        return found

    def forecast(self, inputs: CriticInputs) -> Forecast:
        """How the hands will end; what is certain by the rules or as good as that replaces the network's word."""
        kinds = self._logits(inputs)
        logits = kinds[:, :, :ENDS]
        logits -= logits.max(axis=2, keepdims=True)
        ends = np.exp(logits)
        ends /= ends.sum(axis=2, keepdims=True)
        found = Forecast(ends, np.maximum(USUAL + UNIT * kinds[:, :, ENDS:], GAINS[0]))
        _certain_ends(inputs, found)
        return found

    def _logits(self, inputs: CriticInputs) -> Floats:
        """(n, 34, OUTPUTS): what the network says."""
        rows = self.rows(inputs.planes, inputs.numbers)
        kinds = self.at_kinds(rows, "kind")
        kinds += (self.summary(rows) @ self._w["whole"] + self._w["whole_bias"])[:, None]
        return kinds


def next_kinds(inputs: CriticInputs) -> Floats:
    """(n, 34): how likely each kind is to be drawn next: by its copies in the wall."""
    left = inputs.planes[:, :, layout.LEFT].astype(np.float32)
    left /= np.maximum(left.sum(axis=1, keepdims=True), 1.0)
    return left


def _certain_ends(inputs: CriticInputs, found: Forecast) -> None:
    """A tile that completes the hand of the one that draws wins; in riichi, one that another waits for deals in."""
    points = _PER_POINTS * inputs.planes[
        :, :, layout.POINTS : layout.POINTS + 4 * layout.AT_SEAT : layout.AT_SEAT
    ].astype(np.float32)
    seats = inputs.numbers[:, : 4 * layout.OF_SEAT].reshape(-1, 4, layout.OF_SEAT)
    must_discard = seats[:, 0, layout.RIICHI] > 0
    honba = Rules().honba_points * inputs.numbers[:, layout.HONBA].astype(np.float32)
    for away in (3, 2, 1, 0):  # the nearest player's win counts, and a self-draw before all
        certain = points[:, :, away] > 0
        if away:
            certain &= (must_discard & (seats[:, away, layout.FURITEN] == 0))[:, None]
        rows, kinds = np.nonzero(certain)
        found.ends[rows, kinds] = 0.0
        found.ends[rows, kinds, 4 * away] = 1.0
        found.gains[rows, kinds, away] = points[rows, kinds, away] + honba[rows]


def _worth(found: Forecast, seats: NDArray[np.int64], hands: NDArray[np.int64], worths: WorthTables) -> Floats:
    """(n, 34, 4, WORTHS): the mean worth of the ends."""
    n = len(seats)
    around = (seats[:, None] + np.arange(4)) % 4
    wins = worths.wins[hands[:, None, None], around[:, :, None], around[:, None, :]]
    near = between_gains(found.gains)
    chances = found.ends[:, :, :NO_WIN].reshape(n, 34, 4, 4, 1) * near[:, :, :, None]
    mean = chances.reshape(n, 34, -1) @ wins.reshape(n, -1, 4 * WORTHS)
    mean += found.ends[:, :, NO_WIN, None] * worths.no_win[hands].reshape(n, 1, -1)
    result: Floats = mean.reshape(n, 34, 4, WORTHS)
    return result


FILE: Final = ShippedFile("engine.critic", "critic.npz", "oshihiki train critic LOG... --out {}")


@dataclass(frozen=True)
class CriticWeights(NetworkWeights[CriticShape]):
    """A fitted critic."""

    FILE = FILE
    SHAPE = CriticShape
    inputs_now = staticmethod(inputs_hash)

    def critic(self) -> Critic:
        """The critic with these weights."""
        return Critic(self.shape, self.arrays())


@cache
def shipped_critic_weights() -> CriticWeights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :meth:`CriticWeights.read`; also when the file is missing.
    """
    return FILE.load(CriticWeights.read)


@cache
def shipped_critic() -> Critic:
    """The critic with :func:`shipped_critic_weights`."""
    return shipped_critic_weights().critic()
