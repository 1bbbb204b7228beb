"""Decomposition of complete hands into sets and a pair."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.shanten import hands
from engine.shanten import reading_kernels as layout
from engine.shanten.shanten_kernels import honour_row, suit_row
from engine.shanten.table_kernels import HONOUR_ROWS, ROWS, SUIT_ROWS
from engine.shanten.tables import cached, shanten_tables

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Decomposition:
    """One reading of the concealed tiles of a complete hand in standard form.

    Attributes:
        pair: ``tile34`` of the pair.
        runs: lowest ``tile34`` of each run, ascending.
        triplets: ``tile34`` of each triplet, ascending.
    """

    pair: int
    runs: tuple[int, ...] = ()
    triplets: tuple[int, ...] = ()


class ReadingTables(NamedTuple):
    """Arguments of the kernels; see :mod:`engine.shanten.reading_kernels`."""

    firsts: NDArray[np.uint16]
    readings: NDArray[np.int64]


def decompose(counts34: hands.Counts, melds: int = 0) -> tuple[Decomposition, ...]:
    """All readings of 14 - 3k concealed tiles as sets and a pair; empty if there is none.

    Args:
        counts34: concealed tiles, including the winning tile.
        melds: k, including closed kans.

    Raises:
        HandError: there are not 14 - 3k tiles, or there are five of a kind.
    """
    counts = hands.hand_array(counts34, melds, tiles=14)
    words = shanten_tables().words
    places = [suit_row(counts, at, words) for at in (0, 9, 18)] + [honour_row(counts, words)]
    firsts, readings = reading_tables()
    suits = [_of_row(int(firsts[place - ROWS]), readings) for place in places]
    found = []
    for choice in product(*suits):
        runs: list[int] = []
        triplets: list[int] = []
        pairs: list[int] = []
        for suit, reading in enumerate(choice):
            for number in range(7):
                times = reading >> (layout.EACH_RUN_AT + 3 * number) & 7
                runs += [9 * suit + number] * times
            triplets += [9 * suit + number for number in range(9) if reading >> (layout.TRIPLETS_AT + number) & 1]
            pairs += [9 * suit + number for number in range(9) if reading >> (layout.PAIR_AT + number) & 1]
        if len(pairs) == 1:
            found.append(Decomposition(pairs[0], tuple(runs), tuple(triplets)))
    return tuple(found)


@cache
def reading_tables() -> ReadingTables:
    """The reading tables; loaded or built at the first call, from any thread."""
    firsts, readings = cached("readings", build_reading_tables)
    return ReadingTables(firsts, readings)  # type: ignore[arg-type]


def build_reading_tables() -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Build ``firsts`` and ``readings``."""
    words = shanten_tables().words
    firsts = np.zeros(SUIT_ROWS + HONOUR_ROWS, np.uint16)
    parts = [np.zeros(1, np.int64)]  # place 0 means none
    start = 1
    for honours in (False, True):
        rows = np.empty(50_000, np.int64)
        found = np.empty(50_000, np.int64)
        count = layout.list_readings(honours, words, rows, found)
        # readings of a row side by side, most triplets first
        order = np.lexsort((-found[:count], rows[:count]))
        rows, found = rows[:count][order], found[:count][order]
        last = np.append(rows[1:] != rows[:-1], True)
        found[last] |= layout.LAST_READING
        heads = np.flatnonzero(np.append(True, rows[1:] != rows[:-1]))
        firsts[rows[heads]] = start + heads
        parts.append(found)
        start += count
    return firsts, np.concatenate(parts)


def _of_row(first: int, readings: NDArray[np.int64]) -> list[int]:
    found: list[int] = []
    while first:
        reading = int(readings[first])
        found.append(reading)
        first = 0 if reading & layout.LAST_READING else first + 1
    return found
