"""Rows of 14 tiles that complete nothing, but from which one can go on to several hands of the search.

*Swap rows* are part of no completing exchange; at least two smaller rows can be reached from each by a discard, or a
kan can be made of the tile that came last.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.search.dag.graph_kernels import place_of
from engine.search.dag.row_kernels import copies_in, with_tile


@allocating_part
def list_swaps(
    row_key: NDArray[np.int64],
    level_start: NDArray[np.int32],
    by_level: NDArray[np.int32],
    row_less: NDArray[np.int32],
    row_less_kind: NDArray[np.int8],
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
    # room for all there could be: pages that stay empty cost nothing
    most = 34 * level_start[reach]
    swap_key = np.empty(most, np.int64)
    less = np.empty(most * reach, np.int32)
    less_kind = np.empty(most * reach, np.int8)
    swap_level = np.zeros(reach + 2, np.int32)
    swaps = _fill_swaps(
        row_key, level_start, by_level, row_less, row_less_kind, table_key, table_row, limit, held, root_pons, kans,
        reach, np.zeros(len(row_key), np.int64), swap_key, swap_level, less, less_kind,
    )  # fmt: skip
    return swap_key[:swaps], swap_level, less[: swaps * reach], less_kind[: swaps * reach]


@part
def _fill_swaps(
    row_key: NDArray[np.int64],
    level_start: NDArray[np.int32],
    by_level: NDArray[np.int32],
    row_less: NDArray[np.int32],
    row_less_kind: NDArray[np.int8],
    table_key: NDArray[np.int64],
    table_row: NDArray[np.int32],
    limit: NDArray[np.int8],
    held: NDArray[np.int8],
    root_pons: int,
    kans: int,
    reach: int,
    grows: NDArray[np.int64],
    swap_key: NDArray[np.int64],
    swap_level: NDArray[np.int32],
    less: NDArray[np.int32],
    less_kind: NDArray[np.int8],
) -> int:
    # how many there are. `grows` becomes the kinds, as bits, that make a row another row:
    # r + h loses a tile `a` of r to a row just if r - a (a row, as all parts of rows are) grows by h
    for row in range(len(row_key)):
        for entry in range(row * reach, (row + 1) * reach):
            if row_less[entry] < 0:
                break
            grows[row_less[entry]] |= np.int64(1) << row_less_kind[entry]
    gone = np.int64(0)
    for kind in range(34):
        if limit[kind] == 0:
            gone |= np.int64(1) << kind
    swaps = 0
    for level in range(reach):
        swap_level[level + 1] = swaps
        for place in range(level_start[level], level_start[level + 1]):
            row = by_level[place]
            key = row_key[row]
            others = np.int64(0)
            full = gone
            own = np.int64(0)
            for entry in range(row * reach, (row + 1) * reach):
                if row_less[entry] < 0:
                    break
                others |= grows[row_less[entry]]
                kind = row_less_kind[entry]
                own |= np.int64(1) << kind
                copies = copies_in(key, kind)
                if limit[kind] < 4 and copies >= limit[kind]:
                    full |= np.int64(1) << kind
            for kind in range(34 if kans else 0):
                bit = np.int64(1) << kind
                if (kans >> kind) & 1:
                    copies = copies_in(key, kind) if own & bit else 0
                    if held[kind] + copies == (0 if (root_pons >> kind) & 1 else 3):
                        others |= bit
            rest = others & ~grows[row] & ~full
            kind = -1
            while rest:
                step = 1
                while not (rest >> (step - 1)) & 1:
                    step += 1
                kind += step
                rest >>= step
                # of the rows that this one leads to one more comes first: it is taken from there
                known = 0
                first = True
                makes_kan = (
                    (kans >> kind) & 1
                    and held[kind] + copies_in(key, kind) == (0 if (root_pons >> kind) & 1 else 3)
                )  # fmt: skip
                for entry in range(row * reach, (row + 1) * reach):
                    smaller = row_less[entry]
                    if smaller < 0:
                        break
                    if row_less_kind[entry] != kind and (grows[smaller] >> kind) & 1:
                        known += 1
                        first = first and row_less_kind[entry] > kind
                if not first or (known == 0 and not makes_kan):
                    continue
                swap_key[swaps] = with_tile(key, kind)
                at = swaps * reach
                less[at] = row
                less_kind[at] = kind
                at += 1
                for entry in range(row * reach, (row + 1) * reach):
                    smaller = row_less[entry]
                    if smaller < 0:
                        break
                    if row_less_kind[entry] != kind and (grows[smaller] >> kind) & 1:
                        other = place_of(table_key, table_row, with_tile(row_key[smaller], kind))
                        less[at] = table_row[other]
                        less_kind[at] = row_less_kind[entry]
                        at += 1
                while at < (swaps + 1) * reach:
                    less[at] = -1
                    less_kind[at] = -1
                    at += 1
                swaps += 1
    swap_level[reach + 1] = swaps
    return swaps
