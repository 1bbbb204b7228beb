"""Shanten of hands by table; see :mod:`engine.shanten.table_kernels` for the tables.

``counts`` is uint8[34], at most :data:`MOST` tiles, at most four of a kind; ``melds`` is 0-4. ``need`` is the number
of sets still to be made of concealed tiles. A *row* is a place in ``tables.words``, a *word* what stands there.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Records, allocating_kernel, inlined_part, kernel, part
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
    HandTables,
)

NOT_HELD = 99
"""Stands in a row of results where the tile cannot be discarded (none held) or drawn (four held)."""

ANY_FORM, STANDARD, SEVEN_PAIRS, ORPHANS = range(4)
"""Forms of a complete hand; ANY_FORM is the nearest."""

TILES_OK, TILES_FIVE, TILES_NUMBER = 0, 1, 2
"""Answers of :func:`check_hand`."""


@kernel("hands", seconds=0.2)
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


@part
def suit_row(counts: NDArray[np.uint8], at: int, tables: HandTables) -> int:
    """The row of the nine counts from ``at`` (0, 9 or 18)."""
    first = ((int(counts[at]) * 5 + counts[at + 1]) * 5 + counts[at + 2]) * 5 + counts[at + 3]
    second = (((int(counts[at + 4]) * 5 + counts[at + 5]) * 5 + counts[at + 6]) * 5 + counts[at + 7]) * 5 + counts[
        at + 8
    ]
    return int(tables.words[SUIT_FIRST + first]) + int(tables.words[SUIT_SECOND + second])


@part
def honour_row(counts: NDArray[np.uint8], tables: HandTables) -> int:
    """The honours' row."""
    first = (int(counts[27]) * 5 + counts[28]) * 5 + counts[29]
    second = ((int(counts[30]) * 5 + counts[31]) * 5 + counts[32]) * 5 + counts[33]
    return int(tables.words[HONOUR_FIRST + first]) + int(tables.words[HONOUR_SECOND + second])


@inlined_part
def row_of(counts: NDArray[np.uint8], suit: int, tables: HandTables) -> int:
    """The row of suit 0-2 or of the honours, 3."""
    if suit == 3:
        return honour_row(counts, tables)
    return suit_row(counts, 9 * suit, tables)


@part
def row_word(counts: NDArray[np.uint8], suit: int, tables: HandTables) -> int:
    """The word of suit 0-2 or of the honours, 3."""
    return int(tables.words[row_of(counts, suit, tables)])


@inlined_part
def hand_rows(counts: NDArray[np.uint8], tables: HandTables) -> tuple[int, int, int, int]:
    """The rows of the three suits and of the honours."""
    return (
        suit_row(counts, 0, tables),
        suit_row(counts, 9, tables),
        suit_row(counts, 18, tables),
        honour_row(counts, tables),
    )


@inlined_part
def hand_words(counts: NDArray[np.uint8], tables: HandTables) -> tuple[int, int, int, int]:
    """The words of the three suits and of the honours."""
    man, pin, sou, honours = hand_rows(counts, tables)
    words = tables.words
    return int(words[man]), int(words[pin]), int(words[sou]), int(words[honours])


@inlined_part
def with_suit(suit: int, value: int, man: int, pin: int, sou: int, honours: int) -> tuple[int, int, int, int]:
    """Values of the four suits (words, for example), that of ``suit`` being replaced by ``value``."""
    return (
        value if suit == 0 else man,
        value if suit == 1 else pin,
        value if suit == 2 else sou,
        value if suit == 3 else honours,
    )


@kernel("hands", seconds=0.2)
def find_rows(counts: NDArray[np.uint8], tables: Records[HandTables]) -> tuple[int, int, int, int]:
    """:func:`hand_rows` for callers in Python."""
    return hand_rows(counts, tables[0])


@part
def standard_of_words(man: int, pin: int, sou: int, honours: int, need: int, tables: HandTables) -> int:
    """Standard-form shanten from the four words."""
    merge = tables.merge
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
def shanten_of_words(man: int, pin: int, sou: int, honours: int, melds: int, tables: HandTables) -> int:
    """The least shanten over all forms; with melds only standard form counts."""
    total = man + pin + sou + honours
    far = NOT_HELD * int(melds != 0)  # no branch: in a search it would be taken at random
    standard = standard_of_words(man, pin, sou, honours, 4 - melds, tables)
    return min(standard, min(pairs_of_sum(total), orphans_of_sum(total)) + far)


@inlined_part
def shanten_changed(
    counts: NDArray[np.uint8], suit: int, man: int, pin: int, sou: int, honours: int, melds: int, tables: HandTables
) -> int:
    """The least shanten of a hand of which all words but that of ``suit`` are known."""
    word = row_word(counts, suit, tables)
    man, pin, sou, honours = with_suit(suit, word, man, pin, sou, honours)
    return shanten_of_words(man, pin, sou, honours, melds, tables)


@part
def hand_shanten(counts: NDArray[np.uint8], melds: int, tables: HandTables) -> int:
    """Shanten of one valid hand."""
    man, pin, sou, honours = hand_words(counts, tables)
    return shanten_of_words(man, pin, sou, honours, melds, tables)


@part
def hand_standard(counts: NDArray[np.uint8], melds: int, tables: HandTables) -> int:
    """Standard-form shanten of one valid hand."""
    man, pin, sou, honours = hand_words(counts, tables)
    return standard_of_words(man, pin, sou, honours, 4 - melds, tables)


@kernel("hands", seconds=0.5)
def checked_shanten(counts: NDArray[np.uint8], melds: int, form: int, tables: Records[HandTables]) -> int:
    """Shanten of one hand to one form or to the nearest, or ``-10 -`` the TILES_ code where it is no hand."""
    fault = check_hand(counts, melds, True, True)
    if fault != TILES_OK:
        return -10 - fault
    if form == ANY_FORM:
        return hand_shanten(counts, melds, tables[0])
    if form == STANDARD:
        return hand_standard(counts, melds, tables[0])
    man, pin, sou, honours = hand_words(counts, tables[0])
    total = man + pin + sou + honours
    return pairs_of_sum(total) if form == SEVEN_PAIRS else orphans_of_sum(total)


@allocating_kernel("hands in batches", seconds=1.0)
def batch_shanten(
    counts: Array2[np.uint8], melds: NDArray[np.uint8], tables: Records[HandTables], out: NDArray[np.int8]
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
        man, pin, sou, honours = hand_words(hand, tables[0])
        out[row] = shanten_of_words(man, pin, sou, honours, count, tables[0])
    return -1


@part
def fill_neighbour_shanten(
    counts: NDArray[np.uint8], melds: int, step: int, tables: HandTables, out: NDArray[np.int8]
) -> int:
    """Shanten after drawing (``step`` 1) or discarding (-1) each kind, into ``out`` (35); of the hand itself last.

    ``counts`` is changed on the way and put back. Returns a TILES_ code; only when it is TILES_OK is ``out`` filled.
    """
    fault = check_hand(counts, melds, step > 0, step < 0)
    if fault != TILES_OK:
        return fault
    man, pin, sou, honours = hand_words(counts, tables)
    out[34] = shanten_of_words(man, pin, sou, honours, melds, tables)
    limit = 4 if step > 0 else 0
    for kind in range(34):
        if counts[kind] == limit:
            out[kind] = NOT_HELD
            continue
        counts[kind] += step
        out[kind] = shanten_changed(counts, kind // 9, man, pin, sou, honours, melds, tables)
        counts[kind] -= step
    return TILES_OK


@kernel("hands", seconds=1.0)
def neighbour_shanten(
    counts: NDArray[np.uint8], melds: int, step: int, tables: Records[HandTables], out: NDArray[np.int8]
) -> int:
    """:func:`fill_neighbour_shanten` for callers in Python."""
    return fill_neighbour_shanten(counts, melds, step, tables[0], out)


@allocating_kernel("hands", seconds=1.0)
def discard_ukeire(
    counts: NDArray[np.uint8],
    melds: int,
    unseen: NDArray[np.uint8],
    tables: Records[HandTables],
    shanten: NDArray[np.int8],
    kinds: NDArray[np.int64],
    copies: NDArray[np.int64],
) -> int:
    """For each discard from a hand of 14 - 3k tiles: what :func:`engine.shanten.discard_ukeire` returns, each (34,).

    ``counts`` is changed on the way and put back. Returns a TILES_ code; only when it is TILES_OK are they filled.
    """
    fault = check_hand(counts, melds, False, True)
    if fault != TILES_OK:
        return fault
    after = np.empty(35, np.int8)
    for discard in range(34):
        shanten[discard], kinds[discard], copies[discard] = NOT_HELD, 0, 0
        if counts[discard] == 0:
            continue
        counts[discard] -= 1
        fill_neighbour_shanten(counts, melds, 1, tables[0], after)
        counts[discard] += 1
        shanten[discard] = after[34]
        for kind in range(34):
            if after[kind] < after[34]:
                kinds[discard] |= 1 << kind
                copies[discard] += unseen[kind]
    return TILES_OK
