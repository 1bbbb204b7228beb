"""The tables of shanten and of readings: how they are laid out and how they are built.

A suit's nine counts (at most fourteen tiles) are one of 405 350 rows, the honours' seven one of 43 130. What a row
means for standard form is a vector of ten distances: tiles missing for 0-4 sets, without and with the pair. Only
126 such vectors exist for a suit and 55 for the honours, and only 180 and 165 for suit+suit and suit+honours, so the
min-plus product of four vectors becomes three look-ups of small ids: a hand costs eleven loads after its row numbers.

``words`` (uint32) starts with the pieces of the row numbers, then has one word a row::

    bits  0-3   kinds held twice or more          (seven pairs)
    bits  4-7   kinds held
    bits  8-11  terminal and honour kinds held    (thirteen orphans)
    bits 12-15  terminal and honour kinds held twice or more
    bits 24-31  id of the distance vector

The low fields of a hand's four words may be added without carry from one field into the next. A row number is
``words[first] + words[second]``, where ``first`` and ``second`` stand for the base-5 codes of the first and the
remaining counts: rows are ordered by the sum of the first counts, then of the second, so that common ones share
cache lines.

``merge`` (uint8) has the id of suit+suit, then that of suit+honours, then shanten + 1 by sets needed and both ids.

``firsts`` (uint16) has, for each row (place less ``ROWS``), the place of its
first reading in ``readings``, 0 where it has none. ``readings`` (int64) holds one reading a word::

    bits  0-6   runs, by lowest number            bits 25-27  how many runs
    bits  7-15  triplets, by number               bits 28-30  how many triplets
    bits 16-24  the pair                          bits 31-33  how many pairs of equal runs
    bits 36-56  how often each run, three bits    bit  57     last reading of its row
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from engine._jit import Record, allocating_kernel, allocating_part, part

MOST = 14
"""Tiles in a hand at most."""

# Places in `words`: base-5 codes of man/pin/sou counts 1-4 and 5-9, of honour counts 1-3 and 4-7, then the rows.
SUIT_FIRST = 0
SUIT_SECOND = SUIT_FIRST + 5**4
HONOUR_FIRST = SUIT_SECOND + 5**5
HONOUR_SECOND = HONOUR_FIRST + 5**3
ROWS = HONOUR_SECOND + 5**4
SUIT_ROWS = 405_350
HONOUR_ROWS = 43_130
WORDS = ROWS + SUIT_ROWS + HONOUR_ROWS

ID_SHIFT = 24
LOW = 0xFFFF

# Places in `merge`; the strides are powers of two or small multiples, so that indexing is a shift.
SUIT_IDS = 128
HONOUR_IDS = 64
PAIR_IDS = 192
MERGE_HONOURS = SUIT_IDS * SUIT_IDS
MERGE_LAST = MERGE_HONOURS + SUIT_IDS * HONOUR_IDS
MERGE = MERGE_LAST + 5 * PAIR_IDS * PAIR_IDS

READINGS = 24_032
"""Readings of all rows, and one that stands for none; see the module."""
TRIPLETS_AT = 7
PAIR_AT = 16
RUN_COUNT_AT = 25
TRIPLET_COUNT_AT = 28
TWINS_AT = 31
EACH_RUN_AT = 36
LAST_READING = 1 << 57

_RUNS = 7
"""Numbers of runs of a suit, by their lowest tile."""
_FAR = 99


class HandTables(Record):
    """All tables that shanten and scoring read: one record, so that kernels hand on a single pointer.

    Attributes:
        words: the pieces of row numbers, and a word for each row; see the module.
        merge: ids of suits together; see the module.
        firsts, readings: the first reading of each row, and all readings; see the module.
    """

    words: Annotated[NDArray[np.uint32], (WORDS,)]
    merge: Annotated[NDArray[np.uint8], (MERGE,)]
    firsts: Annotated[NDArray[np.uint16], (SUIT_ROWS + HONOUR_ROWS,)]
    readings: Annotated[NDArray[np.int64], (READINGS,)]


@allocating_kernel("hands", seconds=0.5)
def fill_row_numbers(words: NDArray[np.uint32]) -> None:
    """Write the pieces of the row numbers: ``words[first] + words[second]`` is the place of a row's word."""
    start = _fill_part(words, SUIT_FIRST, 4, SUIT_SECOND, 5, ROWS)
    _fill_part(words, HONOUR_FIRST, 3, HONOUR_SECOND, 4, start)


@allocating_part
def _fill_part(words: NDArray[np.uint32], first: int, length: int, second: int, rest: int, start: int) -> int:
    # second codes by ascending sum: those that fit beside a first part are then a prefix of the order
    fits = np.zeros(MOST + 1, np.int64)
    rank = 0
    for total in range(4 * rest + 1):
        for code in range(5**rest):
            if _digits(code) == total:
                words[second + code] = rank
                rank += 1
        if total <= MOST:
            fits[total] = rank
    for total in range(min(MOST, 4 * length) + 1):
        for code in range(5**length):
            if _digits(code) == total:
                words[first + code] = start
                start += fits[MOST - total]
    return start


@part
def _digits(code: int) -> int:
    total = 0
    while code:
        total += code % 5
        code //= 5
    return total


@allocating_kernel("hands", seconds=2.0)
def fill_rows(words: NDArray[np.uint32], vectors: NDArray[np.uint64], honours: bool) -> None:
    """Compute each row: its packed distance vector into ``vectors``, the low fields of its word into ``words``.

    All counts are visited in order; a dynamic program over the kinds is redone only from the kind that changed.
    Its state is (runs begun at the last kind, runs begun the kind before, sets, pair); three equal runs are never
    needed, they are three triplets. A target holds at most four of a kind: nobody can wait for a fifth tile.
    """
    kinds = 7 if honours else 9
    split = 3 if honours else 4
    first_at = HONOUR_FIRST if honours else SUIT_FIRST
    second_at = HONOUR_SECOND if honours else SUIT_SECOND
    best = np.full((kinds + 1, 3, 3, 5, 2), _FAR, np.uint8)
    best[0, 0, 0, 0, 0] = 0
    counts = np.zeros(kinds, np.int64)
    changed = 0
    total = 0
    while True:
        for kind in range(changed, kinds):
            runs = 0 if honours or kind >= 7 else 2
            _extend(best[kind], best[kind + 1], counts[kind], runs)
        first = 0
        second = 0
        low = 0
        for kind in range(kinds):
            if kind < split:
                first = 5 * first + counts[kind]
            else:
                second = 5 * second + counts[kind]
            orphan = honours or kind in (0, 8)
            if counts[kind] >= 1:
                low += 0x110 if orphan else 0x10
            if counts[kind] >= 2:
                low += 0x1001 if orphan else 0x1
        place = words[first_at + first] + words[second_at + second]
        words[place] = low
        vectors[place - ROWS] = _pack(best[kinds, 0, 0])
        kind = kinds - 1
        while kind >= 0 and (counts[kind] == 4 or total == MOST):
            total -= counts[kind]
            counts[kind] = 0
            kind -= 1
        if kind < 0:
            return
        counts[kind] += 1
        total += 1
        changed = kind


@part
def _extend(best: NDArray[np.uint8], after: NDArray[np.uint8], count: int, most_runs: int) -> None:
    after[:] = _FAR
    for last in range(3):
        for before in range(3):
            for sets in range(5):
                for pair in range(2):
                    distance = best[last, before, sets, pair]
                    if distance == _FAR:
                        continue
                    for runs in range(most_runs + 1):
                        for triplet in range(2):
                            if sets + runs + triplet > 4:
                                break
                            for eyes in range(2 - pair):
                                target = last + before + runs + 3 * triplet + 2 * eyes
                                if target > 4:
                                    break
                                missing = distance + max(0, target - count)
                                known = after[runs, last, sets + runs + triplet, pair + eyes]
                                after[runs, last, sets + runs + triplet, pair + eyes] = min(known, missing)


@part
def _pack(distances: NDArray[np.uint8]) -> np.uint64:
    # nibbles: 0-4 sets without pair, then with; nothing is missing for no set, the nibble is always 0
    packed = np.uint64(0)
    for sets in range(5):
        packed |= np.uint64(distances[sets, 0]) << np.uint64(4 * sets)
        packed |= np.uint64(distances[sets, 1]) << np.uint64(4 * sets + 20)
    return packed


@allocating_kernel("hands", seconds=1.0)
def merge_vectors(left: NDArray[np.uint64], right: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Min-plus products of packed distance vectors, shape (len(left), len(right))."""
    merged = np.empty((len(left), len(right)), np.uint64)
    for i in range(len(left)):
        for j in range(len(right)):
            packed = np.uint64(0)
            for sets in range(5):
                plain = _FAR
                paired = _FAR
                for k in range(sets + 1):
                    ours = (left[i] >> np.uint64(4 * k)) & np.uint64(15)
                    ours_paired = (left[i] >> np.uint64(4 * k + 20)) & np.uint64(15)
                    theirs = (right[j] >> np.uint64(4 * (sets - k))) & np.uint64(15)
                    theirs_paired = (right[j] >> np.uint64(4 * (sets - k) + 20)) & np.uint64(15)
                    plain = min(plain, ours + theirs)
                    paired = min(paired, ours + theirs_paired, ours_paired + theirs)
                packed |= np.uint64(plain) << np.uint64(4 * sets)
                packed |= np.uint64(paired) << np.uint64(4 * sets + 20)
            merged[i, j] = packed
    return merged


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
                rows[found] = _reading_row(counts, honours, words)
                readings[found] = _pack_reading(chosen, pair, lowest)
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
def _reading_row(counts: list[int], honours: bool, words: NDArray[np.uint32]) -> int:
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
def _pack_reading(chosen: list[int], pair: int, lowest: int) -> int:
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
