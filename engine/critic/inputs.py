"""The inputs of the critic: those of moments, their scales, and a hash of their meaning."""

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

PLANES: Final = layout.KINDS.meanings
"""The numbers for each kind, and what each is divided by."""
NUMBERS: Final = layout.WHOLE.meanings
"""The numbers for the whole table, and what each is divided by."""
SCALES: Final = Scales(layout.KINDS, layout.WHOLE)


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
