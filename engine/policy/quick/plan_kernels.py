"""Shanten of a hand that may only use some of its tiles.

The shanten tables hold how many tiles are missing, whatever the number held: a tile the plan cannot use is simply
left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_kernel, part
from engine.shanten.shanten_kernels import hand_standard


@part
def plan_shanten(
    counts: NDArray[np.uint8],
    allowed: NDArray[np.bool_],
    triplet: int,
    melds: int,
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    work: NDArray[np.uint8],
) -> int:
    """Standard-form shanten with the ``allowed`` tiles alone; ``triplet`` (a ``tile34`` or -1) must become one set."""
    for kind in range(34):
        work[kind] = counts[kind] if allowed[kind] else 0
    if triplet < 0:
        return hand_standard(work, melds, words, merge)
    missing = 0
    for _ in range(counts[triplet], 3):
        missing += 1
    work[triplet] = 0
    return hand_standard(work, melds + 1, words, merge) + missing


@allocating_kernel
def plan_draws(
    counts: NDArray[np.uint8],
    allowed: NDArray[np.bool_],
    triplet: int,
    melds: int,
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    out: NDArray[np.int8],
) -> None:
    """:func:`plan_shanten` after drawing each kind, into ``out`` (35); of the hand itself last.

    ``counts`` is changed on the way and put back. A kind held four times keeps the hand's own figure.
    """
    work = np.zeros(34, np.uint8)
    out[34] = plan_shanten(counts, allowed, triplet, melds, words, merge, work)
    for kind in range(34):
        if counts[kind] == 4 or not allowed[kind]:
            out[kind] = out[34]
            continue
        counts[kind] += 1
        out[kind] = plan_shanten(counts, allowed, triplet, melds, words, merge, work)
        counts[kind] -= 1
