"""Hands of the search by rows: what came in, and for each such row the outs that go with it.

A hand of 13 tiles is (in, out) with ``gap`` tiles more going out than came in (1 for a root of 14 tiles, 0 for one of
13); in and out must both be part of one exchange that completes the hand (the paper's C_S). All hands with the same
tiles in are one *row*, its *level* the number of those tiles; a row needs one look-up in a hash table, its hands
none: they are a list of out numbers.

The rows of the completing exchanges come first; taking tiles off gives all others. The lists are made downwards:
from a completing exchange (in, out) one tile of *in* is dropped, then one of *in* and one of *out* a level.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.search.dag.pattern_kernels import KEY_BITS
from engine.search.dag.table_kernels import doubled, grown8, grown16, grown32, grown64, new_table, place_of

TILE = (1 << KEY_BITS) - 1


@kernel
def tiles_of(key: int) -> int:
    """How many tiles a key has."""
    tiles = 0
    while key:
        key >>= KEY_BITS
        tiles += 1
    return tiles


@kernel
def with_tile(key: int, kind: int) -> int:
    """The key with one more tile."""
    shift = 0
    while (key >> shift) & TILE and (key >> shift) & TILE <= kind:
        shift += KEY_BITS
    below = key & ((1 << shift) - 1)
    return below | (kind + 1) << shift | (key >> shift) << (shift + KEY_BITS)


@kernel
def without_place(key: int, place: int) -> int:
    """The key without its tile at ``place``."""
    shift = KEY_BITS * place
    return key & ((1 << shift) - 1) | (key >> (shift + KEY_BITS)) << shift


@kernel
def copies_in(key: int, kind: int) -> int:
    """How many tiles of ``kind`` the key has."""
    copies = 0
    while key:
        copies += key & TILE == kind + 1
        key >>= KEY_BITS
    return copies


@kernel
def list_rows(
    win_key: NDArray[np.int64], reach: int
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int8],
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.int32],
]:
    """The rows of the completing exchanges and of all their parts.

    Returns:
        row_key: int64[rows].
        level_start, by_level: the rows of level k are ``by_level[level_start[k]:level_start[k + 1]]``.
        less, less_kind: [rows * reach], the rows with one tile fewer and that tile, -1 after the last.
        table_key, table_row: the hash table from keys to rows.
        win_row: int32[wins], the row of each completing exchange.
    """
    table_key, table_row = new_table(10)
    room = 512
    row_key = np.empty(room, np.int64)
    row_key[0] = 0
    rows = 1
    place = place_of(table_key, table_row, 0)
    table_row[place] = 0
    table_key[place] = 0
    less = np.empty(room * reach, np.int32)
    less_kind = np.empty(room * reach, np.int8)
    wins = len(win_key)
    current = 0
    step = 0
    while step < wins or current < rows:
        if rows + reach + 1 > room:
            room *= 2
            row_key = grown64(row_key, room)
            less = grown32(less, room * reach)
            less_kind = grown8(less_kind, room * reach)
            table_key, table_row = doubled(table_key, table_row)
        if step < wins:
            place = place_of(table_key, table_row, win_key[step])
            if table_row[place] < 0:
                table_row[place] = rows
                table_key[place] = win_key[step]
                row_key[rows] = win_key[step]
                rows += 1
            step += 1
            continue
        key = row_key[current]
        entry = current * reach
        before = 0
        tile_place = 0
        rest = key
        while rest:
            tile = rest & TILE
            if tile != before:
                smaller = without_place(key, tile_place)
                place = place_of(table_key, table_row, smaller)
                if table_row[place] < 0:
                    table_row[place] = rows
                    table_key[place] = smaller
                    row_key[rows] = smaller
                    rows += 1
                less[entry] = table_row[place]
                less_kind[entry] = tile - 1
                entry += 1
                before = tile
            tile_place += 1
            rest >>= KEY_BITS
        while entry < (current + 1) * reach:
            less[entry] = -1
            less_kind[entry] = -1
            entry += 1
        current += 1

    level_start = np.zeros(reach + 3, np.int32)
    for row in range(rows):
        level_start[tiles_of(row_key[row]) + 2] += 1
    for level in range(1, reach + 2):
        level_start[level + 1] += level_start[level]
    by_level = np.empty(rows, np.int32)
    for row in range(rows):
        level = tiles_of(row_key[row])
        by_level[level_start[level + 1]] = row
        level_start[level + 1] += 1
    win_row = np.empty(wins, np.int32)
    for win in range(wins):
        win_row[win] = table_row[place_of(table_key, table_row, win_key[win])]
    return row_key[:rows], level_start[: reach + 2], by_level, less, less_kind, table_key, table_row, win_row


@kernel
def list_hands(
    win_row: NDArray[np.int32],
    win_out: NDArray[np.int16],
    rows: int,
    level_start: NDArray[np.int32],
    by_level: NDArray[np.int32],
    less: NDArray[np.int32],
    reach: int,
    gap: int,
    outs: int,
    size_start: NDArray[np.int32],
    out_less_start: NDArray[np.int32],
    out_less: NDArray[np.int16],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int16], NDArray[np.int32], NDArray[np.int16]]:
    """The hands of each row.

    Returns:
        hand_start, hand_end, hand_out: row r has the hands ``hand_out[hand_start[r]:hand_end[r]]``, outs of
            level + gap tiles.
        full_start, full_out: likewise the outs that complete the row's 14 tiles, each once.
    """
    full_start = np.zeros(rows + 2, np.int32)
    for win in range(len(win_row)):
        full_start[win_row[win] + 2] += 1
    for row in range(1, rows + 1):
        full_start[row + 1] += full_start[row]
    full_out = np.empty(len(win_row), np.int16)
    for win in range(len(win_row)):
        full_out[full_start[win_row[win] + 1]] = win_out[win]
        full_start[win_row[win] + 1] += 1

    more_start = np.zeros(rows + 2, np.int32)
    for entry in range(rows * reach):
        if less[entry] >= 0:
            more_start[less[entry] + 2] += 1
    for row in range(1, rows + 1):
        more_start[row + 1] += more_start[row]
    more = np.empty(more_start[rows + 1], np.int32)
    for row in range(rows):
        for entry in range(row * reach, (row + 1) * reach):
            if less[entry] < 0:
                break
            more[more_start[less[entry] + 1]] = row
            more_start[less[entry] + 1] += 1

    hand_start = np.zeros(rows, np.int32)
    hand_end = np.zeros(rows, np.int32)
    below_start = np.zeros(rows, np.int32)
    below_end = np.zeros(rows, np.int32)
    hand_out = np.empty(4 * len(win_row) + 1024, np.int16)
    below = np.empty(4 * len(win_row) + 1024, np.int16)
    hands = 0
    belows = 0
    mark = np.full(outs, -1, np.int32)
    for level in range(reach, -1, -1):
        for place in range(level_start[level], level_start[level + 1]):
            row = by_level[place]
            size = 0
            if level + gap + 1 < len(size_start):
                size = size_start[level + gap + 1] - size_start[level + gap]
            if hands + size > len(hand_out):
                hand_out = grown16(hand_out, 2 * len(hand_out) + size)
            # the row's hands: what its larger rows leave it
            hand_start[row] = hands
            if level == 0:
                for out in range(size_start[gap], size_start[gap + 1]):
                    hand_out[hands] = out
                    hands += 1
            else:
                for link in range(more_start[row], more_start[row + 1]):
                    larger = more[link]
                    for entry in range(below_start[larger], below_end[larger]):
                        out = below[entry]
                        if mark[out] != row:
                            mark[out] = row
                            hand_out[hands] = out
                            hands += 1
            hand_end[row] = hands
            # what it leaves to smaller rows: outs of its own size
            size = full_start[row + 1] - full_start[row]
            if level + gap:
                size += size_start[level + gap] - size_start[level + gap - 1]
            if belows + size > len(below):
                below = grown16(below, 2 * len(below) + size)
            below_start[row] = belows
            unique = full_start[row]
            for entry in range(full_start[row], full_start[row + 1]):
                out = full_out[entry]
                if mark[out] != row:
                    mark[out] = row
                    below[belows] = out
                    belows += 1
                    full_out[unique] = out
                    unique += 1
            for entry in range(unique, full_start[row + 1]):
                full_out[entry] = -1
            for entry in range(hand_start[row], hand_end[row]):
                out = hand_out[entry]
                for smaller in range(out_less_start[out], out_less_start[out + 1]):
                    part = out_less[smaller]
                    if mark[part] != row:
                        mark[part] = row
                        below[belows] = part
                        belows += 1
            below_end[row] = belows
    return hand_start, hand_end, hand_out, full_start, full_out
