"""What others discard, worked out for a position from the fitted tables: see :mod:`engine.search.discard_tables`."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array3, Array4, kernel

GENBUTSU, SUJI, OTHER = range(3)
"""Safety of a kind against a river: in it, screened by it, neither."""


@kernel("dag", seconds=0.3)
def fill_safety(river_mask: int, found: NDArray[np.intp]) -> None:
    """``GENBUTSU``, ``SUJI`` or ``OTHER`` by ``tile34``; see :func:`engine.search.discard_tables.safety`."""
    for kind in range(34):
        found[kind] = OTHER
        if (river_mask >> kind) & 1:
            found[kind] = GENBUTSU
        elif kind < 27:
            number = kind % 9
            below = number < 3 or (river_mask >> (kind - 3)) & 1
            above = number > 5 or (river_mask >> (kind + 3)) & 1
            if below and above:
                found[kind] = SUJI


@kernel("dag", seconds=1.0)
def fill_rates(
    open_rates: Array4[np.float64],
    riichi_rates: Array4[np.float64],
    classes: NDArray[np.intp],
    dora: NDArray[np.intp],
    safety: NDArray[np.intp],
    unseen: NDArray[np.int64],
    found: Array3[np.float64],
) -> None:
    """Fill ``found[own riichi, draws left, tile34]``: rates scaled so that with the unseen tiles they sum to 1."""
    tiles = 0
    for kind in range(34):
        tiles += unseen[kind]
    for riichi in range(2):
        for left in range(found.shape[1]):
            total = 0.0
            for kind in range(34):
                row = min(left, open_rates.shape[3] - 1)
                if riichi:
                    rate = riichi_rates[classes[kind], dora[kind], safety[kind], row]
                else:
                    rate = open_rates[classes[kind], dora[kind], max(unseen[kind], 1) - 1, row]
                found[riichi, left, kind] = rate
                total += rate * unseen[kind]
            scale = tiles / total if total else 1.0
            for kind in range(34):
                found[riichi, left, kind] *= scale
