"""The inputs of the critic: the meaning of each number, the inputs of moments, and a hash of their meaning."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.critic import layout_kernels as layout
from engine.critic.input_kernels import fill_critic_inputs
from engine.network.trunk import Scales
from engine.shanten.tables import hand_tables
from engine.tables import short_hash

SEATS: Final = ("the one that draws", "right", "across", "left")
_AT_SEAT: Final = (
    *(("held concealed", 2), ("completes its hand", 1), ("brings it nearer", 1), ("discarded by it", 1)),
    *(("in its melds", 2), ("points of a win on it, of 200", 40), ("yaku of a triplet", 1)),
)
PLANES: Final[tuple[tuple[str, int], ...]] = (
    *((f"{seat}: {name}", of) for seat in SEATS for name, of in _AT_SEAT),
    *(("left in the wall", 2), ("times dora", 1), ("on offer", 1), ("the red five is left in the wall", 1)),
)
"""The numbers for each kind, and what each is divided by."""

_OF_SEAT: Final = (
    *(("tenpai", 1), ("1-shanten", 1), ("2-shanten", 1), ("further", 1), ("shanten", 3)),
    *(("riichi", 1), ("ippatsu", 1), ("furiten", 1), ("has called", 1), ("melds", 2), ("deals", 1)),
    *(("red fives", 1), ("dora", 3), ("tiles that win left", 4), ("tiles that bring it nearer left", 20)),
    *(("most points of a win, of 200", 40), ("points above 25 000, of 400", 32)),
    *((f"place {place}", 1) for place in range(1, 5)),
)
NUMBERS: Final[tuple[tuple[str, int], ...]] = (
    *((f"{seat}: {name}", of) for seat in SEATS for name, of in _OF_SEAT),
    *(("wall", 70), ("wall below 4", 1), ("below 12", 1), ("below 24", 1), ("below 48", 1)),
    *(("draws from the dead wall", 1), ("round", 1), ("hands to the last", 4), ("last hand or later", 1)),
    *(("east-only game", 1), ("honba", 4), ("riichi sticks", 4), ("indicators", 2)),
)
"""The numbers for the whole table, and what each is divided by."""

_ZEROS: Final = np.zeros(layout.GLOBALS, np.float32)
_ZEROS[[layout.OF_SEAT * away + layout.ABOVE_START for away in range(4)]] = layout.CENTRE
SCALES: Final = Scales(
    np.array([1.0 / of for _, of in PLANES], np.float32), np.array([1.0 / of for _, of in NUMBERS], np.float32), _ZEROS
)


class CriticInputs(NamedTuple):
    """What the critic sees of n tables.

    Attributes:
        planes: (n, 34, PLANES).
        numbers: (n, GLOBALS).
        seats: (n,), the seat that draws next; the critic counts seats from it.
    """

    planes: NDArray[np.uint8]
    numbers: NDArray[np.uint8]
    seats: NDArray[np.int64]

    def where(self, rows: NDArray[np.int64] | slice) -> CriticInputs:
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
