"""What the networks see of a hand of 13 tiles: one active input in each block.

The first blocks are those of Ihara and Kato: the copies of each kind, standard and seven-pairs shanten, and how the
hand splits. Those of the extended set follow: how near the hand is to the yaku.

Two tables over the rows of :mod:`engine.shanten.table_kernels` say how a suit splits, and which yaku it comes near.
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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, inlined_part, kernel, part
from engine.shanten.shanten_kernels import (
    honour_row,
    orphans_of_sum,
    pairs_of_sum,
    row_word,
    standard_of_words,
    suit_row,
)
from engine.shanten.table_kernels import ID_SHIFT, MOST, ROWS, HandTables

CODES = 5**9
"""Number of codes of a suit: its nine counts in base five, the 1 first."""

TRIPLET, RUN, PARTIAL, GROUP = 1, 1 << 4, 1 << 8, 1 << 12
TWINS_AT, ORPHANS_AT, TRIPLES_AT = 9, 12, 16
COUNTS = 0
STANDARD = COUNTS + 5 * 34
SEVEN_PAIRS = STANDARD + 9
RUNS = SEVEN_PAIRS + 7
TRIPLETS = RUNS + 5
GROUPS = TRIPLETS + 5
PAIRS = GROUPS + 5
PARTIALS = PAIRS + 7
PAPER = PARTIALS + 7
"""Number of inputs of the paper: 215."""

SIMPLES = PAPER
"""Standard shanten without terminals and honours, 8 at most."""
HALF_FLUSH = SIMPLES + 9
"""Standard shanten of the best suit with the honours, 8 at most."""
FLUSH = HALF_FLUSH + 9
"""Standard shanten of the best suit alone, 8 at most."""
THREE_SUITS = FLUSH + 9
"""Most tiles held of the same run in three suits."""
STRAIGHT = THREE_SUITS + 10
"""Most kinds held of a suit."""
TWINS = STRAIGHT + 10
"""Most tiles held of two equal runs."""
ALL_TRIPLETS = TWINS + 7
"""Shanten to four triplets and a pair."""
OUTSIDE = ALL_TRIPLETS + 9
"""Terminals and honours held, 9 at most."""
DRAGONS = OUTSIDE + 10
"""Dragons held that count towards triplets."""
BONUS = DRAGONS + 10
"""Dora and red fives held, 5 at most."""
EXTENDED = BONUS + 6
"""Number of inputs of the extended set."""

PAPER_BLOCKS = 7
EXTENDED_BLOCKS = 17
"""Numbers of blocks besides the copies of each kind."""


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


class ShapeTables(NamedTuple):
    """The tables of hands, and those of the shapes of suits (see :mod:`engine.papers.neat.input_kernels`)."""

    hands: Records[HandTables]
    shapes: NDArray[np.uint16]
    traits: NDArray[np.uint32]


@inlined_part
def paper_inputs(m: int, p: int, s: int, z: int, split: int, tables: ShapeTables, rows: NDArray[np.int64]) -> int:
    """Write the active inputs of the paper's blocks after the copies into ``rows``; the hand's standard shanten.

    ``m`` ... ``z`` are the words of the hand's suits, ``split`` is the sum of their shapes.
    """
    total = m + p + s + z
    standard = standard_of_words(m, p, s, z, 4, tables.hands[0])
    rows[0] = STANDARD + standard
    rows[1] = SEVEN_PAIRS + pairs_of_sum(total)
    rows[2] = RUNS + (split >> 4 & 15)
    rows[3] = TRIPLETS + (split & 15)
    rows[4] = GROUPS + (split >> 12)
    rows[5] = PAIRS + (total & 15)
    rows[6] = PARTIALS + (split >> 8 & 15)
    return standard


@inlined_part
def yaku_inputs(
    m: int,
    p: int,
    s: int,
    z: int,
    mt: int,
    pt: int,
    st: int,
    zt: int,
    dragons: int,
    bonus: int,
    tables: ShapeTables,
    rows: NDArray[np.int64],
) -> None:
    """Likewise those of the blocks that the extended set adds; ``mt`` ... ``zt`` are the traits of the suits."""
    hands = tables.hands[0]
    none = int(hands.words[ROWS])  # the first row holds no tile
    rows[7] = SIMPLES + min(8, standard_of_words(mt, pt, st, zt, 4, hands))
    half = standard_of_words(m, none, none, z, 4, hands)
    half = min(half, standard_of_words(none, p, none, z, 4, hands))
    half = min(half, standard_of_words(none, none, s, z, 4, hands))
    rows[8] = HALF_FLUSH + min(8, half)
    full = standard_of_words(m, none, none, zt, 4, hands)
    full = min(full, standard_of_words(none, p, none, zt, 4, hands))
    full = min(full, standard_of_words(none, none, s, zt, 4, hands))
    rows[9] = FLUSH + min(8, full)
    three = 0
    for low in range(7):
        held = (mt >> low & 7) | (pt >> low & 7) << 3 | (st >> low & 7) << 6
        three = max(three, _bits(held))
    rows[10] = THREE_SUITS + three
    rows[11] = STRAIGHT + max(_bits(mt & 511), _bits(pt & 511), _bits(st & 511))
    rows[12] = TWINS + max(mt >> TWINS_AT & 7, pt >> TWINS_AT & 7, st >> TWINS_AT & 7)
    triples = (mt >> TRIPLES_AT & 7) + (pt >> TRIPLES_AT & 7) + (st >> TRIPLES_AT & 7) + (zt >> TRIPLES_AT & 7)
    pairs = (m + p + s + z) & 15
    rows[13] = ALL_TRIPLETS + 8 - 2 * triples - min(pairs - triples, 5 - triples)
    orphans = (mt >> ORPHANS_AT & 15) + (pt >> ORPHANS_AT & 15) + (st >> ORPHANS_AT & 15) + (zt >> ORPHANS_AT & 15)
    rows[14] = OUTSIDE + min(9, orphans)
    rows[15] = DRAGONS + dragons
    rows[16] = BONUS + min(5, bonus)


@part
def dragons_held(counts: NDArray[np.uint8]) -> int:
    """Copies of dragons that count towards triplets."""
    return min(3, int(counts[31])) + min(3, int(counts[32])) + min(3, int(counts[33]))


@inlined_part
def _bits(mask: int) -> int:
    mask = (mask & 0x155) + (mask >> 1 & 0x155)
    mask = (mask & 0x333) + (mask >> 2 & 0x333)
    return (mask & 15) + (mask >> 4 & 15) + (mask >> 8)


@part
def least_shanten(standard: int, total: int) -> int:
    """The least shanten over all forms, from the standard one and the sum of the words."""
    return min(standard, pairs_of_sum(total), orphans_of_sum(total))
