"""Hand scores by table: the most that the tiles of a suit score when they are split into groups, partial groups, pairs.

The scores are those of the FLOW paper. A suit's place in the table is its nine counts as digits in base five, the 1
first. The honours need no table.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel, part

SUITS = 5**9
"""Number of places of the table."""

GROUP, OPEN, TWO_GAPS, CLOSED, PAIR, DORA = 20, 10, 8, 5, 8, 15
"""Scores of a group; of two neighbours with two waits; of three tiles with two gaps (135); of one gap or an edge; of a
pair; of a dora."""


@kernel("gametree", "handscore", "montecarlo", seconds=0.5)
def fill_scores(digits: NDArray[np.int64], powers: NDArray[np.int64], scores: NDArray[np.int16]) -> None:
    """Fill ``scores`` (SUITS); ``digits`` and ``powers`` (nine each) are scratch.

    The lowest tile of a suit is in some part of the split, or in none: what is left without that part is an earlier
    place of the table.
    """
    for number in range(9):
        digits[number] = 0
        powers[number] = 5 ** (8 - number)
    scores[0] = 0
    for place in range(1, SUITS):
        last = 8
        while digits[last] == 4:
            digits[last] = 0
            last -= 1
        digits[last] += 1
        low = 0
        while digits[low] == 0:
            low += 1
        one = powers[low]
        best = scores[place - one]
        if digits[low] >= 2:
            best = max(best, scores[place - 2 * one] + PAIR)
        if digits[low] >= 3:
            best = max(best, scores[place - 3 * one] + GROUP)
        if low < 8 and digits[low + 1]:
            two = one + powers[low + 1]
            best = max(best, scores[place - two] + (CLOSED if low in (0, 7) else OPEN))
            if low < 7 and digits[low + 2]:
                best = max(best, scores[place - two - powers[low + 2]] + GROUP)
        if low < 7 and digits[low + 2]:
            gap = one + powers[low + 2]
            best = max(best, scores[place - gap] + CLOSED)
            if low < 5 and digits[low + 4]:
                best = max(best, scores[place - gap - powers[low + 4]] + TWO_GAPS)
        scores[place] = best


@part
def suit_place(counts: NDArray[np.uint8], at: int) -> int:
    """The place of the nine counts from ``at`` (0, 9 or 18)."""
    place = 0
    for number in range(9):
        place = 5 * place + int(counts[at + number])
    return place


@part
def honour_score(count: int) -> int:
    """The score of so many copies of an honour."""
    if count >= 3:
        return GROUP
    return PAIR if count == 2 else 0


@part
def score_of(counts: NDArray[np.uint8], scores: NDArray[np.int16]) -> int:
    """The score of a hand, without dora."""
    total = 0
    for suit in range(3):
        total += scores[suit_place(counts, 9 * suit)]
    for kind in range(27, 34):
        total += honour_score(counts[kind])
    return total


@part
def discard_change(counts: NDArray[np.uint8], kind: int, scores: NDArray[np.int16]) -> int:
    """What the score of a hand changes by when a tile that it holds is discarded, without dora."""
    if kind >= 27:
        return honour_score(counts[kind] - 1) - honour_score(counts[kind])
    whole = suit_place(counts, kind // 9 * 9)
    step = 1
    for _ in range(8 - kind % 9):
        step *= 5
    return int(scores[whole - step]) - int(scores[whole])


@kernel("handscore", seconds=0.5)
def score_discards(
    counts: NDArray[np.uint8],
    dora: NDArray[np.int64],
    reds: NDArray[np.int64],
    scores: NDArray[np.int16],
    found: NDArray[np.int64],
) -> None:
    """The score after each discard into ``found`` (35), -1 for a kind that is not held; last, that of the hand itself.

    ``dora`` is how many dora a tile of the kind is, ``reds`` whether a red five of the kind is held; of a five, the
    plain one is discarded as long as there is one.
    """
    bonus = 0
    for kind in range(34):
        bonus += DORA * (counts[kind] * dora[kind] + reds[kind])
    found[34] = score_of(counts, scores) + bonus
    for kind in range(34):
        found[kind] = -1
        if counts[kind] == 0:
            continue
        lost = DORA * (dora[kind] + (reds[kind] if counts[kind] == 1 else 0))
        found[kind] = found[34] + discard_change(counts, kind, scores) - lost
