"""Tables as they would stand after each discard that a seat may choose, for the critic to value."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Records, allocating_kernel, allocating_part
from engine.rules.code_kernels import ACCEPTED, DISCARD, FIRST_AT, SEAT_AT, SECOND_AT
from engine.rules.moment_kernels import Moment, Moments
from engine.rules.step_kernels import step
from engine.rules.table_kernels import WAS_RIICHI, is_furiten
from engine.rules.win_kernels import win_answer
from engine.scoring.win_kernels import points_of
from engine.shanten.table_kernels import HandTables

NOT_OF_TABLE = 3
"""Words of a moment that are not the table's: they come last."""


@allocating_kernel("self-play", seconds=5.0)
def fill_after_discards(
    words: Array2[np.uint64],
    which: NDArray[np.int64],
    seats: NDArray[np.int64],
    kinds: NDArray[np.int64],
    riichi: NDArray[np.int64],
    tables: Records[HandTables],
    to: Moments,
    wins: Array2[np.int64],
) -> None:
    """Write n tables as they stand after a discard; a riichi is accepted at once.

    Args:
        words: (tables, …), the memory of tables, whose records begin with the fields of
            :class:`engine.rules.table_kernels.Table`.
        which: (n,), the table of each discard.
        seats: (n,), who discards; it is its turn.
        kinds: (n,), what it discards, a plain tile rather than a red five.
        riichi: (n,), 1 where it declares riichi.
        tables: of shanten and scoring.
        to: where to write; ``row`` is the number of the discard.
        wins: (n, 2), the nearest seat that wins on the discard, or -1, and what it wins, honba aside.
    """
    for at in range(len(which)):
        for word in range(to.words.shape[1] - NOT_OF_TABLE):
            to.words[at, word] = words[which[at], word]
        moment = to.records[at]
        moment.row = at
        seat = seats[at]
        tile = 4 * kinds[at]
        for copy in range(4):
            if moment.copies[seat, kinds[at]] >> copy & 1:
                tile = 4 * kinds[at] + copy
        how = WAS_RIICHI if riichi[at] else 0
        step(moment, DISCARD | seat << SEAT_AT | tile << FIRST_AT | how << SECOND_AT, tables[0])
        wins[at, 0], wins[at, 1] = _nearest_win(moment, seat, kinds[at], tables[0])
        if riichi[at]:
            step(moment, ACCEPTED | seat << SEAT_AT, tables[0])


@allocating_part
def _nearest_win(moment: Moment, seat: int, kind: int, tables: HandTables) -> tuple[int, int]:
    for away in range(1, 4):
        other = (seat + away) & 3
        if moment.missed[other] and not is_furiten(moment, other):
            answer, bonus, flags, is_open = win_answer(moment, other, kind, False, False, 0, tables)
            points = points_of(answer, is_open, flags, bonus)
            if points:
                return other, points
    return -1, 0
