"""Decomposition of complete hands into sets and a pair."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from engine.shanten import hands
from engine.shanten import reading_kernels as layout
from engine.shanten.shanten_kernels import find_rows
from engine.shanten.table_kernels import ROWS, HandTables
from engine.shanten.tables import hand_tables


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


def decompose(counts34: hands.Counts, melds: int = 0) -> tuple[Decomposition, ...]:
    """All readings of 14 - 3k concealed tiles as sets and a pair; empty if there is none.

    Args:
        counts34: concealed tiles, including the winning tile.
        melds: k, including closed kans.

    Raises:
        HandError: there are not 14 - 3k tiles, or there are five of a kind.
    """
    counts = hands.hand_array(counts34, melds, tiles=14)
    tables = hand_tables()
    suits = [_readings_of(row, tables[0]) for row in find_rows(counts, tables)]
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


def _readings_of(row: int, tables: HandTables) -> list[int]:
    found: list[int] = []
    first = int(tables.firsts[row - ROWS])
    while first:
        reading = int(tables.readings[first])
        found.append(reading)
        first = 0 if reading & layout.LAST_READING else first + 1
    return found
