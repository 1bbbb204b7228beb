"""Recorded decisions to learn from, a chunk at a time, made afresh from the recordings whenever they are wanted."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.prior.input_kernels import GLOBALS, PLANES, QUESTION, WHO_PROGRAM
from engine.shanten.readings import reading_tables
from engine.shanten.tables import shanten_tables
from engine.train.decision_kernels import DECISION_INFO, Decisions, collect_decisions
from engine.train.recordings import GameColumn, KyokuColumn, Recordings
from engine.train.samples import empty_table

WHO: Final = WHO_PROGRAM + 1
CHUNK: Final = 49_152
"""Decisions in memory at once: 120 MB."""

Keep = NDArray[np.float64]
"""(WHO, 2) share of the decisions that are kept, by who plays: own turns, answers to another's tile."""


def keep_all() -> Keep:
    """Every decision."""
    return np.ones((WHO, 2))


def empty_decisions(n: int) -> Decisions:
    """Room for n rows."""
    return Decisions(
        np.zeros((n, 34, PLANES), np.uint8),
        np.zeros((n, GLOBALS), np.uint8),
        np.zeros((n, QUESTION), np.int64),
        np.zeros((n, DECISION_INFO), np.int32),
    )


def who_of(recordings: Recordings) -> NDArray[np.int64]:
    """Who plays, (hands, 4) WHO_ numbers by seat."""
    games = recordings.games[recordings.kyoku[:, KyokuColumn.GAME]].astype(np.int64)
    programs = games[:, GameColumn.PROGRAMS, None] >> np.arange(4) & 1
    return np.where(programs == 1, WHO_PROGRAM, games[:, GameColumn.ROOM, None])


def decision_chunks(
    recordings: Recordings, hands: NDArray[np.int64], keep: Keep | None = None, seed: int = 0, size: int = CHUNK
) -> Iterator[tuple[Decisions, int]]:
    """Decisions of the hands in this order, about ``size`` at a time, and how many hands are through.

    The next are made, in a thread, while these are used.

    Args:
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        keep: what share of decisions is kept; None: all.
        seed: another one keeps other decisions.
        size: rows of a chunk; it may hold some fewer.
    """
    shares = np.rint(1_000_000 * (keep_all() if keep is None else keep)).astype(np.int64)
    tables = (*shanten_tables(), *reading_tables())
    table = empty_table()
    who = who_of(recordings)

    def fill(at: int) -> tuple[Decisions, int]:
        rows = empty_decisions(size)
        n, done = collect_decisions(
            table, hands[at:], recordings.kyoku, recordings.hands, recordings.events, who, shares, seed, *tables, rows
        )
        return Decisions._make(array[:n] for array in rows), at + done

    with ThreadPoolExecutor(1) as maker:
        ahead = maker.submit(fill, 0)
        while True:
            rows, at = ahead.result()
            more = at < len(hands)
            if more:
                ahead = maker.submit(fill, at)
            if len(rows.planes):
                yield rows, at
            if not more:
                return
