"""The rules of pushing and folding, and of having a hand dealt again, for kernels and Python."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel

KOKUSHI_KINDS = 11
"""Number of kinds of terminals and honours from which a first hand aims at thirteen orphans instead of declaring nine
terminals. A guess."""
NINE_TERMINALS_SHANTEN = 3
"""Lowest shanten at which nine terminals is declared. A guess."""


@kernel("push or fold", seconds=0.2)
def attacks(limits: NDArray[np.int64], threats: int, shanten: int, more: int) -> bool:
    """Whether a hand of that shanten attacks against that many threats.

    Args:
        limits: ``limits[n]`` is the highest shanten that attacks against ``n`` threats; the last also holds for more.
        threats: number of threats.
        shanten: shanten of the hand.
        more: what is added to the limit.
    """
    return bool(shanten <= limits[min(threats, len(limits) - 1)] + more)


@kernel("push or fold", seconds=0.1)
def deals_again(kinds: int, shanten: int) -> bool:
    """Whether a hand with that many kinds of terminals and honours declares nine terminals where it may."""
    return kinds < KOKUSHI_KINDS and shanten >= NINE_TERMINALS_SHANTEN
