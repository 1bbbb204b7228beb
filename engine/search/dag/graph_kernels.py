"""The graph of a search as arrays, as kernels and Python exchange it, and the hash table of its nodes.

A *link* joins a hand of 13 tiles (a node) and one of 14. It is one uint32, ``node << NODE_AT | kind << KIND_AT |
weight``: the kind is drawn in one direction and discarded in the other, and the weight is the number of unseen tiles of
it, seen from the node.

Levels count the tiles that came in since the root. A hand of 14 tiles at level k was reached from nodes of level k
(a tile drawn back that had left) or k - 1, and leads to such nodes.

Example (23m 99p 1z, one tile in): the nodes 0 to 3 are what a discard of 2m, 3m, 9p and 1z leaves. Node 3 wins by 1m,
of which four are unseen: the link 3 << 9 | 0 << 3 | 4 = 1540 of the special node in 1m, out 1z; and by 4m: 1564. The
root itself is a 14-tile node with four links: node 0 draws 2m back, of which three are unseen: 0 << 9 | 1 << 3 | 3 =
11.
"""

from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_part, inlined_part, part

Number = TypeVar("Number", bound=np.integer)

_MIX = np.uint64(0x9E3779B97F4A7C15)


@allocating_part
def new_table(bits: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """An empty table of 2**bits places: its keys and its numbers (-1: free)."""
    return np.empty(1 << bits, np.int64), np.full(1 << bits, -1, np.int32)


@part
def place_of(keys: NDArray[np.int64], numbers: NDArray[np.int32], key: int) -> int:
    """The place that holds ``key``, or the free place where it belongs."""
    mask = len(keys) - 1
    place = np.int64((np.uint64(key) * _MIX) >> np.uint64(32)) & mask
    while numbers[place] >= 0 and keys[place] != key:
        place = (place + 1) & mask
    return int(place)


@allocating_part
def doubled(keys: NDArray[np.int64], numbers: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The same entries in a table of twice the places."""
    more_keys = np.empty(2 * len(keys), np.int64)
    more_numbers = np.full(2 * len(keys), -1, np.int32)
    for old in range(len(keys)):
        if numbers[old] >= 0:
            place = place_of(more_keys, more_numbers, keys[old])
            more_keys[place] = keys[old]
            more_numbers[place] = numbers[old]
    return more_keys, more_numbers


@allocating_part
def grown(array: NDArray[Number], room: int) -> NDArray[Number]:
    """A copy with room for ``room`` entries."""
    larger = np.empty(room, array.dtype)
    for at in range(len(array)):
        larger[at] = array[at]
    return larger


SLOT_BITS = 4
"""Bits of a held kind in packed outs: three for the count, one that stays clear for comparisons."""

WEIGHT = 7
KIND_AT = 3
KIND = 63
NODE_AT = 9
KIND_AND_WEIGHT = (1 << NODE_AT) - 1
MOST_NODES = 1 << (31 - NODE_AT)
"""Number of nodes that a link has room for."""

NO_KIND = 34
"""The kind of a link of a kan, for which nothing is discarded."""

ROOM = 16
"""Room for the links of one 14-tile node: it has 14 discards at most."""


@inlined_part
def index(place: int) -> int:
    """The place as an unsigned number; numba checks any other at each look-up, whether it counts from the end."""
    return np.uint64(np.uint32(place))  # type: ignore[return-value]  # one integer type for the kernels


class Root(NamedTuple):
    """The hand that a search starts from.

    Attributes:
        held: int8[34], concealed tiles: 14 - 3k before a discard, otherwise 13 - 3k.
        limit: int8[34], number of tiles of each kind that may come in.
        unseen: int8[34], number of tiles of each kind that can still be drawn.
        pons: kinds of its melded pons, as bits.
    """

    held: NDArray[np.int8]
    limit: NDArray[np.int8]
    unseen: NDArray[np.int8]
    pons: int = 0


class Limits(NamedTuple):
    """What one line of play may call: at most so many calls, and kans of some kinds, as bits."""

    calls: int
    kans: int
    kinds: int


class Outs(NamedTuple):
    """What may go out: every small multiset of the root's concealed tiles, an *out*, by its number.

    Attributes:
        stride: int32[34], place value of a kind in an out-code, 0 for kinds not held.
        number: int16[codes], number of an out-code; only codes of at most ``reach`` tiles are filled.
        size_start: int32[reach + 2], first number of each size.
        packed: int64[outs], counts, SLOT_BITS a held kind in ascending order of the kinds.
        less_start: int32[outs + 1], into the next two.
        less, less_kind: the number with one tile fewer, and that tile, for each kind in the multiset.
    """

    stride: NDArray[np.int32]
    number: NDArray[np.int16]
    size_start: NDArray[np.int32]
    packed: NDArray[np.int64]
    less_start: NDArray[np.int32]
    less: NDArray[np.uint16]
    less_kind: NDArray[np.int8]


class Wins(NamedTuple):
    """The completing exchanges of a root; their number tells beforehand how many hands there will be.

    Attributes:
        reach: most tiles that come in.
        outs: what may go out.
        keys: int64, what comes in; ``codes``: int32, what goes out.
    """

    reach: int
    outs: Outs
    keys: NDArray[np.int64]
    codes: NDArray[np.int32]


class Rows(NamedTuple):
    """What may come in: the completing exchanges and all their parts, a *row* each.

    Attributes:
        key: int64[rows], its tiles.
        level_start, by_level: the rows of level k are ``by_level[level_start[k]:level_start[k + 1]]``.
        less, less_kind: [rows * reach], the rows with one tile fewer and that tile, -1 after the last.
        table_key, table_row: the hash table from keys to rows.
    """

    key: NDArray[np.int64]
    level_start: NDArray[np.int32]
    by_level: NDArray[np.int32]
    less: NDArray[np.int32]
    less_kind: NDArray[np.int8]
    table_key: NDArray[np.int64]
    table_row: NDArray[np.int32]


class Hands(NamedTuple):
    """The hands of a search before they are linked: cheap to list, so that the size is known before the work.

    Attributes:
        reach: most tiles that come in (n + 1).
        outs, rows: what may go out and come in.
        full_start, full_out: see :func:`engine.search.dag.row_kernels.list_hands`.
        var_first, var_last, melds, node_start, node_out: see :class:`engine.search.dag.meld_kernels.Variants`.
        has_kans: some have kans that the root has not.
    """

    reach: int
    outs: Outs
    rows: Rows
    full_start: NDArray[np.int32]
    full_out: NDArray[np.int16]
    var_first: NDArray[np.int32]
    var_last: NDArray[np.int32]
    melds: NDArray[np.int64]
    node_start: NDArray[np.int32]
    node_out: NDArray[np.uint16]
    has_kans: bool


class Graph(NamedTuple):
    """Hands and links; every list of links and calls is in the order of levels.

    Attributes:
        outs: what may go out.
        variant_key, variant_melds: int64[variants], what came in and the new melds of the nodes
            ``variant_start[v]`` to ``variant_start[v + 1] - 1``.
        level_node: int32[levels + 1], the nodes of level k start at ``level_node[k]``.
        node_out: uint16[nodes], what left.
        draw_start: int32[levels, ROOM + 2], 14-tile nodes of a level with k links, none of them special, have theirs
            from ``draw_start[level, k]`` on, k at a time: a loop over links whose length is the same for thousands of
            nodes is predicted by the processor.
        draw_link: uint32, their links.
        win_level: int32[levels + 1], the *special* 14-tile nodes (complete ones and those with a kan) of level k
            start at ``win_level[k]``.
        win_start, win_link: special node i has ``win_link[win_start[i]:win_start[i + 1]]``.
        win_key, win_melds, win_out: its tiles.
        win_whole: bool, it is complete but for what its melds change.
        win_late: bool, it has new kans, or kans to make: it waits for its turn in ``kan_order``.
        calls: how many there are, numbered by level, then by number of links.
        call_start, call_link: links of what may be discarded after a call, as those of draws; they have no weight.
        option_node, option_call, option_tag: from which node each call starts, to which of the calls it leads; the
            tag is ``kind << 4 | from anyone << 3 | weight``.
        kan_start, kan_made: special node i may be made one of the nodes ``kan_made[kan_start[i]:kan_start[i + 1]]``
            (numbers into ``kan_node``) by a kan.
        kan_order: int32, the special nodes with new kans or kans to make, those with most new kans first.
        kan_depth: int8, how many new kans each of those has.
        kan_node: int32, the nodes with new kans, most kans first; ``kan_number`` tells a node's place there.
        kan_count: int8, how many each has.
    """

    outs: Outs
    variant_key: NDArray[np.int64]
    variant_melds: NDArray[np.int64]
    variant_start: NDArray[np.int32]
    level_node: NDArray[np.int32]
    node_out: NDArray[np.uint16]
    draw_start: Array2[np.int32]
    draw_link: NDArray[np.uint32]
    win_level: NDArray[np.int32]
    win_start: NDArray[np.int32]
    win_link: NDArray[np.uint32]
    win_key: NDArray[np.int64]
    win_melds: NDArray[np.int64]
    win_out: NDArray[np.int16]
    win_whole: NDArray[np.bool_]
    win_late: NDArray[np.bool_]
    calls: int
    call_start: Array2[np.int32]
    call_link: NDArray[np.uint32]
    option_node: NDArray[np.uint32]
    option_call: NDArray[np.uint32]
    option_tag: NDArray[np.int16]
    kan_start: NDArray[np.int32]
    kan_made: NDArray[np.int32]
    kan_order: NDArray[np.int32]
    kan_depth: NDArray[np.int8]
    kan_node: NDArray[np.int32]
    kan_count: NDArray[np.int8]
    kan_number: NDArray[np.int32]

    @property
    def nodes(self) -> int:
        """Hands of 13 tiles."""
        return len(self.node_out)


@allocating_part
def shifts_of(stride: NDArray[np.int32]) -> NDArray[np.int64]:
    """int64[34]: the lowest bit of each kind in packed outs, -1 for kinds not held."""
    shifts = np.full(34, -1, np.int64)
    used = 0
    for kind in range(34):
        if stride[kind]:
            shifts[kind] = SLOT_BITS * used
            used += 1
    return shifts
