"""Hands of the search by rows: what came in, and for each such row the outs that go with it.

A hand of 13 tiles is (in, out) with ``gap`` tiles more going out than came in (1 for a root of 14 tiles, 0 for one of
13); in and out must both be part of one exchange that completes the hand (the paper's C_S). All hands with the same
tiles in are one *row*, its *level* the number of those tiles; a row needs one look-up in a hash table, its hands
none: they are a list of out numbers.

The rows of the completing exchanges come first; taking tiles off gives all others. The lists are made downwards:
from a completing exchange (in, out) one tile of *in* is dropped, then one of *in* and one of *out* a level.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.search.dag.graph_kernels import doubled, grown, new_table, place_of
from engine.search.dag.pattern_kernels import KEY_BITS

TILE = (1 << KEY_BITS) - 1


@part
def tiles_of(key: int) -> int:
    """How many tiles a key has."""
    tiles = 0
    while key:
        key >>= KEY_BITS
        tiles += 1
    return tiles


@part
def with_tile(key: int, kind: int) -> int:
    """The key with one more tile."""
    shift = 0
    while (key >> shift) & TILE and (key >> shift) & TILE <= kind:
        shift += KEY_BITS
    below = key & ((1 << shift) - 1)
    return below | (kind + 1) << shift | (key >> shift) << (shift + KEY_BITS)


@part
def without_place(key: int, place: int) -> int:
    """The key without its tile at ``place``."""
    shift = KEY_BITS * place
    return key & ((1 << shift) - 1) | (key >> (shift + KEY_BITS)) << shift


@part
def copies_in(key: int, kind: int) -> int:
    """How many tiles of ``kind`` the key has."""
    copies = 0
    while key:
        copies += key & TILE == kind + 1
        key >>= KEY_BITS
    return copies


@allocating_part
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
    room = 3 * len(win_key) + 64
    bits = 7
    while 1 << bits < 2 * room:
        bits += 1
    table_key, table_row = new_table(bits)
    row_key = np.empty(room, np.int64)
    less = np.empty(room * reach, np.int32)
    less_kind = np.empty(room * reach, np.int8)
    state = np.zeros(3, np.int64)
    while not _fill_rows(win_key, reach, state, row_key, less, less_kind, table_key, table_row):
        room *= 2
        row_key = grown(row_key, room)
        less = grown(less, room * reach)
        less_kind = grown(less_kind, room * reach)
        table_key, table_row = doubled(table_key, table_row)
    rows = state[0]

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
    win_row = np.empty(len(win_key), np.int32)
    for win in range(len(win_key)):
        win_row[win] = table_row[place_of(table_key, table_row, win_key[win])]
    return row_key[:rows], level_start[: reach + 2], by_level, less, less_kind, table_key, table_row, win_row


@part
def _fill_rows(
    win_key: NDArray[np.int64],
    reach: int,
    state: NDArray[np.int64],
    row_key: NDArray[np.int64],
    less: NDArray[np.int32],
    less_kind: NDArray[np.int8],
    table_key: NDArray[np.int64],
    table_row: NDArray[np.int32],
) -> bool:
    # go on from `state` (rows, completing exchanges entered, rows taken apart); False when there is no more room
    rows, step, current = state[0], state[1], state[2]
    if rows == 0:
        rows = _row_of(0, rows, row_key, table_key, table_row)
    while step < len(win_key) or current < rows:
        if rows + reach + 1 > len(row_key):
            state[0], state[1], state[2] = rows, step, current
            return False
        if step < len(win_key):
            rows = _row_of(win_key[step], rows, row_key, table_key, table_row)
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
    state[0] = rows
    return True


@part
def _row_of(
    key: int, rows: int, row_key: NDArray[np.int64], table_key: NDArray[np.int64], table_row: NDArray[np.int32]
) -> int:
    # enter the key as a row if it is none yet; how many rows there are then
    place = place_of(table_key, table_row, key)
    if table_row[place] < 0:
        table_row[place] = rows
        table_key[place] = key
        row_key[rows] = key
        rows += 1
    return rows


@allocating_part
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
    out_less: NDArray[np.uint16],
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint16], NDArray[np.int32], NDArray[np.int16]]:
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
    hand_out = np.empty(4 * len(win_row) + 1024, np.uint16)
    below = np.empty(4 * len(win_row) + 1024, np.uint16)
    mark = np.full(outs, -1, np.int32)
    filled = np.zeros(2, np.int64)
    place = rows
    while True:
        # from the largest rows on, as long as there is room
        place = _fill_hands(
            place, filled, level_start, by_level, reach, gap, size_start, out_less_start, out_less,
            full_start, full_out, more_start, more, hand_start, hand_end, hand_out, below_start, below_end, below, mark,
        )  # fmt: skip
        if place == 0:
            return hand_start, hand_end, hand_out, full_start, full_out
        hand_out = grown(hand_out, 2 * len(hand_out) + outs)
        below = grown(below, 2 * len(below) + outs)


@part
def _fill_hands(
    place: int,
    filled: NDArray[np.int64],
    level_start: NDArray[np.int32],
    by_level: NDArray[np.int32],
    reach: int,
    gap: int,
    size_start: NDArray[np.int32],
    out_less_start: NDArray[np.int32],
    out_less: NDArray[np.uint16],
    full_start: NDArray[np.int32],
    full_out: NDArray[np.int16],
    more_start: NDArray[np.int32],
    more: NDArray[np.int32],
    hand_start: NDArray[np.int32],
    hand_end: NDArray[np.int32],
    hand_out: NDArray[np.uint16],
    below_start: NDArray[np.int32],
    below_end: NDArray[np.int32],
    below: NDArray[np.uint16],
    mark: NDArray[np.int32],
) -> int:
    # rows from the `place`-th of `by_level` down; `filled` counts hands and what is left to smaller rows.
    # Returns the first place for which there was no room, 0 when all are done
    hands, belows = filled[0], filled[1]
    level = reach
    while place > 0:
        while level_start[level] >= place:
            level -= 1
        row = by_level[place - 1]
        size = 0
        if level + gap + 1 < len(size_start):
            size = size_start[level + gap + 1] - size_start[level + gap]
        left = full_start[row + 1] - full_start[row]
        if level + gap:
            left += size_start[level + gap] - size_start[level + gap - 1]
        if hands + size > len(hand_out) or belows + left > len(below):
            break
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
        place -= 1
    filled[0], filled[1] = hands, belows
    return place
