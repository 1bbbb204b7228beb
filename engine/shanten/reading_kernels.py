"""The reading table: every way to split a suit's (or the honours') tiles into complete sets and at most one pair.

``firsts`` (uint16) has, for each row of :mod:`engine.shanten.table_kernels` (place less ``ROWS``), the place of its
first reading in ``readings``, 0 where it has none. ``readings`` (int64) holds one reading a word::

    bits  0-6   runs, by lowest number            bits 25-27  how many runs
    bits  7-15  triplets, by number               bits 28-30  how many triplets
    bits 16-24  the pair                          bits 31-33  how many pairs of equal runs
    bits 36-56  how often each run, three bits    bit  57     last reading of its row
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_kernel, allocating_part
from engine.shanten.table_kernels import HONOUR_FIRST, HONOUR_SECOND, ROWS, SUIT_FIRST, SUIT_SECOND

TRIPLETS_AT = 7
PAIR_AT = 16
RUN_COUNT_AT = 25
TRIPLET_COUNT_AT = 28
TWINS_AT = 31
EACH_RUN_AT = 36
LAST_READING = 1 << 57

_RUNS = 7


@allocating_kernel("hands", seconds=1.5)
def list_readings(
    honours: bool, words: NDArray[np.uint32], rows: NDArray[np.int64], readings: NDArray[np.int64]
) -> int:
    """Write every reading of the suit table, or of the honours', with its row; returns how many.

    All multisets of at most four sets are visited, sets numbered runs first, and each is tried with every pair.
    """
    kinds = 7 if honours else 9
    lowest = _RUNS if honours else 0  # honours have no runs
    found = 0
    chosen = [lowest - 1] * 4  # set numbers in ascending order; lowest - 1: none
    while True:
        counts = [0] * kinds
        for number in chosen:
            if number < lowest:
                continue
            if number < _RUNS:
                for kind in range(number, number + 3):
                    counts[kind] += 1
            else:
                counts[number - _RUNS] += 3
        for pair in range(-1, kinds):
            if pair >= 0:
                counts[pair] += 2
            if max(counts) <= 4:
                rows[found] = _row(counts, honours, words)
                readings[found] = _pack(chosen, pair, lowest)
                found += 1
            if pair >= 0:
                counts[pair] -= 2
        place = 3
        while place >= 0 and chosen[place] == _RUNS + kinds - 1:
            place -= 1
        if place < 0:
            return found
        step = chosen[place] + 1
        for later in range(place, 4):
            chosen[later] = step


@allocating_part
def _row(counts: list[int], honours: bool, words: NDArray[np.uint32]) -> int:
    split = 3 if honours else 4
    first = 0
    second = 0
    for kind in range(len(counts)):
        if kind < split:
            first = 5 * first + counts[kind]
        else:
            second = 5 * second + counts[kind]
    if honours:
        return int(words[HONOUR_FIRST + first]) + int(words[HONOUR_SECOND + second]) - ROWS
    return int(words[SUIT_FIRST + first]) + int(words[SUIT_SECOND + second]) - ROWS


@allocating_part
def _pack(chosen: list[int], pair: int, lowest: int) -> int:
    reading = 0
    for number in range(_RUNS):
        count = 0
        for other in chosen:
            if other == number and other >= lowest:
                count += 1
        if count:
            reading |= 1 << number | count << (EACH_RUN_AT + 3 * number)
            reading += count << RUN_COUNT_AT
            reading += (count // 2) << TWINS_AT
    for number in chosen:
        if number >= _RUNS:
            reading |= 1 << (TRIPLETS_AT + number - _RUNS)
            reading += 1 << TRIPLET_COUNT_AT
    if pair >= 0:
        reading |= 1 << (PAIR_AT + pair)
    return reading
