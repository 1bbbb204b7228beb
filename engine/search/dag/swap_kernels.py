"""Rows of 14 tiles that complete nothing, but from which one can go on to several hands of the search.

*Swap rows* are part of no completing exchange; at least two smaller rows can be reached from each by a discard, or a
kan can be made of the tile that came last.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.search.dag.row_kernels import copies_in, tiles_of, with_tile
from engine.search.dag.table_kernels import new_table, place_of


@kernel
def list_swaps(
    row_key: NDArray[np.int64],
    level_start: NDArray[np.int32],
    by_level: NDArray[np.int32],
    table_key: NDArray[np.int64],
    table_row: NDArray[np.int32],
    limit: NDArray[np.int8],
    held: NDArray[np.int8],
    root_pons: int,
    kans: int,
    reach: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]:
    """Rows one tile larger than at least two rows, and not rows themselves; or than one, with four of a kind.

    ``kans`` are the kinds that kans are made of, as bits, ``root_pons`` those of the root's pons.

    Returns:
        swap_key: int64[swaps], ascending by their number of tiles.
        swap_level: int32[reach + 2], those of k tiles start at ``swap_level[k]``.
        less, less_kind: [swaps * reach], as in :func:`engine.search.dag.row_kernels.list_rows`.
    """
    most = 34 * level_start[reach]
    bits = 8
    while 1 << bits < 2 * most:
        bits += 1
    keys, numbers = new_table(bits)
    swap_key = np.empty(most, np.int64)
    known = np.empty(most, np.int8)
    makes_kan = np.zeros(most if kans else 0, np.bool_)
    less = np.empty(most * reach, np.int32)
    less_kind = np.empty(most * reach, np.int8)
    swaps = 0
    for place in range(level_start[reach]):
        row = by_level[place]
        key = row_key[row]
        for kind in range(34):
            if limit[kind] == 0 or (limit[kind] < 4 and copies_in(key, kind) >= limit[kind]):
                continue
            larger = with_tile(key, kind)
            if table_row[place_of(table_key, table_row, larger)] >= 0:
                continue
            at = place_of(keys, numbers, larger)
            if numbers[at] < 0:
                numbers[at] = swaps
                keys[at] = larger
                swap_key[swaps] = larger
                known[swaps] = 0
                swaps += 1
            swap = numbers[at]
            own = 0 if (root_pons >> kind) & 1 else 3
            if (kans >> kind) & 1 and held[kind] + copies_in(key, kind) == own:
                makes_kan[swap] = True
            less[swap * reach + known[swap]] = row
            less_kind[swap * reach + known[swap]] = kind
            known[swap] += 1
    swap_level = np.zeros(reach + 2, np.int32)
    kept = 0
    for swap in range(swaps):
        if known[swap] < 2 and not (kans and makes_kan[swap]):
            continue
        swap_level[tiles_of(swap_key[swap]) + 1] += 1
        swap_key[kept] = swap_key[swap]
        for entry in range(reach):
            less[kept * reach + entry] = less[swap * reach + entry] if entry < known[swap] else -1
            less_kind[kept * reach + entry] = less_kind[swap * reach + entry] if entry < known[swap] else -1
        kept += 1
    for level in range(reach + 1):
        swap_level[level + 1] += swap_level[level]
    return swap_key[:kept], swap_level, less[: kept * reach], less_kind[: kept * reach]
