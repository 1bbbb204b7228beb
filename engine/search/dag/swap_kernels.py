"""Rows of 14 tiles that complete nothing, but from which one can go on to several hands of the search.

*Swap rows* are part of no completing exchange; at least two smaller rows can be reached from each by a discard, or a
kan can be made of the tile that came last.

Example: 1m and 4m are rows, and no exchange takes both. In 1m 4m is then a swap row: discarding either leads to a row.
In 1m 5p is none, if 5p is not a row: one could only discard 5p again.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, inlined_part, part
from engine.search.dag.graph_kernels import Root, Rows, place_of
from engine.search.dag.row_kernels import copies_in, with_tile


class Swaps(NamedTuple):
    """Swap rows.

    Attributes:
        key: int64[swaps], ascending by their number of tiles.
        level: int32[reach + 2], those of k tiles start at ``level[k]``.
        less, less_kind: [swaps * reach], as in :class:`engine.search.dag.graph_kernels.Rows`.
    """

    key: NDArray[np.int64]
    level: NDArray[np.int32]
    less: NDArray[np.int32]
    less_kind: NDArray[np.int8]


@allocating_part
def list_swaps(rows: Rows, root: Root, kans: int, reach: int) -> Swaps:
    """Rows one tile larger than at least two rows, and not rows themselves; or than one, with four of a kind.

    ``kans`` are the kinds that kans are made of, as bits.
    """
    # room for all there could be: pages that stay empty cost nothing
    most = 34 * rows.level_start[reach]
    found = Swaps(
        np.empty(most, np.int64),
        np.zeros(reach + 2, np.int32),
        np.empty(most * reach, np.int32),
        np.empty(most * reach, np.int8),
    )
    swaps = _fill_swaps(rows, root, kans, reach, np.zeros(len(rows.key), np.int64), found)
    return Swaps(found.key[:swaps], found.level, found.less[: swaps * reach], found.less_kind[: swaps * reach])


@part
def _fill_swaps(rows: Rows, root: Root, kans: int, reach: int, grows: NDArray[np.int64], found: Swaps) -> int:
    # how many there are. `grows` becomes the kinds, as bits, that make a row another row
    for row in range(len(rows.key)):
        for entry in range(row * reach, (row + 1) * reach):
            if rows.less[entry] < 0:
                break
            grows[rows.less[entry]] |= np.int64(1) << rows.less_kind[entry]
    gone = np.int64(0)
    for kind in range(34):
        if root.limit[kind] == 0:
            gone |= np.int64(1) << kind
    swaps = 0
    for level in range(reach):
        found.level[level + 1] = swaps
        for place in range(rows.level_start[level], rows.level_start[level + 1]):
            row = rows.by_level[place]
            rest = _kinds_to_add(rows, root, kans, reach, grows, row) & ~gone
            kind = -1
            while rest:
                step = 1
                while not (rest >> (step - 1)) & 1:
                    step += 1
                kind += step
                rest >>= step
                if _is_taken_here(rows, root, kans, reach, grows, row, kind):
                    _add_swap(rows, reach, grows, row, kind, swaps, found)
                    swaps += 1
    found.level[reach + 1] = swaps
    return swaps


@part
def _makes_four(root: Root, kans: int, kind: int, copies: int) -> bool:
    # whether one more tile of the kind, of which so many came in, may be made a kan
    return bool((kans >> kind) & 1 and root.held[kind] + copies == (0 if (root.pons >> kind) & 1 else 3))


@inlined_part
def _kinds_to_add(rows: Rows, root: Root, kans: int, reach: int, grows: NDArray[np.int64], row: int) -> int:
    # the kinds, as bits, that make a row a swap row, or that make four of a kind:
    # r + h loses a tile `a` of r to a row just if r - a (a row, as all parts of rows are) grows by h
    key = rows.key[row]
    others = np.int64(0)
    full = np.int64(0)
    own = np.int64(0)
    for entry in range(row * reach, (row + 1) * reach):
        if rows.less[entry] < 0:
            break
        others |= grows[rows.less[entry]]
        kind = rows.less_kind[entry]
        own |= np.int64(1) << kind
        if root.limit[kind] < 4 and copies_in(key, kind) >= root.limit[kind]:
            full |= np.int64(1) << kind
    for kind in range(34 if kans else 0):
        bit = np.int64(1) << kind
        if _makes_four(root, kans, kind, copies_in(key, kind) if own & bit else 0):
            others |= bit
    return int(others & ~grows[row] & ~full)


@inlined_part
def _is_taken_here(
    rows: Rows, root: Root, kans: int, reach: int, grows: NDArray[np.int64], row: int, kind: int
) -> bool:
    # of the rows that a swap row leads to it is taken from the one that lacks its lowest kind
    known = 0
    for entry in range(row * reach, (row + 1) * reach):
        smaller = rows.less[entry]
        if smaller < 0:
            break
        if rows.less_kind[entry] != kind and (grows[smaller] >> kind) & 1:
            known += 1
            if rows.less_kind[entry] < kind:
                return False
    return known > 0 or _makes_four(root, kans, kind, copies_in(rows.key[row], kind))


@inlined_part
def _add_swap(rows: Rows, reach: int, grows: NDArray[np.int64], row: int, kind: int, swaps: int, found: Swaps) -> None:
    # the row with one more tile, and the rows that it leads to
    found.key[swaps] = with_tile(rows.key[row], kind)
    at = swaps * reach
    found.less[at] = row
    found.less_kind[at] = kind
    at += 1
    for entry in range(row * reach, (row + 1) * reach):
        smaller = rows.less[entry]
        if smaller < 0:
            break
        if rows.less_kind[entry] != kind and (grows[smaller] >> kind) & 1:
            other = place_of(rows.table_key, rows.table_row, with_tile(rows.key[smaller], kind))
            found.less[at] = rows.table_row[other]
            found.less_kind[at] = rows.less_kind[entry]
            at += 1
    while at < (swaps + 1) * reach:
        found.less[at] = -1
        found.less_kind[at] = -1
        at += 1
