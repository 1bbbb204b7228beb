"""Recorded decisions to fit on, generated from the recordings in chunks whenever they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.prior.layout_kernels import GLOBALS, PLANES, QUESTION, WHO_PROGRAM
from engine.shanten.tables import hand_tables
from engine.train.decision_kernels import DECISION_INFO, Decisions, collect_decisions
from engine.train.moments import games_of, new_moments
from engine.train.prefetch import prefetched
from engine.train.recordings import GameColumn, KyokuColumn, Recordings

WHO: Final = WHO_PROGRAM + 1
CHUNK: Final = 49_152
"""Number of decisions in memory at once: 120 MB."""

Keep = NDArray[np.float64]
"""(WHO, 2) share of the decisions that are used, by kind of player: in own turns, and in answers to a discard."""


def keep_all() -> Keep:
    """The shares with which every decision is used."""
    return np.ones((WHO, 2))


def empty_decisions(n: int) -> Decisions:
    """Arrays for n decisions."""
    return Decisions(
        np.zeros((n, 34, PLANES), np.uint8),
        np.zeros((n, GLOBALS), np.uint8),
        np.zeros((n, QUESTION), np.int64),
        np.zeros((n, DECISION_INFO), np.int32),
    )


def who_of(recordings: Recordings) -> NDArray[np.int64]:
    """(hands, 4) WHO_ number of the player on each seat."""
    games = recordings.games[recordings.kyoku[:, KyokuColumn.GAME]].astype(np.int64)
    programs = games[:, GameColumn.PROGRAMS, None] >> np.arange(4) & 1
    return np.where(programs == 1, WHO_PROGRAM, games[:, GameColumn.ROOM, None])


def decision_chunks(
    recordings: Recordings, hands: NDArray[np.int64], keep: Keep | None = None, seed: int = 0, size: int = CHUNK
) -> Iterator[tuple[Decisions, int]]:
    """Yield decisions of the hands in this order, about ``size`` at a time, and the number of hands done.

    The next chunk is generated in a thread while the current one is used.

    Args:
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        keep: share of the decisions that are used; None: all.
        seed: decides which decisions are used.
        size: decisions in a chunk; it may have somewhat fewer.
    """
    shares = np.rint(1_000_000 * (keep_all() if keep is None else keep)).astype(np.int64)
    tables = hand_tables()
    games, moments = games_of(recordings), new_moments()
    who = who_of(recordings)

    def fill(at: int) -> tuple[Decisions, int]:
        rows = empty_decisions(size)
        n, done = collect_decisions(games, hands[at:], who, shares, seed, tables, moments, rows)
        return Decisions._make(array[:n] for array in rows), at + done

    return prefetched(fill, len(hands))
