"""Training rows, generated from the recordings in chunks whenever they are needed.

A moment is a player about to discard who is not in riichi; it gives one row for each opponent. Neighbouring moments are
similar, so only some are kept. The choice depends only on what everybody sees (riichi, calls), never on what is hidden,
so the learned chances are unbiased.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.opponents.feature_kernels import FEATURES
from engine.shanten.tables import hand_tables
from engine.train.moments import games_of, new_moments
from engine.train.prefetch import prefetched
from engine.train.recordings import Recordings
from engine.train.sample_kernels import INFO, Rows, collect_rows

Keep = tuple[float, float, float]
"""Share of moments kept for opponents in riichi, open and closed."""

ALL: Final[Keep] = (1.0, 1.0, 1.0)
CHUNK: Final = 32_768
"""Rows in memory at once: 200 MB of features."""


def empty_rows(n: int) -> Rows:
    """Arrays for n rows."""
    safe, waits, deals, held = np.zeros((4, n), np.int64)
    points = np.zeros((n, 34), np.float32)
    return Rows(np.zeros((n, FEATURES), np.float32), safe, waits, deals, held, points, np.zeros((n, INFO), np.int32))


def chunks(
    recordings: Recordings, hands: NDArray[np.int64], keep: Keep = ALL, seed: int = 0, size: int = CHUNK
) -> Iterator[tuple[Rows, int]]:
    """Yield rows of the hands in this order, about ``size`` at a time, and how many hands are done.

    The next chunk is generated in a thread while the current one is used.

    Args:
        recordings: all games.
        hands: rows of ``recordings.kyoku``.
        keep: share of moments kept.
        seed: decides which moments are kept.
        size: rows in a chunk; it may have somewhat fewer.
    """
    shares = np.array([round(1_000_000 * share) for share in keep], np.int64)
    games, moments = games_of(recordings), new_moments()

    def fill(at: int) -> tuple[Rows, int]:
        rows = empty_rows(size)
        n, done = collect_rows(games, hands[at:], shares, seed, hand_tables(), moments, rows)
        return Rows._make(array[:n] for array in rows), at + done

    return prefetched(fill, len(hands))
