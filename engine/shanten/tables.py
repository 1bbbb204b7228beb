"""The tables that all shanten and scoring kernels read, built once and stored beside the compiled kernels."""

from __future__ import annotations

import io
import threading
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from engine._jit import CACHE_DIR, Records, new_records
from engine.kept import DamagedError, read_kept, say_damaged, write_kept
from engine.shanten import table_kernels as layout
from engine.shanten.table_kernels import LAST_READING, list_readings
from engine.tables import DAMAGED, arrays_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray


_lock: Final = threading.RLock()  # reentrant, because one table is built from another
_loaded: dict[str, tuple[NDArray[np.generic], ...]] = {}


def cached(name: str, build: Callable[[], tuple[NDArray[np.generic], ...]]) -> tuple[NDArray[np.generic], ...]:
    """Arrays made by ``build``: once per process, and loaded from disk if an earlier process has built them.

    The folder's name is a hash of all kernel sources, so a stale file is never read. A folder that cannot be read or
    written only costs time.
    """
    arrays = _loaded.get(name)
    if arrays is None:
        with _lock:
            arrays = _loaded.get(name)
            if arrays is None:
                path = CACHE_DIR / f"{name}.arrays"
                arrays = _read(path)
                if arrays is None:
                    arrays = build()
                    file = io.BytesIO()
                    np.savez(file, *arrays)
                    with suppress(OSError):
                        write_kept(path, file.getvalue())
                _loaded[name] = arrays
    return arrays


@cache
def hand_tables() -> Records[layout.HandTables]:
    """All tables, an array of one record; loaded or built at the first call, from any thread."""
    tables = new_records(layout.HandTables)
    record = tables[0]
    record.words[:], record.merge[:], record.firsts[:], record.readings[:] = cached("hands", build_hand_tables)
    return tables


def build_hand_tables() -> tuple[NDArray[np.generic], ...]:
    """Build the fields of the tables, in order."""
    words, merge = build_shanten_tables()
    return (words, merge, *build_reading_tables(words))


def build_shanten_tables() -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Build ``words`` and ``merge``; this takes a quarter of a second once the kernels are compiled."""
    words = np.zeros(layout.WORDS, np.uint32)
    vectors = np.zeros(layout.WORDS - layout.ROWS, np.uint64)
    layout.fill_row_numbers(words)
    layout.fill_rows(words, vectors, False)
    layout.fill_rows(words, vectors, True)
    suits, suit_ids = np.unique(vectors[: layout.SUIT_ROWS], return_inverse=True)
    honours, honour_ids = np.unique(vectors[layout.SUIT_ROWS :], return_inverse=True)
    ids = np.concatenate((suit_ids, honour_ids)).astype(np.uint32)
    words[layout.ROWS :] |= ids << layout.ID_SHIFT

    two_suits = layout.merge_vectors(suits, suits)
    with_honours = layout.merge_vectors(suits, honours)
    left, left_ids = np.unique(two_suits, return_inverse=True)
    right, right_ids = np.unique(with_honours, return_inverse=True)
    hands = layout.merge_vectors(left, right)
    merge = np.zeros(layout.MERGE, np.uint8)
    table = merge[: layout.MERGE_HONOURS].reshape(layout.SUIT_IDS, layout.SUIT_IDS)
    table[: len(suits), : len(suits)] = left_ids.reshape(two_suits.shape)
    table = merge[layout.MERGE_HONOURS : layout.MERGE_LAST].reshape(layout.SUIT_IDS, layout.HONOUR_IDS)
    table[: len(suits), : len(honours)] = right_ids.reshape(with_honours.shape)
    last = merge[layout.MERGE_LAST :].reshape(5, layout.PAIR_IDS, layout.PAIR_IDS)
    for need in range(5):
        last[need, : len(left), : len(right)] = hands >> np.uint64(4 * need + 20) & np.uint64(15)
    return words, merge


def build_reading_tables(words: NDArray[np.uint32]) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """Build ``firsts`` and ``readings``."""
    firsts = np.zeros(layout.SUIT_ROWS + layout.HONOUR_ROWS, np.uint16)
    parts = [np.zeros(1, np.int64)]  # place 0 means none
    start = 1
    for honours in (False, True):
        rows = np.empty(50_000, np.int64)
        found = np.empty(50_000, np.int64)
        count = list_readings(honours, words, rows, found)
        # readings of a row side by side, most triplets first
        order = np.lexsort((-found[:count], rows[:count]))
        rows, found = rows[:count][order], found[:count][order]
        last = np.append(rows[1:] != rows[:-1], True)
        found[last] |= LAST_READING
        heads = np.flatnonzero(np.append(True, rows[1:] != rows[:-1]))
        firsts[rows[heads]] = start + heads
        parts.append(found)
        start += count
    return firsts, np.concatenate(parts)


def _read(path: Path) -> tuple[NDArray[np.generic], ...] | None:
    try:
        stored = arrays_in(read_kept(path))
    except DamagedError as error:
        say_damaged(error)
        return None
    except DAMAGED:
        return None
    return tuple(map(np.ascontiguousarray, stored.values()))
