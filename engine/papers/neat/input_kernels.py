"""What the networks see of a hand of 13 tiles: one active input in each block.

The first blocks are those of Ihara and Kato: the copies of each kind, standard and seven-pairs shanten, and how the
hand splits. Those of the extended set follow: how near the hand is to the yaku.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, inlined_part, part
from engine.papers.neat.shape_kernels import ORPHANS_AT, TRIPLES_AT, TWINS_AT
from engine.shanten.shanten_kernels import orphans_of_sum, pairs_of_sum, standard_of_words
from engine.shanten.table_kernels import ROWS, HandTables

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


class ShapeTables(NamedTuple):
    """The tables of hands, and those of the shapes of suits (see :mod:`engine.papers.neat.shape_kernels`)."""

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
