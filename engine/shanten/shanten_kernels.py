"""Shanten of hands by table; see :mod:`engine.shanten.table_kernels` for the tables ``words`` and ``merge``.

``counts`` is uint8[34], at most :data:`MOST` tiles, at most four of a kind; ``melds`` is 0-4. ``need`` is the number
of sets still to be made of concealed tiles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_kernel, kernel, part
from engine.shanten.table_kernels import (
    HONOUR_FIRST,
    HONOUR_IDS,
    HONOUR_SECOND,
    ID_SHIFT,
    MERGE_HONOURS,
    MERGE_LAST,
    PAIR_IDS,
    SUIT_FIRST,
    SUIT_IDS,
    SUIT_SECOND,
)

NOT_HELD = 99
"""Stands in a row of results where the tile cannot be discarded (none held) or drawn (four held)."""

ANY_FORM, STANDARD, SEVEN_PAIRS, ORPHANS = range(4)
"""Forms of a complete hand; ANY_FORM is the nearest."""

TILES_OK, TILES_FIVE, TILES_NUMBER = 0, 1, 2
"""Answers of :func:`check_hand`."""


@kernel
def check_hand(counts: NDArray[np.uint8], melds: int, thirteen: bool, fourteen: bool) -> int:
    """Whether ``counts`` is a hand of 13 - 3k or 14 - 3k tiles (as allowed), k = ``melds``; a TILES_ code."""
    if has_five(counts):
        return TILES_FIVE
    tiles = count_tiles(counts) + 3 * melds
    if 0 <= melds <= 4 and ((tiles == 13 and thirteen) or (tiles == 14 and fourteen)):
        return TILES_OK
    return TILES_NUMBER


@part
def has_five(counts: NDArray[np.uint8]) -> bool:
    """Whether any count is above four."""
    found = False
    for count in counts:
        found |= count > 4
    return found


@part
def count_tiles(counts: NDArray[np.uint8]) -> int:
    """Sum of 34 counts of at most four. A byte holds it, and bytes are summed many at a time."""
    total = np.uint8(0)
    for kind in range(34):
        total = np.uint8(total + counts[kind])
    return int(total)


@kernel
def suit_row(counts: NDArray[np.uint8], at: int, words: NDArray[np.uint32]) -> int:
    """Place in ``words`` of the row of the nine counts from ``at`` (0, 9 or 18)."""
    first = ((int(counts[at]) * 5 + counts[at + 1]) * 5 + counts[at + 2]) * 5 + counts[at + 3]
    second = (((int(counts[at + 4]) * 5 + counts[at + 5]) * 5 + counts[at + 6]) * 5 + counts[at + 7]) * 5 + counts[
        at + 8
    ]
    return int(words[SUIT_FIRST + first]) + int(words[SUIT_SECOND + second])


@kernel
def honour_row(counts: NDArray[np.uint8], words: NDArray[np.uint32]) -> int:
    """Place in ``words`` of the honours' row."""
    first = (int(counts[27]) * 5 + counts[28]) * 5 + counts[29]
    second = ((int(counts[30]) * 5 + counts[31]) * 5 + counts[32]) * 5 + counts[33]
    return int(words[HONOUR_FIRST + first]) + int(words[HONOUR_SECOND + second])


@part
def row_word(counts: NDArray[np.uint8], suit: int, words: NDArray[np.uint32]) -> int:
    """The word of suit 0-2 or of the honours, 3."""
    if suit == 3:
        return int(words[honour_row(counts, words)])
    return int(words[suit_row(counts, 9 * suit, words)])


@part
def standard_of_words(man: int, pin: int, sou: int, honours: int, need: int, merge: NDArray[np.uint8]) -> int:
    """Standard-form shanten from the four words."""
    suits = int(merge[(man >> ID_SHIFT) * SUIT_IDS + (pin >> ID_SHIFT)])
    rest = int(merge[MERGE_HONOURS + (sou >> ID_SHIFT) * HONOUR_IDS + (honours >> ID_SHIFT)])
    return int(merge[MERGE_LAST + (need * PAIR_IDS + suits) * PAIR_IDS + rest]) - 1


@part
def pairs_of_sum(total: int) -> int:
    """Seven-pairs shanten from the sum of the words; four of a kind is one pair."""
    pairs = total & 15
    kinds = total >> 4 & 15
    return 6 - pairs + max(0, 7 - kinds)


@part
def orphans_of_sum(total: int) -> int:
    """Thirteen-orphans shanten from the sum of the words."""
    kinds = total >> 8 & 15
    return 13 - kinds - int(total >> 12 & 15 != 0)  # no branch: half of all hands would take it


@part
def shanten_of_words(man: int, pin: int, sou: int, honours: int, melds: int, merge: NDArray[np.uint8]) -> int:
    """The least shanten over all forms; with melds only standard form counts."""
    total = man + pin + sou + honours
    far = NOT_HELD * int(melds != 0)  # no branch: in a search it would be taken at random
    standard = standard_of_words(man, pin, sou, honours, 4 - melds, merge)
    return min(standard, min(pairs_of_sum(total), orphans_of_sum(total)) + far)


@part
def hand_shanten(counts: NDArray[np.uint8], melds: int, words: NDArray[np.uint32], merge: NDArray[np.uint8]) -> int:
    """Shanten of one valid hand."""
    man = int(words[suit_row(counts, 0, words)])
    pin = int(words[suit_row(counts, 9, words)])
    sou = int(words[suit_row(counts, 18, words)])
    honours = int(words[honour_row(counts, words)])
    return shanten_of_words(man, pin, sou, honours, melds, merge)


@part
def hand_standard(counts: NDArray[np.uint8], melds: int, words: NDArray[np.uint32], merge: NDArray[np.uint8]) -> int:
    """Standard-form shanten of one valid hand."""
    man = int(words[suit_row(counts, 0, words)])
    pin = int(words[suit_row(counts, 9, words)])
    sou = int(words[suit_row(counts, 18, words)])
    honours = int(words[honour_row(counts, words)])
    return standard_of_words(man, pin, sou, honours, 4 - melds, merge)


@kernel
def checked_shanten(
    counts: NDArray[np.uint8], melds: int, form: int, words: NDArray[np.uint32], merge: NDArray[np.uint8]
) -> int:
    """Shanten of one hand to one form or to the nearest, or ``-10 -`` the TILES_ code where it is no hand."""
    fault = check_hand(counts, melds, True, True)
    if fault != TILES_OK:
        return -10 - fault
    if form == ANY_FORM:
        return hand_shanten(counts, melds, words, merge)
    if form == STANDARD:
        return hand_standard(counts, melds, words, merge)
    total = 0
    for suit in range(4):
        total += row_word(counts, suit, words)
    return pairs_of_sum(total) if form == SEVEN_PAIRS else orphans_of_sum(total)


@allocating_kernel
def batch_shanten(
    counts: Array2[np.uint8],
    melds: NDArray[np.uint8],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    out: NDArray[np.int8],
) -> int:
    """Shanten of many hands, ``counts`` (n, 34) into ``out`` (n). Returns the first row that is no hand, or -1."""
    if has_five(counts.reshape(-1)):
        for row in range(len(counts)):
            if has_five(counts[row]):
                return row
    for row in range(len(counts)):
        count: int = np.int64(melds[row])  # type: ignore[assignment]  # the one integer type of the parts called
        tiles = count_tiles(counts[row]) + 3 * count
        if count > 4 or not 13 <= tiles <= 14:
            return row
        hand = counts[row]
        # hand_shanten written out: the compiler does not inline it, and the call would be half of the time
        man = int(words[suit_row(hand, 0, words)])
        pin = int(words[suit_row(hand, 9, words)])
        sou = int(words[suit_row(hand, 18, words)])
        honours = int(words[honour_row(hand, words)])
        out[row] = shanten_of_words(man, pin, sou, honours, count, merge)
    return -1


@kernel
def neighbour_shanten(
    counts: NDArray[np.uint8],
    melds: int,
    step: int,
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    out: NDArray[np.int8],
) -> int:
    """Shanten after drawing (``step`` 1) or discarding (-1) each kind, into ``out`` (35); of the hand itself last.

    ``counts`` is changed on the way and put back. Returns a TILES_ code; only when it is TILES_OK is ``out`` filled.
    """
    fault = check_hand(counts, melds, step > 0, step < 0)
    if fault != TILES_OK:
        return fault
    man = row_word(counts, 0, words)
    pin = row_word(counts, 1, words)
    sou = row_word(counts, 2, words)
    honours = row_word(counts, 3, words)
    out[34] = shanten_of_words(man, pin, sou, honours, melds, merge)
    limit = 4 if step > 0 else 0
    for kind in range(34):
        if counts[kind] == limit:
            out[kind] = NOT_HELD
            continue
        counts[kind] += step
        suit = kind // 9
        word = row_word(counts, suit, words)
        counts[kind] -= step
        out[kind] = shanten_of_words(
            word if suit == 0 else man,
            word if suit == 1 else pin,
            word if suit == 2 else sou,
            word if suit == 3 else honours,
            melds,
            merge,
        )
    return TILES_OK
