"""Sorts kinds by what a beginner's book says of them: suji, no chance, one chance, honours by count."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel, part
from engine.model.tiles import HONOURS, KINDS

SIDES: Final = 6
"""Pairs of states of the two two-sided waits on a kind, the safer first."""
UNSEEN: Final = 4
"""Copies unseen: 0, 1, 2, 3 or more."""
NUMBERS: Final = 5 * SIDES * UNSEEN
"""Rows of number tiles: (19, 28, 37, 46, 5) x sides x unseen; honours follow: (no yaku, yakuhai) x unseen."""
CLASSES: Final = NUMBERS + 2 * UNSEEN

DEAD, ONE_CHANCE, LIVE = 0, 1, 2
"""A two-sided wait: cannot be (furiten, at an end, or a tile gone); one tile of a kind it needs left; else."""


@part
def side(unseen: NDArray[np.int64], safe: int, kind: int, step: int) -> int:
    """State of the two-sided wait on ``kind`` that holds the two tiles towards ``step`` (-1 below, 1 above)."""
    number = kind % 9
    if number + 3 * step < 0 or number + 3 * step > 8 or (safe >> (kind + 3 * step)) & 1:
        return DEAD
    left = min(unseen[kind + step], unseen[kind + 2 * step])
    return DEAD if left == 0 else (ONE_CHANCE if left == 1 else LIVE)


@kernel
def classify(unseen: NDArray[np.int64], safe: int, yakuhai: int, out: NDArray[np.intp]) -> int:
    """Class of every kind against one opponent.

    Args:
        unseen: (34,) copies the viewer does not see.
        safe: bit set of genbutsu.
        yakuhai: bit set of the opponent's yakuhai.
        out: (34,) filled with 0 to ``CLASSES`` - 1.

    Returns:
        How many of the 18 two-sided waits (1-4, 2-5 …) are not excluded by genbutsu.
    """
    for kind in range(KINDS):
        count = min(unseen[kind], UNSEEN - 1)
        if kind >= HONOURS:
            out[kind] = NUMBERS + ((yakuhai >> kind) & 1) * UNSEEN + count
            continue
        low = side(unseen, safe, kind, -1)
        high = side(unseen, safe, kind, 1)
        if low > high:
            low, high = high, low
        sides = high if low == 0 else (2 + high if low == 1 else 5)
        out[kind] = ((4 - abs(kind % 9 - 4)) * SIDES + sides) * UNSEEN + count
    live = 0
    for kind in range(HONOURS):
        if kind % 9 < 6 and (safe >> kind) & 1 == 0 and (safe >> (kind + 3)) & 1 == 0:
            live += 1
    return live
