"""Every complete suit as a path in a tree, and the search for those within reach of a hand.

A complete suit is nine counts made of sets and at most one pair; the honours are seven counts made of triplets and at
most one pair. All of them, in lexicographic order, are the leaves of a tree whose depth is the kind. The tree lies in
preorder, so a walk is a scan: a node that is already too far from the hand jumps to the next node outside its subtree.

Tree arrays, one entry a node: ``depth`` (kind within the suit), ``digit`` (count), ``skip`` (next node outside the
subtree), ``pair`` (leaves: 1 where the pattern holds the pair).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel

KEY_BITS = 6
"""Bits of a tile in a key of incoming tiles: kind + 1, ascending from the low bits."""


@kernel
def fill_tree(
    patterns: NDArray[np.int8],
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


@kernel
def match_suit(
    depth: NDArray[np.int8],
    digit: NDArray[np.int8],
    skip: NDArray[np.int32],
    pair: NDArray[np.int8],
    held: NDArray[np.int8],
    limit: NDArray[np.int8],
    stride: NDArray[np.int32],
    first: int,
    reach: int,
    keys: NDArray[np.int64],
    codes: NDArray[np.int32],
    buckets: NDArray[np.int16],
    tally: NDArray[np.int32],
) -> int:
    """All patterns of one suit with at most ``reach`` tiles coming in and at most as many going out.

    ``held``, ``limit`` (tiles that may come in) and ``stride`` (place value in an out-code) are by tile34; ``first``
    is the suit's first tile34. A pattern's bucket is ``(pair * (reach + 1) + tiles in) * (reach + 1) + tiles out``;
    ``tally`` counts the patterns of each bucket. Returns the number of patterns.
    """
    key = np.zeros(11, np.int64)
    code = np.zeros(11, np.int64)
    tiles_in = np.zeros(11, np.int64)
    tiles_out = np.zeros(11, np.int64)
    last = 8 if first < 27 else 6
    found = 0
    node = 0
    nodes = len(depth)
    while node < nodes:
        at = int(depth[node])
        kind = first + at
        change = int(digit[node]) - int(held[kind])
        came = tiles_in[at]
        went = tiles_out[at]
        if change > 0:
            if change > limit[kind] or came + change > reach:
                node = skip[node]
                continue
            grown = key[at]
            for place in range(came, came + change):
                grown |= (kind + 1) << (KEY_BITS * place)
            key[at + 1] = grown
            code[at + 1] = code[at]
            came += change
        else:
            went -= change
            if went > reach:
                node = skip[node]
                continue
            key[at + 1] = key[at]
            code[at + 1] = code[at] - change * stride[kind]
        tiles_in[at + 1] = came
        tiles_out[at + 1] = went
        if at == last:
            keys[found] = key[at + 1]
            codes[found] = code[at + 1]
            bucket = (pair[node] * (reach + 1) + came) * (reach + 1) + went
            buckets[found] = bucket
            tally[bucket] += 1
            found += 1
        node += 1
    return found
