"""Two tables over the rows of :mod:`engine.shanten.table_kernels`: how a suit splits, and which yaku it comes near.

``shapes`` (uint16) holds the split with most groups, then most partial groups (two tiles of a run), then most runs::

    bits  0-3   triplets
    bits  4-7   runs
    bits  8-11  partial groups
    bits 12-15  groups

``traits`` (uint32)::

    bits  0-8   kinds held, by number (suits only)
    bits  9-11  most tiles held of two equal runs, 0-6
    bits 12-15  terminals and honours
    bits 16-18  kinds held three times or more
    bits 24-31  id of the distance vector of the row without its terminals and honours, as in ``words``

The fields of ``shapes`` add up over a hand without carry.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, kernel, part
from engine.shanten.shanten_kernels import honour_row, row_word, suit_row
from engine.shanten.table_kernels import ID_SHIFT, MOST, ROWS, HandTables

CODES = 5**9
"""Number of codes of a suit: its nine counts in base five, the 1 first."""

TRIPLET, RUN, PARTIAL, GROUP = 1, 1 << 4, 1 << 8, 1 << 12
TWINS_AT, ORPHANS_AT, TRIPLES_AT = 9, 12, 16


@part
def next_code(counts: NDArray[np.uint8], end: int) -> None:
    """Count one up in base five, in the counts before ``end``."""
    last = end - 1
    while counts[last] == 4:
        counts[last] = 0
        last -= 1
    counts[last] += 1


@kernel("neat", seconds=1.0)
def fill_shapes(
    counts: NDArray[np.uint8],
    powers: NDArray[np.int64],
    best: NDArray[np.int64],
    tables: Records[HandTables],
    shapes: NDArray[np.uint16],
) -> None:
    """Fill ``shapes``; ``counts`` (34, zero), ``powers`` (nine) and ``best`` (CODES) are scratch.

    The lowest tile of a suit is in some part of the split, or in none: what is left without that part is an earlier
    code.
    """
    for number in range(9):
        powers[number] = 5 ** (8 - number)
    best[0] = 0
    shapes[suit_row(counts, 0, tables[0]) - ROWS] = 0
    for code in range(1, CODES):
        next_code(counts, 9)
        low = 0
        total = 0
        for number in range(8, -1, -1):
            total += counts[number]
            if counts[number]:
                low = number
        one = powers[low]
        found = best[code - one]
        if counts[low] >= 3:
            found = max(found, best[code - 3 * one] + GROUP + TRIPLET)
        if low < 8 and counts[low + 1]:
            two = one + powers[low + 1]
            found = max(found, best[code - two] + PARTIAL)
            if low < 7 and counts[low + 2]:
                found = max(found, best[code - two - powers[low + 2]] + GROUP + RUN)
        if low < 7 and counts[low + 2]:
            found = max(found, best[code - one - powers[low + 2]] + PARTIAL)
        best[code] = found
        if total <= MOST:
            shapes[suit_row(counts, 0, tables[0]) - ROWS] = found
    for code in range(5**7):
        if code:
            next_code(counts, 34)
        total = 0
        found = 0
        for kind in range(27, 34):
            total += counts[kind]
            if counts[kind] >= 3:
                found += GROUP + TRIPLET
        if total <= MOST:
            shapes[honour_row(counts, tables[0]) - ROWS] = found


@kernel("neat", seconds=1.0)
def fill_traits(counts: NDArray[np.uint8], tables: Records[HandTables], traits: NDArray[np.uint32]) -> None:
    """Fill ``traits``; ``counts`` (34, zero) is scratch."""
    for code in range(CODES):
        if code:
            next_code(counts, 9)
        total = 0
        held = 0
        triples = 0
        for number in range(9):
            total += counts[number]
            held |= int(counts[number] > 0) << number
            triples += int(counts[number] >= 3)
        if total > MOST:
            continue
        twins = 0
        for low in range(7):
            twins = max(twins, min(2, counts[low]) + min(2, counts[low + 1]) + min(2, counts[low + 2]))
        orphans = total
        for number in range(1, 8):
            orphans -= counts[number]
        place = suit_row(counts, 0, tables[0])
        ones = counts[0]
        nines = counts[8]
        counts[0] = 0
        counts[8] = 0
        inner = row_word(counts, 0, tables[0]) >> ID_SHIFT
        counts[0] = ones
        counts[8] = nines
        row = held | twins << TWINS_AT | orphans << ORPHANS_AT | triples << TRIPLES_AT | inner << ID_SHIFT
        traits[place - ROWS] = row
    empty = row_word(counts, 3, tables[0]) >> ID_SHIFT
    for code in range(5**7):
        if code:
            next_code(counts, 34)
        total = 0
        triples = 0
        for kind in range(27, 34):
            total += counts[kind]
            triples += int(counts[kind] >= 3)
        if total <= MOST:
            row = total << ORPHANS_AT | triples << TRIPLES_AT | empty << ID_SHIFT
            traits[honour_row(counts, tables[0]) - ROWS] = row
