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

from engine._jit import kernel, part
from engine.shanten.table_kernels import (
    HONOUR_FIRST,
    HONOUR_SECOND,
    ID_SHIFT,
    MOST,
    ROWS,
    SUIT_FIRST,
    SUIT_SECOND,
)

CODES = 5**9
"""Number of codes of a suit: its nine counts as digits in base five, the 1 first."""

TRIPLET, RUN, PARTIAL, GROUP = 1, 1 << 4, 1 << 8, 1 << 12
TWINS_AT, ORPHANS_AT, TRIPLES_AT = 9, 12, 16


@part
def next_code(digits: NDArray[np.int64], length: int) -> int:
    """Count one up in base five; the last digit that is not zero."""
    last = length - 1
    while digits[last] == 4:
        digits[last] = 0
        last -= 1
    digits[last] += 1
    return last


@part
def suit_place_of(digits: NDArray[np.int64], words: NDArray[np.uint32]) -> int:
    """Place in ``words`` of a suit."""
    first = 0
    second = 0
    for number in range(4):
        first = 5 * first + digits[number]
    for number in range(4, 9):
        second = 5 * second + digits[number]
    return int(words[SUIT_FIRST + first]) + int(words[SUIT_SECOND + second])


@part
def honour_place_of(digits: NDArray[np.int64], words: NDArray[np.uint32]) -> int:
    """Place in ``words`` of the honours."""
    first = 0
    second = 0
    for number in range(3):
        first = 5 * first + digits[number]
    for number in range(3, 7):
        second = 5 * second + digits[number]
    return int(words[HONOUR_FIRST + first]) + int(words[HONOUR_SECOND + second])


@kernel
def fill_shapes(
    digits: NDArray[np.int64],
    powers: NDArray[np.int64],
    best: NDArray[np.int64],
    words: NDArray[np.uint32],
    shapes: NDArray[np.uint16],
) -> None:
    """Fill ``shapes``; ``digits`` and ``powers`` (nine each) and ``best`` (CODES) are scratch.

    The lowest tile of a suit is in some part of the split, or in none: what is left without that part is an earlier
    code.
    """
    for number in range(9):
        digits[number] = 0
        powers[number] = 5 ** (8 - number)
    best[0] = 0
    shapes[suit_place_of(digits, words) - ROWS] = 0
    for code in range(1, CODES):
        next_code(digits, 9)
        low = 0
        total = 0
        for number in range(8, -1, -1):
            total += digits[number]
            if digits[number]:
                low = number
        one = powers[low]
        found = best[code - one]
        if digits[low] >= 3:
            found = max(found, best[code - 3 * one] + GROUP + TRIPLET)
        if low < 8 and digits[low + 1]:
            two = one + powers[low + 1]
            found = max(found, best[code - two] + PARTIAL)
            if low < 7 and digits[low + 2]:
                found = max(found, best[code - two - powers[low + 2]] + GROUP + RUN)
        if low < 7 and digits[low + 2]:
            found = max(found, best[code - one - powers[low + 2]] + PARTIAL)
        best[code] = found
        if total <= MOST:
            shapes[suit_place_of(digits, words) - ROWS] = found
    for number in range(7):
        digits[number] = 0
    for code in range(5**7):
        if code:
            next_code(digits, 7)
        total = 0
        found = 0
        for number in range(7):
            total += digits[number]
            if digits[number] >= 3:
                found += GROUP + TRIPLET
        if total <= MOST:
            shapes[honour_place_of(digits, words) - ROWS] = found


@kernel
def fill_traits(digits: NDArray[np.int64], words: NDArray[np.uint32], traits: NDArray[np.uint32]) -> None:
    """Fill ``traits``; ``digits`` (nine) is scratch."""
    for number in range(9):
        digits[number] = 0
    for code in range(CODES):
        if code:
            next_code(digits, 9)
        total = 0
        held = 0
        triples = 0
        for number in range(9):
            total += digits[number]
            held |= int(digits[number] > 0) << number
            triples += int(digits[number] >= 3)
        if total > MOST:
            continue
        twins = 0
        for low in range(7):
            twins = max(twins, min(2, digits[low]) + min(2, digits[low + 1]) + min(2, digits[low + 2]))
        place = suit_place_of(digits, words)
        ones = digits[0]
        nines = digits[8]
        digits[0] = 0
        digits[8] = 0
        inner = int(words[suit_place_of(digits, words)]) >> ID_SHIFT
        digits[0] = ones
        digits[8] = nines
        row = held | twins << TWINS_AT | (ones + nines) << ORPHANS_AT | triples << TRIPLES_AT | inner << ID_SHIFT
        traits[place - ROWS] = row
    for number in range(9):
        digits[number] = 0
    empty = int(words[honour_place_of(digits, words)]) >> ID_SHIFT
    for code in range(5**7):
        if code:
            next_code(digits, 7)
        total = 0
        triples = 0
        for number in range(7):
            total += digits[number]
            triples += int(digits[number] >= 3)
        if total <= MOST:
            row = total << ORPHANS_AT | triples << TRIPLES_AT | empty << ID_SHIFT
            traits[honour_place_of(digits, words) - ROWS] = row
