"""Recorded hands played again with all four hands open, and the table kept at the moments to learn from."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, allocating_part
from engine.rules.code_kernels import TYPE
from engine.rules.step_kernels import step
from engine.rules.table_kernels import Number, Table, deal, start
from engine.shanten.table_kernels import HandTables

K_KYOKU, K_HONBA, K_STICKS, K_DEALER, K_INDICATOR, K_FIRST_EVENT, K_EVENTS, K_LAST_KYOKU = range(1, 9)
K_SCORES = 12
"""Columns of ``kyoku``, as in :class:`engine.rules.recordings.KyokuColumn`."""

MOST_MOMENTS = 400
"""Moments of one hand at most."""


class Games(NamedTuple):
    """The arrays of :class:`engine.rules.recordings.Recordings` that hold the hands."""

    kyoku: Array2[np.int32]
    hands: Array3[np.uint8]
    events: NDArray[np.uint32]


class Moment(Table):
    """The table at a moment of a recorded hand.

    Attributes:
        row: of ``kyoku``: which hand it is.
        number: of the next event in the hand.
        code: the next event, see :mod:`engine.rules.code_kernels`.
    """

    row: Number
    number: Number
    code: Number


class Moments(NamedTuple):
    """Room for moments.

    Attributes:
        records: n moments, with the rules of the table written in.
        words: (n, size / 8), the same memory, in which a moment is copied.
    """

    records: Records[Moment]
    words: Array2[np.uint64]


@allocating_part
def play_hand(games: Games, hand: int, before: int, after: int, tables: HandTables, to: Moments, n: int) -> int:
    """Play a recorded hand to its end, and keep the table where it is to be learned from.

    Args:
        games: the recordings.
        hand: row of ``kyoku``.
        before: bit set of types of event; a moment is kept before each of them.
        after: the same for moments after each of them.
        tables: the tables of hands.
        to: where to write; there must be room for ``MOST_MOMENTS`` and one more.
        n: the first place to write to.

    Returns:
        The place after the last moment; there lies the table as the hand left it.
    """
    row = games.kyoku[hand]
    for seat in range(4):
        to.records[n].scores[seat] = row[K_SCORES + seat]
    to.records[n].last_kyoku = row[K_LAST_KYOKU]
    start(to.records[n], int(row[K_KYOKU]), int(row[K_HONBA]), int(row[K_STICKS]), int(row[K_DEALER]))
    deal(to.records[n], games.hands[hand], int(row[K_INDICATOR]), tables)
    first = row[K_FIRST_EVENT]
    last_type = TYPE  # which is none
    for number in range(row[K_EVENTS]):
        code = int(games.events[first + number])
        if before >> (code & TYPE) & 1 or after >> last_type & 1:
            moment = to.records[n]
            moment.row = hand
            moment.number = number
            moment.code = code
            n += 1
            for at in range(to.words.shape[1]):
                to.words[n, at] = to.words[n - 1, at]
        step(to.records[n], code, tables)
        last_type = code & TYPE
    return n


@allocating_kernel("critic", seconds=4.0)
def collect_moments(
    games: Games, which: NDArray[np.int64], before: int, tables: Records[HandTables], to: Moments
) -> tuple[int, int]:
    """Play hands, rows of ``kyoku``, until the room is full or all are through; see :func:`play_hand`.

    Returns:
        How many moments there are, and how many hands were played.
    """
    n = 0
    for done in range(len(which)):
        if n + MOST_MOMENTS >= len(to.records):
            return n, done
        n = play_hand(games, which[done], before, 0, tables[0], to, n)
    return n, len(which)
