"""Every complete suit as a path in a tree, and the search for those within reach of a hand.

A complete suit is nine counts made of sets and at most one pair; the honours are seven counts made of triplets and at
most one pair. All of them, in lexicographic order, are the leaves of a tree whose depth is the kind. The tree lies in
preorder, so a walk is a scan: a node that is already too far from the hand jumps to the next node outside its subtree.

Example: a hand holds 23m. The path 1, 1, 1, 0, … (123m) brings in 1m: key 1, code 0, one tile in and none out, no pair.
The path 0, 2, 0, … (22m) brings in 2m (key 2) and lets 3m go; it holds the pair. With one tile to come in, every path
that begins with 2 is skipped at its first node.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_kernel, part

KEY_BITS = 6
"""Bits of a tile in a key of incoming tiles: kind + 1, ascending from the low bits."""
KEY, CODE, CAME, WENT = range(4)
"""Of a path in a tree: what came in, what went out, how many tiles of each."""


class SuitTree(NamedTuple):
    """A tree, one entry a node.

    Attributes:
        depth: int8, kind within the suit.
        digit: int8, count of it.
        skip: int32, the next node outside the subtree.
        pair: int8, of leaves: 1 where the pattern holds the pair.
    """

    depth: NDArray[np.int8]
    digit: NDArray[np.int8]
    skip: NDArray[np.int32]
    pair: NDArray[np.int8]


@allocating_kernel("dag", seconds=2.0)
def fill_tree(
    patterns: Array2[np.int8],
    depth: NDArray[np.int8],
    digit: NDArray[np.int8],
    skip: NDArray[np.int32],
    pair: NDArray[np.int8],
) -> int:
    """Lay the sorted ``patterns`` (N, kinds) out as a preorder tree; the number of nodes.

    The arrays need room for N * kinds nodes.
    """
    count, kinds = patterns.shape
    nodes = 0
    for row in range(count):
        first = 0
        if row:
            while patterns[row, first] == patterns[row - 1, first]:
                first += 1
        total = 0
        for kind in range(kinds):
            total += patterns[row, kind]
        for kind in range(first, kinds):
            depth[nodes] = kind
            digit[nodes] = patterns[row, kind]
            pair[nodes] = total % 3 == 2
            nodes += 1
    for node in range(nodes):
        other = node + 1
        while other < nodes and depth[other] > depth[node]:
            other += 1
        skip[node] = other
    return nodes


@part
def match_suit(
    tree: SuitTree,
    held: NDArray[np.int8],
    limit: NDArray[np.int8],
    stride: NDArray[np.int32],
    first: int,
    reach: int,
    path: NDArray[np.int64],
    keys: NDArray[np.int64],
    codes: NDArray[np.int32],
    buckets: NDArray[np.int16],
    tally: NDArray[np.int32],
) -> int:
    """All patterns of one suit with at most ``reach`` tiles coming in and at most as many going out.

    ``held``, ``limit`` (tiles that may come in) and ``stride`` (place value in an out-code) are by tile34; ``first``
    is the suit's first tile34. A pattern's bucket is ``(pair * (reach + 1) + tiles in) * (reach + 1) + tiles out``;
    ``tally`` counts the patterns of each bucket; ``path`` is scratch, int64[11, 4]. Returns the number of patterns.
    """
    depth, digit, skip, pair = tree.depth, tree.digit, tree.skip, tree.pair
    for column in range(4):
        path[0, column] = 0
    last = 8 if first < 27 else 6
    found = 0
    node = 0
    nodes = len(depth)
    while node < nodes:
        at = int(depth[node])
        kind = first + at
        change = int(digit[node]) - int(held[kind])
        came = path[at, CAME]
        went = path[at, WENT]
        if change > 0:
            if change > limit[kind] or came + change > reach:
                node = skip[node]
                continue
            grown = path[at, KEY]
            for place in range(came, came + change):
                grown |= (kind + 1) << (KEY_BITS * place)
            path[at + 1, KEY] = grown
            path[at + 1, CODE] = path[at, CODE]
            came += change
        else:
            went -= change
            if went > reach:
                node = skip[node]
                continue
            path[at + 1, KEY] = path[at, KEY]
            path[at + 1, CODE] = path[at, CODE] - change * stride[kind]
        path[at + 1, CAME] = came
        path[at + 1, WENT] = went
        if at == last:
            keys[found] = path[at + 1, KEY]
            codes[found] = path[at + 1, CODE]
            bucket = (pair[node] * (reach + 1) + came) * (reach + 1) + went
            buckets[found] = bucket
            tally[bucket] += 1
            found += 1
        node += 1
    return found
