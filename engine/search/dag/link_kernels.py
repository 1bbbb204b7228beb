"""Links of the search: the 14-tile nodes, what may be discarded from them, and how one arrives.

A draw or a call leads from a node to 14 tiles (in, melds, out) with as many tiles in as out; discarding leads back to
nodes: a tile that came leaves (same out, a smaller row) or a tile of the root leaves (same row, one more out). The
value of the 14 tiles is the best of those nodes, so they are linked instead of every pair of nodes. Drawing the tile
back that was discarded is the same link read backwards: one list of links serves both directions.

14-tile nodes come row by row, rows of the search first, then *swap rows*: rows that are part of no completing
exchange but from which at least two smaller rows can be reached. All look-ups are by row; the hands of a row meet in
scratch arrays indexed by out number.

A link is ``node << 3 | weight``, the weight being the number of unseen tiles that lead from the node to the 14 tiles.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.search.dag.exchange_kernels import SLOT_BITS
from engine.search.dag.meld_kernels import CLOSED_KAN, MELD, MELD_BITS, PON, chi_tile, without_meld_at
from engine.search.dag.row_kernels import copies_in, with_tile
from engine.search.dag.table_kernels import new_table, place_of

WEIGHT_BITS = 3
FILLS = 7
DRAWS, DRAW_LINKS, WINS, WIN_LINKS, CALLS, CALL_LINKS, OPTIONS = range(FILLS)
ROOM = 16
"""Room for the links of one 14-tile node: it has 14 discards at most."""


@kernel
def list_swaps(
    row_key: NDArray[np.int64],
    level_start: NDArray[np.int32],
    by_level: NDArray[np.int32],
    table_key: NDArray[np.int64],
    table_row: NDArray[np.int32],
    limit: NDArray[np.int8],
    reach: int,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int8]]:
    """Rows one tile larger than at least two rows, and not rows themselves.

    Returns:
        swap_key: int64[swaps].
        less, less_kind: [swaps * reach], as in :func:`engine.search.dag.row_kernels.list_rows`.
    """
    most = 34 * level_start[reach]
    bits = 8
    while 1 << bits < 2 * most:
        bits += 1
    keys, numbers = new_table(bits)
    swap_key = np.empty(most, np.int64)
    known = np.empty(most, np.int8)
    less = np.empty(most * reach, np.int32)
    less_kind = np.empty(most * reach, np.int8)
    swaps = 0
    for place in range(level_start[reach]):
        row = by_level[place]
        key = row_key[row]
        for kind in range(34):
            if limit[kind] == 0 or (limit[kind] < 4 and copies_in(key, kind) >= limit[kind]):
                continue
            larger = with_tile(key, kind)
            if table_row[place_of(table_key, table_row, larger)] >= 0:
                continue
            at = place_of(keys, numbers, larger)
            if numbers[at] < 0:
                numbers[at] = swaps
                keys[at] = larger
                swap_key[swaps] = larger
                known[swaps] = 0
                swaps += 1
            swap = numbers[at]
            less[swap * reach + known[swap]] = row
            less_kind[swap * reach + known[swap]] = kind
            known[swap] += 1
    kept = 0
    for swap in range(swaps):
        if known[swap] < 2:
            continue
        swap_key[kept] = swap_key[swap]
        for entry in range(reach):
            less[kept * reach + entry] = less[swap * reach + entry] if entry < known[swap] else -1
            less_kind[kept * reach + entry] = less_kind[swap * reach + entry] if entry < known[swap] else -1
        kept += 1
    return swap_key[:kept], less[: kept * reach], less_kind[: kept * reach]


@kernel
def _variant_of(melds: NDArray[np.int64], first: int, last: int, wanted: int) -> int:
    for variant in range(first, last):
        if melds[variant] == wanted:
            return variant
    return -1


@kernel
def list_links(
    unseen: NDArray[np.int8],
    stride: NDArray[np.int32],
    row_key: NDArray[np.int64],
    by_level: NDArray[np.int32],
    row_less: NDArray[np.int32],
    row_less_kind: NDArray[np.int8],
    swap_key: NDArray[np.int64],
    swap_less: NDArray[np.int32],
    swap_less_kind: NDArray[np.int8],
    full_start: NDArray[np.int32],
    full_out: NDArray[np.int16],
    var_first: NDArray[np.int32],
    var_last: NDArray[np.int32],
    melds: NDArray[np.int64],
    node_start: NDArray[np.int32],
    node_out: NDArray[np.int16],
    out_packed: NDArray[np.int64],
    out_less_start: NDArray[np.int32],
    out_less: NDArray[np.int16],
    out_less_kind: NDArray[np.int8],
    reach: int,
    most_calls: int,
    room: int,
) -> tuple[
    bool,
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int8],
    NDArray[np.int64],
    NDArray[np.int64],
    NDArray[np.int16],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int32],
    NDArray[np.int16],
]:
    """All 14-tile nodes with their links, and all calls.

    Memory is taken once, ``room`` times what hands usually need (pages that stay empty cost nothing): numba counts
    references to arrays that a loop may replace, at each turn of the loop, and that took half the time.

    Returns:
        fits: False when ``room`` was too small; the arrays are empty then.
        draw_start, draw_link: 14-tile nodes with two discards or more that do not complete the hand.
        win_start, win_link, win_kind, win_key, win_melds, win_out: those whose closed form is complete; ``win_kind``
            is the discard of each link.
        call_start, call_node: nodes reached by discarding after a call.
        option_node, option_call, option_tag: from which node each call starts, to which entry of ``call_start``;
            the tag is ``kind << 4 | pon << 3 | weight``.
    """
    outs = len(out_packed)
    rows = len(row_key)
    shift_of = np.full(34, -1, np.int64)
    used = 0
    for kind in range(34):
        if stride[kind]:
            shift_of[kind] = SLOT_BITS * used
            used += 1

    filled = np.zeros(FILLS, np.int64)
    nodes = len(node_out)
    draw_start = np.empty(room * (16 * nodes + 64), np.int32)
    draw_link = np.empty(room * (32 * nodes + 256), np.int32)
    win_start = np.empty(room * (2 * nodes + 64), np.int32)
    win_key = np.empty(len(win_start), np.int64)
    win_melds = np.empty(len(win_start), np.int64)
    win_out = np.empty(len(win_start), np.int16)
    win_link = np.empty(room * (4 * nodes + 256), np.int32)
    win_kind = np.empty(len(win_link), np.int8)
    call_start = np.empty(room * (8 * nodes + 64) if most_calls else 64, np.int32)
    call_node = np.empty(room * (32 * nodes + 256) if most_calls else 256, np.int32)
    option_node = np.empty(room * (16 * nodes + 64) if most_calls else 64, np.int32)
    option_call = np.empty(len(option_node), np.int32)
    option_tag = np.empty(len(option_node), np.int16)
    fits = True

    # of the 14-tile nodes of one row with its melds, by out number
    number = np.zeros(outs, np.int32)
    kinds = np.zeros(outs, np.int64)
    plain = np.zeros(outs, np.int32)
    full = np.full(outs, -1, np.int32)
    touched = np.empty(outs, np.int32)
    local_link = np.empty(outs * ROOM, np.int32)
    local_kind = np.empty(outs * ROOM, np.int8)
    less = np.empty(reach, np.int64)
    less_kind = np.empty(reach, np.int64)
    sub = np.empty(reach, np.int64)
    sub_kind = np.empty(reach, np.int64)
    sub_weight = np.empty(reach, np.int64)
    sub_mask = np.empty(reach, np.int64)
    most = 0
    for other in range(rows):
        most = max(most, var_last[other] - var_first[other])
    wanted = np.empty(most * (reach + 1) + 1, np.int64)
    variant_of = np.empty((len(wanted), reach + 1), np.int64)

    for item in range(rows + len(swap_key)):
        is_row = item < rows
        row = int(by_level[item]) if is_row else -1
        key = row_key[row] if is_row else swap_key[item - rows]
        smaller_rows = 0
        for entry in range(reach):
            smaller = row_less[row * reach + entry] if is_row else swap_less[(item - rows) * reach + entry]
            if smaller < 0:
                break
            less[smaller_rows] = smaller
            less_kind[smaller_rows] = (
                row_less_kind[row * reach + entry] if is_row else swap_less_kind[(item - rows) * reach + entry]
            )
            smaller_rows += 1
        completes = -1
        if is_row and full_start[row + 1] > full_start[row]:
            completes = item
            for entry in range(full_start[row], full_start[row + 1]):
                if full_out[entry] >= 0:
                    full[full_out[entry]] = item
        wanted[0] = 0
        choices = _list_wanted(less, smaller_rows, row, var_first, var_last, melds, wanted, variant_of)
        if not fits:
            break
        for choice in range(choices):
            together = wanted[choice]
            # the smaller rows with these melds, and the row itself
            subs = 0
            total = 0
            for entry in range(smaller_rows):
                variant = variant_of[choice, entry]
                if variant < 0:
                    continue
                kind = less_kind[entry]
                sub[subs] = variant
                sub_kind[subs] = kind
                sub_weight[subs] = max(0, unseen[kind] - (copies_in(key, kind) - 1))
                sub_mask[subs] = 7 << shift_of[kind] if shift_of[kind] >= 0 else 0
                total += node_start[variant + 1] - node_start[variant]
                subs += 1
            own = variant_of[choice, reach]
            if own >= 0:
                total += (node_start[own + 1] - node_start[own]) * reach
            size = _meet(
                sub,
                sub_kind,
                sub_weight,
                sub_mask,
                subs,
                own,
                unseen,
                node_start,
                node_out,
                out_packed,
                out_less_start,
                out_less,
                out_less_kind,
                number,
                kinds,
                plain,
                touched,
                local_link,
                local_kind,
            )
            if size == 0:
                continue
            shift = 0
            before = -1
            while (together >> shift) & MELD:
                meld = ((together >> shift) & MELD) - 1
                source_melds = without_meld_at(together, shift)
                shift += MELD_BITS
                if meld == before or meld >= CLOSED_KAN:
                    continue
                before = meld
                low = meld - PON if meld >= PON else chi_tile(meld)
                for step in range(1 if meld >= PON else 3):
                    tile = low + step
                    copies = copies_in(key, tile)
                    back = copies == 0
                    source = -1
                    if not back:
                        for entry in range(smaller_rows):
                            if less_kind[entry] == tile:
                                source = _variant_of(melds, var_first[less[entry]], var_last[less[entry]], source_melds)
                    elif is_row and shift_of[tile] >= 0:
                        source = _variant_of(melds, var_first[row], var_last[row], source_melds)
                    weight = max(0, unseen[tile] - max(0, copies - 1))
                    if source < 0 or weight == 0:
                        continue
                    sources = node_start[source + 1] - node_start[source]
                    if (
                        filled[OPTIONS] + sources > len(option_node)
                        or filled[CALLS] + sources + 1 > len(call_start)
                        or filled[CALL_LINKS] + sources * ROOM > len(call_node)
                    ):
                        fits = False
                        continue
                    banned = 1 << tile
                    if meld < PON and step == 0 and low % 9 < 6:
                        banned |= 1 << (low + 3)
                    if meld < PON and step == 2 and low % 9 > 0:
                        banned |= 1 << (low - 1)
                    _call(
                        node_start[source],
                        node_start[source + 1],
                        tile,
                        tile << 4 | (8 if meld >= PON else 0) | weight,
                        banned,
                        7 << shift_of[tile] if shift_of[tile] >= 0 else 0,
                        back,
                        node_out,
                        out_packed,
                        out_less_start,
                        out_less,
                        out_less_kind,
                        number,
                        kinds,
                        plain,
                        local_link,
                        local_kind,
                        filled,
                        call_start,
                        call_node,
                        option_node,
                        option_call,
                        option_tag,
                    )
            if (
                filled[DRAWS] + size + 1 > len(draw_start)
                or filled[DRAW_LINKS] + total > len(draw_link)
                or filled[WINS] + size + 1 > len(win_start)
                or filled[WIN_LINKS] + total > len(win_link)
            ):
                fits = False
            if not fits:
                break
            _keep(
                size,
                key,
                together,
                completes,
                number,
                full,
                touched,
                local_link,
                local_kind,
                filled,
                draw_start,
                draw_link,
                win_start,
                win_link,
                win_kind,
                win_key,
                win_melds,
                win_out,
            )
    if not fits:
        filled[:] = 0
    draw_start[filled[DRAWS]] = filled[DRAW_LINKS]
    win_start[filled[WINS]] = filled[WIN_LINKS]
    call_start[filled[CALLS]] = filled[CALL_LINKS]
    return (
        fits,
        draw_start[: filled[DRAWS] + 1],
        draw_link[: filled[DRAW_LINKS]],
        win_start[: filled[WINS] + 1],
        win_link[: filled[WIN_LINKS]],
        win_kind[: filled[WIN_LINKS]],
        win_key[: filled[WINS]],
        win_melds[: filled[WINS]],
        win_out[: filled[WINS]],
        call_start[: filled[CALLS] + 1],
        call_node[: filled[CALL_LINKS]],
        option_node[: filled[OPTIONS]],
        option_call[: filled[OPTIONS]],
        option_tag[: filled[OPTIONS]],
    )


@kernel
def _list_wanted(
    less: NDArray[np.int64],
    smaller_rows: int,
    row: int,
    var_first: NDArray[np.int32],
    var_last: NDArray[np.int32],
    melds: NDArray[np.int64],
    wanted: NDArray[np.int64],
    variant_of: NDArray[np.int64],
) -> int:
    # the melds of the row and of its smaller rows, each once, none first; and which variant each row has with them,
    # the row itself in the last column
    choices = 1
    own = variant_of.shape[1] - 1
    variant_of[0, :] = -1
    for entry in range(-1, smaller_rows):
        other = row if entry < 0 else less[entry]
        if other < 0:
            continue
        column = own if entry < 0 else entry
        if var_last[other] == var_first[other]:
            continue
        variant_of[0, column] = var_first[other]
        for variant in range(var_first[other] + 1, var_last[other]):
            choice = 1
            while choice < choices and wanted[choice] != melds[variant]:
                choice += 1
            if choice == choices:
                wanted[choice] = melds[variant]
                variant_of[choice, :] = -1
                choices += 1
            variant_of[choice, column] = variant
    return choices


@kernel
def _meet(
    sub: NDArray[np.int64],
    sub_kind: NDArray[np.int64],
    sub_weight: NDArray[np.int64],
    sub_mask: NDArray[np.int64],
    subs: int,
    own: int,
    unseen: NDArray[np.int8],
    node_start: NDArray[np.int32],
    node_out: NDArray[np.int16],
    out_packed: NDArray[np.int64],
    out_less_start: NDArray[np.int32],
    out_less: NDArray[np.int16],
    out_less_kind: NDArray[np.int8],
    number: NDArray[np.int32],
    kinds: NDArray[np.int64],
    plain: NDArray[np.int32],
    touched: NDArray[np.int32],
    local_link: NDArray[np.int32],
    local_kind: NDArray[np.int8],
) -> int:
    # links of the 14-tile nodes of one row with its melds, by out number, room for ROOM each
    size = 0
    for s in range(subs):
        kind = sub_kind[s]
        mask = sub_mask[s]
        bit = np.int64(1) << kind
        for node in range(node_start[sub[s]], node_start[sub[s] + 1]):
            out = np.int64(node_out[node])
            if out_packed[out] & mask:
                continue
            have = number[out]
            if have == 0:
                touched[size] = out
                size += 1
                kinds[out] = 0
                plain[out] = -1
            at = out * ROOM + have
            local_link[at] = node << WEIGHT_BITS | sub_weight[s]
            local_kind[at] = kind
            kinds[out] |= bit
            number[out] = have + 1
    if own >= 0:
        for node in range(node_start[own], node_start[own + 1]):
            out = np.int64(node_out[node])
            for part in range(out_less_start[out], out_less_start[out + 1]):
                smaller = np.int64(out_less[part])
                kind = np.int64(out_less_kind[part])
                have = number[smaller]
                if have == 0:
                    touched[size] = smaller
                    size += 1
                    kinds[smaller] = 0
                    plain[smaller] = -1
                at = smaller * ROOM + have
                local_link[at] = node << WEIGHT_BITS | np.int64(unseen[kind])
                local_kind[at] = kind
                kinds[smaller] |= np.int64(1) << kind
                number[smaller] = have + 1
    return size


@kernel
def _call(
    node_first: int,
    node_last: int,
    tile: int,
    tag: int,
    banned: int,
    mask: int,
    back: bool,
    node_out: NDArray[np.int16],
    out_packed: NDArray[np.int64],
    out_less_start: NDArray[np.int32],
    out_less: NDArray[np.int16],
    out_less_kind: NDArray[np.int8],
    number: NDArray[np.int32],
    kinds: NDArray[np.int64],
    plain: NDArray[np.int32],
    local_link: NDArray[np.int32],
    local_kind: NDArray[np.int8],
    filled: NDArray[np.int64],
    call_start: NDArray[np.int32],
    call_node: NDArray[np.int32],
    option_node: NDArray[np.int32],
    option_call: NDArray[np.int32],
    option_tag: NDArray[np.int16],
) -> None:
    # one way to call one tile, from each node of the variant that makes it; `back`: the tile was discarded before
    calls = filled[CALLS]
    call_links = filled[CALL_LINKS]
    options = filled[OPTIONS]
    for node in range(node_first, node_last):
        out = int(node_out[node])
        if back:
            smaller = -1
            for part in range(out_less_start[out], out_less_start[out + 1]):
                if out_less_kind[part] == tile:
                    smaller = int(out_less[part])
            if smaller < 0:
                continue
            out = smaller
        elif out_packed[out] & mask:
            continue
        if number[out] == 0 or kinds[out] & ~banned == 0:
            continue
        special = kinds[out] & banned != 0
        if special or plain[out] < 0:
            call_start[calls] = call_links
            for at in range(ROOM * out, ROOM * out + number[out]):
                if not (banned >> local_kind[at]) & 1:
                    call_node[call_links] = local_link[at] >> WEIGHT_BITS
                    call_links += 1
            target = calls
            calls += 1
            if not special:
                plain[out] = target
        else:
            target = int(plain[out])
        option_node[options] = node
        option_call[options] = target
        option_tag[options] = tag
        options += 1
    filled[CALLS] = calls
    filled[CALL_LINKS] = call_links
    filled[OPTIONS] = options


@kernel
def _keep(
    size: int,
    key: int,
    together: int,
    completes: int,
    number: NDArray[np.int32],
    full: NDArray[np.int32],
    touched: NDArray[np.int32],
    local_link: NDArray[np.int32],
    local_kind: NDArray[np.int8],
    filled: NDArray[np.int64],
    draw_start: NDArray[np.int32],
    draw_link: NDArray[np.int32],
    win_start: NDArray[np.int32],
    win_link: NDArray[np.int32],
    win_kind: NDArray[np.int8],
    win_key: NDArray[np.int64],
    win_melds: NDArray[np.int64],
    win_out: NDArray[np.int16],
) -> None:
    # the 14-tile nodes that a draw can lead to; clears `number`
    draws = filled[DRAWS]
    draw_links = filled[DRAW_LINKS]
    for t in range(size):
        out = touched[t]
        links = number[out]
        number[out] = 0
        if completes >= 0 and full[out] == completes:
            wins = filled[WINS]
            win_links = filled[WIN_LINKS]
            win_start[wins] = win_links
            win_key[wins] = key
            win_melds[wins] = together
            win_out[wins] = out
            for at in range(ROOM * out, ROOM * out + links):
                win_link[win_links] = local_link[at]
                win_kind[win_links] = local_kind[at]
                win_links += 1
            filled[WINS] = wins + 1
            filled[WIN_LINKS] = win_links
        elif links >= 2:
            draw_start[draws] = draw_links
            draws += 1
            for at in range(ROOM * out, ROOM * out + links):
                draw_link[draw_links] = local_link[at]
                draw_links += 1
    filled[DRAWS] = draws
    filled[DRAW_LINKS] = draw_links


@kernel
def by_degree(
    draw_start: NDArray[np.int32], draw_link: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """The 14-tile nodes by their number of links, else in order.

    A loop over links whose length is the same for thousands of nodes is foreseen by the processor; one that changes
    from node to node is not, and costs more than its work.

    Returns:
        degree_start: int32[ROOM + 2]: nodes with k links have theirs from ``degree_start[k]`` on, k at a time.
        link: int32, the links.
    """
    degree_start = np.zeros(ROOM + 2, np.int32)
    for item in range(len(draw_start) - 1):
        degree = draw_start[item + 1] - draw_start[item]
        degree_start[degree + 1] += degree
    for degree in range(ROOM + 1):
        degree_start[degree + 1] += degree_start[degree]
    place = degree_start.copy()
    link = np.empty(len(draw_link), np.int32)
    for item in range(len(draw_start) - 1):
        degree = draw_start[item + 1] - draw_start[item]
        at = place[degree]
        for entry in range(draw_start[item], draw_start[item + 1]):
            link[at] = draw_link[entry]
            at += 1
        place[degree] = at
    return degree_start, link
