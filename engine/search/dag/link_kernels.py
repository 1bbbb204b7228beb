"""Links of the search: the 14-tile nodes, what may be discarded from them, and how one arrives.

A draw or a call leads from a node to 14 tiles (in, melds, out) with as many tiles in as out; discarding leads back to
nodes: a tile that came leaves (same out, a smaller row) or a tile of the root leaves (same row, one more out). The
value of the 14 tiles is the best of those nodes, so they are linked instead of every pair of nodes. Drawing the tile
back that was discarded is the same link read backwards: one list of links serves both directions.

14-tile nodes come level by level, at each level the rows of the search first, then *swap rows*. All look-ups are by
row; the hands of a row meet in scratch arrays indexed by out number.

Example (23m 99p 1z, one tile in): level 0 has one 14-tile node, the root, with its four discards. Level 1 has two, in
4m or 1m and out 1z, both complete, with one discard each: six links.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, inlined_part, part
from engine.search.dag.call_kernels import add_calls, add_open_kans, kans_to_make
from engine.search.dag.graph_kernels import ROOM, Graph, Hands, Limits, Root, index, shifts_of
from engine.search.dag.meet_kernels import (
    CALL_LINKS,
    CALLS,
    DRAW_LINKS,
    DRAWS,
    FILLS,
    MADE,
    OPTIONS,
    WIN_LINKS,
    WINS,
    Lists,
    Meeting,
    keep,
    meet,
    meet_two,
    new_lists,
    new_meeting,
)
from engine.search.dag.meld_kernels import kan_kinds, kans_of
from engine.search.dag.row_kernels import Swaps, copies_in


@allocating_part
def list_links(
    hands: Hands, swaps: Swaps, root: Root, limits: Limits, kan_number: NDArray[np.int32], room: int
) -> tuple[bool, Lists, NDArray[np.int64]]:
    """All 14-tile nodes with their links, and all calls.

    ``kan_number`` is as in :func:`~engine.search.dag.call_kernels.number_kans`.

    Returns:
        fits: False when ``room`` was too small; the lists are then of no use.
        lists: what was found.
        levels: int64[reach + 2, FILLS], how much of each list was filled before the level.
    """
    most = 0
    for row in range(len(hands.rows.key)):
        most = max(most, hands.var_last[row] - hands.var_first[row])
    lists = new_lists(len(hands.node_out), limits.calls > 0, limits.kinds != 0, room)
    meeting = new_meeting(len(hands.outs.packed), hands.reach, most)
    levels = np.zeros((hands.reach + 2, FILLS), np.int64)
    fits = _fill_links(hands, swaps, root, limits, kan_number, shifts_of(hands.outs.stride), meeting, lists, levels)
    return fits, lists, levels


@part
def _fill_links(
    hands: Hands,
    swaps: Swaps,
    root: Root,
    limits: Limits,
    kan_number: NDArray[np.int32],
    shift_of: NDArray[np.int64],
    meeting: Meeting,
    lists: Lists,
    levels: NDArray[np.int64],
) -> bool:
    # level by level, the rows of the search and then the swap rows; False when there is not enough room
    rows, filled = hands.rows, lists.filled
    for level in range(hands.reach + 1):
        for fill in range(FILLS):
            levels[level, fill] = filled[fill]
        rows_here = rows.level_start[level + 1] - rows.level_start[level]
        for step in range(rows_here + swaps.level[level + 1] - swaps.level[level]):
            if step < rows_here:
                row = int(rows.by_level[rows.level_start[level] + step])
                key = rows.key[row]
                smaller_rows = _list_smaller(rows.less, rows.less_kind, row * hands.reach, meeting)
                if limits.kinds and limits.calls:
                    if not add_open_kans(hands, meeting, lists, row, root.pons, root.unseen, kan_number):
                        return False
            else:
                row = -1
                swap = swaps.level[level] + step - rows_here
                key = swaps.key[swap]
                smaller_rows = _list_smaller(swaps.less, swaps.less_kind, swap * hands.reach, meeting)
            if not _link_row(hands, root, limits, kan_number, shift_of, meeting, lists, row, key, smaller_rows):
                return False
    for fill in range(FILLS):
        levels[hands.reach + 1, fill] = filled[fill]
    lists.draw_start[filled[DRAWS]] = filled[DRAW_LINKS]
    lists.win_start[filled[WINS]] = filled[WIN_LINKS]
    lists.kan_start[filled[WINS]] = filled[MADE]
    lists.call_start[filled[CALLS]] = filled[CALL_LINKS]
    return True


@inlined_part
def _list_smaller(less: NDArray[np.int32], less_kind: NDArray[np.int8], first: int, meeting: Meeting) -> int:
    # the rows with a tile fewer, and that tile, from their entries; how many there are
    rows = 0
    while rows < len(meeting.less) and less[first + rows] >= 0:
        meeting.less[rows] = less[first + rows]
        meeting.less_kind[rows] = less_kind[first + rows]
        rows += 1
    return rows


@inlined_part
def _link_row(
    hands: Hands,
    root: Root,
    limits: Limits,
    kan_number: NDArray[np.int32],
    shift_of: NDArray[np.int64],
    meeting: Meeting,
    lists: Lists,
    row: int,
    key: int,
    smaller_rows: int,
) -> bool:
    # the 14-tile nodes of one row (-1: a swap row), with each set of melds; False without room
    reach, node_start, filled = hands.reach, hands.node_start, lists.filled
    completes = -1
    if row >= 0 and hands.full_start[row + 1] > hands.full_start[row]:
        completes = row
        for entry in range(hands.full_start[row], hands.full_start[row + 1]):
            if hands.full_out[entry] >= 0:
                meeting.full[hands.full_out[entry]] = row
    kans = limits.kinds
    choices = _list_wanted(hands, meeting.less, smaller_rows, row, meeting.wanted, meeting.variants)
    for choice in range(choices):
        together = meeting.wanted[choice]
        barred = kan_kinds(together) if kans else 0
        subs, total = _list_subs(hands, root, shift_of, meeting, choice, key, smaller_rows, barred)
        own = meeting.variants[choice, reach]
        if own >= 0:
            total += (node_start[own + 1] - node_start[own]) * reach
        if own < 0 and not together and not kans and subs <= 2:
            # most swap rows: what only one row leads to is no choice
            if subs == 2:
                room_left = min(
                    len(lists.draw_start) - filled[DRAWS] - 1, len(lists.draw_link) - filled[DRAW_LINKS] - ROOM
                )
                if room_left < total:
                    return False
                meet_two(hands, meeting, lists)
            continue
        size = meet(hands, meeting, subs, own, barred, root.unseen, together != 0)
        if size == 0:
            continue
        if together and not add_calls(
            hands, meeting, lists, row, key, together, smaller_rows, shift_of, root.unseen
        ):  # fmt: skip
            return False
        made = 0
        if kans:
            made = kans_to_make(hands, meeting, row, key, together, barred, smaller_rows, root, kans, kan_number)
        if (
            filled[DRAWS] + size + 1 > len(lists.draw_start)
            or filled[DRAW_LINKS] + total + ROOM > len(lists.draw_link)
            or filled[WINS] + size + 1 > len(lists.win_start)
            or filled[WIN_LINKS] + total + ROOM > len(lists.win_link)
            or filled[MADE] + made > len(lists.kan_made)
        ):
            return False
        keep(meeting, lists, size, key, together, completes, barred != 0)
    return True


@inlined_part
def _list_subs(
    hands: Hands,
    root: Root,
    shift_of: NDArray[np.int64],
    meeting: Meeting,
    choice: int,
    key: int,
    smaller_rows: int,
    barred: int,
) -> tuple[int, int]:
    # the smaller rows that have these melds: how many, and their nodes in all
    subs = 0
    total = 0
    for entry in range(smaller_rows):
        variant = meeting.variants[choice, entry]
        kind = meeting.less_kind[entry]
        if variant < 0 or (barred >> kind) & 1:
            continue
        meeting.sub[subs] = variant
        meeting.sub_kind[subs] = kind
        meeting.sub_weight[subs] = max(0, root.unseen[kind] - (copies_in(key, kind) - 1))
        meeting.sub_mask[subs] = 7 << shift_of[kind] if shift_of[kind] >= 0 else 0
        total += hands.node_start[variant + 1] - hands.node_start[variant]
        subs += 1
    return subs, total


@inlined_part
def _list_wanted(
    hands: Hands,
    less: NDArray[np.int64],
    smaller_rows: int,
    row: int,
    wanted: NDArray[np.int64],
    variants: NDArray[np.int64],
) -> int:
    # the melds of the row and of its smaller rows, each once, none first; and which variant each row has with them,
    # the row itself in the last column
    melds, var_first, var_last = hands.melds, hands.var_first, hands.var_last
    choices = 1
    wanted[0] = 0
    own = variants.shape[1] - 1
    for entry in range(own + 1):
        variants[0, entry] = -1
    for entry in range(-1, smaller_rows):
        other = row if entry < 0 else less[entry]
        if other < 0 or var_last[other] == var_first[other]:
            continue
        column = own if entry < 0 else entry
        variants[0, column] = var_first[other]
        for variant in range(var_first[other] + 1, var_last[other]):
            choice = 1
            while choice < choices and wanted[choice] != melds[variant]:
                choice += 1
            if choice == choices:
                wanted[choice] = melds[variant]
                for clear in range(own + 1):
                    variants[choice, clear] = -1
                choices += 1
            variants[choice, column] = variant
    return choices


@allocating_part
def by_degree(
    item_start: NDArray[np.int32], item_link: NDArray[np.uint32], item_level: NDArray[np.int64], numbered: bool
) -> tuple[NDArray[np.int32], NDArray[np.uint32], NDArray[np.uint32]]:
    """The draws, or calls, of each level by their number of links, else in order.

    ``item_level[k]`` is the first one of level k. Returns ``draw_start`` and ``draw_link`` of the graph, or those of
    calls, and, if ``numbered``, each one's place in that order.
    """
    levels = len(item_level) - 1
    start = np.zeros((levels, ROOM + 2), np.int32)
    link = np.empty(len(item_link), np.uint32)
    number = np.empty(item_level[levels] if numbered else 0, np.uint32)
    _fill_degrees(item_start, item_link, item_level, np.zeros((2, ROOM + 2), np.int64), start, link, number)
    return start, link, number


@part
def _fill_degrees(
    item_start: NDArray[np.int32],
    item_link: NDArray[np.uint32],
    item_level: NDArray[np.int64],
    place: NDArray[np.int64],
    start: NDArray[np.int32],
    link: NDArray[np.uint32],
    number: NDArray[np.uint32],
) -> None:
    total = 0
    items = 0
    for level in range(len(item_level) - 1):
        for degree in range(ROOM + 2):
            place[0, degree] = 0
            place[1, degree] = 0
        for item in range(item_level[level], item_level[level + 1]):
            place[1, item_start[item + 1] - item_start[item]] += 1
        for degree in range(ROOM + 2):
            start[level, degree] = total
            place[0, degree] = total
            many = place[1, degree]
            place[1, degree] = items
            total += many * degree
            items += many
        for item in range(item_level[level], item_level[level + 1]):
            degree = item_start[item + 1] - item_start[item]
            at = np.uint32(place[0, degree])
            for entry in range(index(item_start[item]), index(item_start[item + 1])):
                link[at] = item_link[entry]
                at += np.uint32(1)
            place[0, degree] = at
            if len(number):
                number[item] = place[1, degree]
                place[1, degree] += 1


@part
def _renumber(option_call: NDArray[np.uint32], number: NDArray[np.uint32]) -> None:
    for option in range(len(option_call)):
        option_call[option] = number[option_call[option]]


@allocating_part
def order_kans(win_late: NDArray[np.bool_], win_melds: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """``kan_order`` and ``kan_depth`` of the graph."""
    order = np.empty(len(win_late), np.int32)
    depth = np.empty(len(win_late), np.int8)
    total = 0
    for kans in range(4, -1, -1):
        for win in range(len(win_late)):
            if win_late[win] and kans_of(win_melds[win]) == kans:
                order[total] = win
                depth[total] = kans
                total += 1
    return order[:total].copy(), depth[:total].copy()


@part
def _fill_levels(hands: Hands, level_node: NDArray[np.int32], variant_key: NDArray[np.int64]) -> None:
    rows = len(hands.rows.key)
    for level in range(hands.reach + 1):
        at = hands.rows.level_start[level]
        level_node[level] = hands.node_start[
            hands.var_first[hands.rows.by_level[at]] if at < rows else len(hands.melds)
        ]
    level_node[hands.reach + 1] = len(hands.node_out)
    for row in range(rows):
        for variant in range(hands.var_first[row], hands.var_last[row]):
            variant_key[variant] = hands.rows.key[row]


@allocating_part
def close(
    hands: Hands,
    lists: Lists,
    levels: NDArray[np.int64],
    kan_node: NDArray[np.int32],
    kan_count: NDArray[np.int8],
    kan_number: NDArray[np.int32],
) -> Graph:
    """The graph, its draws sorted and its lists cut to what was filled."""
    filled = lists.filled
    wins = filled[WINS]
    draw_start, draw_link, _ = by_degree(
        lists.draw_start, lists.draw_link[: filled[DRAW_LINKS]], levels[:, DRAWS], False
    )  # fmt: skip
    call_start, call_link, number = by_degree(
        lists.call_start, lists.call_link[: filled[CALL_LINKS]], levels[:, CALLS], True
    )  # fmt: skip
    option_call = lists.option_call[: filled[OPTIONS]]
    _renumber(option_call, number)
    level_node = np.empty(hands.reach + 2, np.int32)
    variant_key = np.empty(len(hands.melds), np.int64)
    _fill_levels(hands, level_node, variant_key)
    kan_order, kan_depth = order_kans(lists.win_late[:wins], lists.win_melds[:wins])
    return Graph(
        hands.outs,
        variant_key,
        hands.melds,
        hands.node_start,
        level_node,
        hands.node_out,
        draw_start,
        draw_link,
        levels[:, WINS].astype(np.int32),
        lists.win_start[: wins + 1],
        lists.win_link[: filled[WIN_LINKS]],
        lists.win_key[:wins],
        lists.win_melds[:wins],
        lists.win_out[:wins],
        lists.win_whole[:wins],
        lists.win_late[:wins],
        len(number),
        call_start,
        call_link,
        lists.option_node[: filled[OPTIONS]],
        option_call,
        lists.option_tag[: filled[OPTIONS]],
        lists.kan_start[: wins + 1],
        lists.kan_made[: filled[MADE]],
        kan_order,
        kan_depth,
        kan_node,
        kan_count,
        kan_number,
    )
