"""Hands of the search by rows: what came in, and for each such row the outs that go with it.

A hand of 13 tiles is (in, out) with ``gap`` tiles more going out than came in (1 for a root of 14 tiles, 0 for one of
13); in and out must both be part of one exchange that completes the hand (the paper's C_S). All hands with the same
tiles in are one *row*, its *level* the number of those tiles; a row needs one look-up in a hash table, its hands
none: they are a list of out numbers.

The rows of the completing exchanges come first; taking tiles off gives all others. The lists are made downwards:
from a completing exchange (in, out) one tile of *in* is dropped, then one of *in* and one of *out* a level.

Example (23m 99p 1z, one tile in): the rows are nothing (level 0), 4m and 1m (level 1). The last two are completed by
out 4, 1z. What they leave to the first is what that has itself: the four outs of one tile, every legal discard. They
have no hands: two tiles out are part of no exchange of one tile.

*Swap rows* are rows of 14 tiles that complete nothing, but from which one can go on to several hands of the search.
They are part of no completing exchange; at least two smaller rows can be reached from each by a discard, or a kan can
be made of the tile that came last. In the example, 1m 4m would be one if two tiles could come in and no exchange took
both: discarding either leads to a row. In 1m 5p is none while 5p is not a row: one could only discard 5p again.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, inlined_part, part
from engine.search.dag.exchange_kernels import KEY_BITS
from engine.search.dag.graph_kernels import Outs, Root, Rows, doubled, grown, new_table, place_of

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
def list_rows(win_key: NDArray[np.int64], reach: int) -> tuple[Rows, NDArray[np.int32]]:
    """The rows of the completing exchanges and of all their parts; and by completing exchange, its row."""
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
    listed = Rows(row_key[:rows], level_start[: reach + 2], by_level, less, less_kind, table_key, table_row)
    return listed, win_row


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


class Runs(NamedTuple):
    """Entries by row: row r has ``entry[start[r]:start[r + 1]]``."""

    start: NDArray[np.int32]
    entry: NDArray[np.signedinteger[Any]]


class Slices(NamedTuple):
    """Outs by row, in any order of the rows: row r has ``out[start[r]:end[r]]``."""

    start: NDArray[np.int32]
    end: NDArray[np.int32]
    out: NDArray[np.uint16]


@allocating_part
def list_hands(
    win_row: NDArray[np.int32], win_out: NDArray[np.int16], rows: Rows, reach: int, gap: int, outs: Outs
) -> tuple[Slices, NDArray[np.int32], NDArray[np.int16]]:
    """The hands of each row, outs of level + gap tiles.

    Returns:
        hands: the outs of each row.
        full_start, full_out: row r is completed by the outs ``full_out[full_start[r]:full_start[r + 1]]`` (14 tiles in
            all), each once, -1 in place of those that stood twice.
    """
    number = len(rows.key)
    full_start = np.zeros(number + 2, np.int32)
    for win in range(len(win_row)):
        full_start[win_row[win] + 2] += 1
    for row in range(1, number + 1):
        full_start[row + 1] += full_start[row]
    full_out = np.empty(len(win_row), np.int16)
    for win in range(len(win_row)):
        full_out[full_start[win_row[win] + 1]] = win_out[win]
        full_start[win_row[win] + 1] += 1
    more = _list_larger(rows, reach)
    room = 4 * len(win_row) + 1024
    hands = Slices(np.zeros(number, np.int32), np.zeros(number, np.int32), np.empty(room, np.uint16))
    below = Slices(np.zeros(number, np.int32), np.zeros(number, np.int32), np.empty(room, np.uint16))
    mark = np.full(len(outs.packed), -1, np.int32)
    filled = np.zeros(2, np.int64)
    place = number
    while True:
        # from the largest rows on, as long as there is room
        place = _fill_hands(place, filled, rows, reach, gap, outs, Runs(full_start, full_out), more, hands, below, mark)
        if place == 0:
            return hands, full_start, full_out
        hands = Slices(hands.start, hands.end, grown(hands.out, 2 * len(hands.out) + len(mark)))
        below = Slices(below.start, below.end, grown(below.out, 2 * len(below.out) + len(mark)))


@allocating_part
def _list_larger(rows: Rows, reach: int) -> Runs:
    # the rows one tile larger than each row
    less, number = rows.less, len(rows.key)
    start = np.zeros(number + 2, np.int32)
    for entry in range(number * reach):
        if less[entry] >= 0:
            start[less[entry] + 2] += 1
    for row in range(1, number + 1):
        start[row + 1] += start[row]
    larger = np.empty(start[number + 1], np.int32)
    for row in range(number):
        for entry in range(row * reach, (row + 1) * reach):
            if less[entry] < 0:
                break
            larger[start[less[entry] + 1]] = row
            start[less[entry] + 1] += 1
    return Runs(start, larger)


@part
def _fill_hands(
    place: int,
    filled: NDArray[np.int64],
    rows: Rows,
    reach: int,
    gap: int,
    outs: Outs,
    full: Runs,
    more: Runs,
    hands: Slices,
    below: Slices,
    mark: NDArray[np.int32],
) -> int:
    # rows from the `place`-th of `by_level` down; `filled` counts hands and what is left to smaller rows; `mark` is the
    # last row that an out was entered for. Returns the first place for which there was no room, 0 when all are done
    size_start = outs.size_start
    many, belows = filled[0], filled[1]
    level = reach
    while place > 0:
        while rows.level_start[level] >= place:
            level -= 1
        row = rows.by_level[place - 1]
        size = 0
        if level + gap + 1 < len(size_start):
            size = size_start[level + gap + 1] - size_start[level + gap]
        left = full.start[row + 1] - full.start[row]
        if level + gap:
            left += size_start[level + gap] - size_start[level + gap - 1]
        if many + size > len(hands.out) or belows + left > len(below.out):
            break
        many = _take_hands(row, level, gap, size_start, more, hands, below, mark, many)
        belows = _leave_outs(row, outs, full, hands, below, mark, belows)
        place -= 1
    filled[0], filled[1] = many, belows
    return place


@inlined_part
def _take_hands(
    row: int,
    level: int,
    gap: int,
    size_start: NDArray[np.int32],
    more: Runs,
    hands: Slices,
    below: Slices,
    mark: NDArray[np.int32],
    many: int,
) -> int:
    # the row's hands are what its larger rows leave it, each once; how many hands there are then
    hands.start[row] = many
    if level == 0:
        for out in range(size_start[gap], size_start[gap + 1]):
            hands.out[many] = out
            many += 1
    else:
        for link in range(more.start[row], more.start[row + 1]):
            larger = more.entry[link]
            for entry in range(below.start[larger], below.end[larger]):
                out = below.out[entry]
                if mark[out] != row:
                    mark[out] = row
                    hands.out[many] = out
                    many += 1
    hands.end[row] = many
    return many


@inlined_part
def _leave_outs(
    row: int, outs: Outs, full: Runs, hands: Slices, below: Slices, mark: NDArray[np.int32], belows: int
) -> int:
    # what the row leaves to smaller rows, outs of its own size: those that complete it, and of its hands those with a
    # tile fewer
    below.start[row] = belows
    unique = full.start[row]
    for entry in range(full.start[row], full.start[row + 1]):
        out = full.entry[entry]
        if mark[out] != row:
            mark[out] = row
            below.out[belows] = out
            belows += 1
            full.entry[unique] = out
            unique += 1
    for entry in range(unique, full.start[row + 1]):
        full.entry[entry] = -1
    for entry in range(hands.start[row], hands.end[row]):
        out = hands.out[entry]
        for smaller in range(outs.less_start[out], outs.less_start[out + 1]):
            rest = outs.less[smaller]
            if mark[rest] != row:
                mark[rest] = row
                below.out[belows] = rest
                belows += 1
    below.end[row] = belows
    return belows


class Swaps(NamedTuple):
    """Swap rows.

    Attributes:
        key: int64[swaps], ascending by their number of tiles.
        level: int32[reach + 2], those of k tiles start at ``level[k]``.
        less, less_kind: [swaps * reach], as in :class:`engine.search.dag.graph_kernels.Rows`.
    """

    key: NDArray[np.int64]
    level: NDArray[np.int32]
    less: NDArray[np.int32]
    less_kind: NDArray[np.int8]


@allocating_part
def list_swaps(rows: Rows, root: Root, kans: int, reach: int) -> Swaps:
    """Rows one tile larger than at least two rows, and not rows themselves; or than one, with four of a kind.

    ``kans`` are the kinds that kans are made of, as bits.
    """
    # room for all there could be: pages that stay empty cost nothing
    most = 34 * rows.level_start[reach]
    found = Swaps(
        np.empty(most, np.int64),
        np.zeros(reach + 2, np.int32),
        np.empty(most * reach, np.int32),
        np.empty(most * reach, np.int8),
    )
    swaps = _fill_swaps(rows, root, kans, reach, np.zeros(len(rows.key), np.int64), found)
    return Swaps(found.key[:swaps], found.level, found.less[: swaps * reach], found.less_kind[: swaps * reach])


@part
def _fill_swaps(rows: Rows, root: Root, kans: int, reach: int, grows: NDArray[np.int64], found: Swaps) -> int:
    # how many there are. `grows` becomes the kinds, as bits, that make a row another row
    for row in range(len(rows.key)):
        for entry in range(row * reach, (row + 1) * reach):
            if rows.less[entry] < 0:
                break
            grows[rows.less[entry]] |= np.int64(1) << rows.less_kind[entry]
    gone = np.int64(0)
    for kind in range(34):
        if root.limit[kind] == 0:
            gone |= np.int64(1) << kind
    swaps = 0
    for level in range(reach):
        found.level[level + 1] = swaps
        for place in range(rows.level_start[level], rows.level_start[level + 1]):
            row = rows.by_level[place]
            rest = _kinds_to_add(rows, root, kans, reach, grows, row) & ~gone
            kind = -1
            while rest:
                step = 1
                while not (rest >> (step - 1)) & 1:
                    step += 1
                kind += step
                rest >>= step
                if _is_taken_here(rows, root, kans, reach, grows, row, kind):
                    _add_swap(rows, reach, grows, row, kind, swaps, found)
                    swaps += 1
    found.level[reach + 1] = swaps
    return swaps


@part
def _makes_four(root: Root, kans: int, kind: int, copies: int) -> bool:
    # whether one more tile of the kind, of which so many came in, may be made a kan
    return bool((kans >> kind) & 1 and root.held[kind] + copies == (0 if (root.pons >> kind) & 1 else 3))


@inlined_part
def _kinds_to_add(rows: Rows, root: Root, kans: int, reach: int, grows: NDArray[np.int64], row: int) -> int:
    # the kinds, as bits, that make a row a swap row, or that make four of a kind:
    # r + h loses a tile `a` of r to a row just if r - a (a row, as all parts of rows are) grows by h
    key = rows.key[row]
    others = np.int64(0)
    full = np.int64(0)
    own = np.int64(0)
    for entry in range(row * reach, (row + 1) * reach):
        if rows.less[entry] < 0:
            break
        others |= grows[rows.less[entry]]
        kind = rows.less_kind[entry]
        own |= np.int64(1) << kind
        if root.limit[kind] < 4 and copies_in(key, kind) >= root.limit[kind]:
            full |= np.int64(1) << kind
    for kind in range(34 if kans else 0):
        bit = np.int64(1) << kind
        if _makes_four(root, kans, kind, copies_in(key, kind) if own & bit else 0):
            others |= bit
    return int(others & ~grows[row] & ~full)


@inlined_part
def _is_taken_here(
    rows: Rows, root: Root, kans: int, reach: int, grows: NDArray[np.int64], row: int, kind: int
) -> bool:
    # of the rows that a swap row leads to it is taken from the one that lacks its lowest kind
    known = 0
    for entry in range(row * reach, (row + 1) * reach):
        smaller = rows.less[entry]
        if smaller < 0:
            break
        if rows.less_kind[entry] != kind and (grows[smaller] >> kind) & 1:
            known += 1
            if rows.less_kind[entry] < kind:
                return False
    return known > 0 or _makes_four(root, kans, kind, copies_in(rows.key[row], kind))


@inlined_part
def _add_swap(rows: Rows, reach: int, grows: NDArray[np.int64], row: int, kind: int, swaps: int, found: Swaps) -> None:
    # the row with one more tile, and the rows that it leads to
    found.key[swaps] = with_tile(rows.key[row], kind)
    at = swaps * reach
    found.less[at] = row
    found.less_kind[at] = kind
    at += 1
    for entry in range(row * reach, (row + 1) * reach):
        smaller = rows.less[entry]
        if smaller < 0:
            break
        if rows.less_kind[entry] != kind and (grows[smaller] >> kind) & 1:
            other = place_of(rows.table_key, rows.table_row, with_tile(rows.key[smaller], kind))
            found.less[at] = rows.table_row[other]
            found.less_kind[at] = rows.less_kind[entry]
            at += 1
    while at < (swaps + 1) * reach:
        found.less[at] = -1
        found.less_kind[at] = -1
        at += 1
