"""Calls and kans of the 14-tile nodes: which hands lead there, and what may be discarded then.

A call leads to 14 tiles of which the best discard but the forbidden ones is made. A kan leads to a hand of 13 that
draws at once: that hand has the same tiles as one that discards the fourth, and one meld that is a kan now.

Example: a hand with 23m claims 4m, of which four are unseen, from the left: the chi 234m, tag 3 << 4 | 4 = 52. Then
neither 4m nor 1m, its other end, may be discarded. A pon of 9p with 99p, of which two are unseen: tag 17 << 4 | 8 | 2.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, inlined_part, part
from engine.search.dag.graph_kernels import KIND, KIND_AT, NO_KIND, NODE_AT, ROOM, Hands, Root
from engine.search.dag.meet_kernels import CALL_LINKS, CALLS, OPTIONS, Lists, Meeting, copy_links
from engine.search.dag.meld_kernels import (
    CLOSED_KAN,
    MELD,
    MELD_BITS,
    OPEN_KAN,
    PON,
    chi_tile,
    kans_of,
    with_meld,
    without_meld_at,
)
from engine.search.dag.row_kernels import copies_in


@part
def variant_of(melds: NDArray[np.int64], first: int, last: int, wanted: int) -> int:
    """The variant from ``first`` to ``last`` - 1 with those melds, or -1."""
    for variant in range(first, last):
        if melds[variant] == wanted:
            return variant
    return -1


@inlined_part
def add_calls(
    hands: Hands,
    meeting: Meeting,
    lists: Lists,
    row: int,
    key: int,
    together: int,
    smaller_rows: int,
    shift_of: NDArray[np.int64],
    unseen: NDArray[np.int8],
) -> bool:
    """Every chi and pon that leads to the row (-1: a swap row) ``key`` with melds ``together``; False without room."""
    melds, var_first, var_last, node_start = hands.melds, hands.var_first, hands.var_last, hands.node_start
    less, less_kind = meeting.less, meeting.less_kind
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
                        source = variant_of(melds, var_first[less[entry]], var_last[less[entry]], source_melds)
            elif row >= 0 and shift_of[tile] >= 0:
                source = variant_of(melds, var_first[row], var_last[row], source_melds)
            weight = max(0, unseen[tile] - max(0, copies - 1))
            if source < 0 or weight == 0:
                continue
            sources = node_start[source + 1] - node_start[source]
            if (
                lists.filled[OPTIONS] + sources > len(lists.option_node)
                or lists.filled[CALLS] + sources + 1 > len(lists.call_start)
                or lists.filled[CALL_LINKS] + sources * ROOM > len(lists.call_link)
            ):
                return False
            banned = 1 << tile
            if meld < PON and step == 0 and low % 9 < 6:
                banned |= 1 << (low + 3)
            if meld < PON and step == 2 and low % 9 > 0:
                banned |= 1 << (low - 1)
            tag = tile << 4 | (8 if meld >= PON else 0) | weight
            mask = 7 << shift_of[tile] if shift_of[tile] >= 0 else 0
            _add_call(hands, meeting, lists, node_start[source], node_start[source + 1], tile, tag, banned, mask, back)
    return True


@inlined_part
def _add_call(
    hands: Hands,
    meeting: Meeting,
    lists: Lists,
    first: int,
    last: int,
    tile: int,
    tag: int,
    banned: int,
    mask: int,
    back: bool,
) -> None:
    # one way to call one tile, from each node of the variant that makes it; `back`: the tile was discarded before
    number, kinds, plain, link = meeting.number, meeting.kinds, meeting.plain, meeting.link
    node_out, out_packed = hands.node_out, hands.outs.packed
    filled, call_start, call_link = lists.filled, lists.call_start, lists.call_link
    calls = filled[CALLS]
    call_links = filled[CALL_LINKS]
    options = filled[OPTIONS]
    for node in range(first, last):
        out = int(node_out[node])
        if back:
            smaller = -1
            for part in range(hands.outs.less_start[out], hands.outs.less_start[out + 1]):
                if hands.outs.less_kind[part] == tile:
                    smaller = int(hands.outs.less[part])
            if smaller < 0:
                continue
            out = smaller
        elif out_packed[out] & mask:
            continue
        if number[out] == 0 or kinds[out] & ~banned == 0:
            continue
        if kinds[out] & banned:
            call_start[calls] = call_links
            for at in range(ROOM * out, ROOM * out + number[out]):
                if not (banned >> ((link[at] >> KIND_AT) & KIND)) & 1:
                    call_link[call_links] = link[at]
                    call_links += 1
            target = calls
            calls += 1
        else:
            target = int(plain[out])
            if target < 0:
                call_start[calls] = call_links
                copy_links(link, out, number[out], call_link, call_links)
                call_links += number[out]
                target = calls
                plain[out] = target
                calls += 1
        lists.option_node[options] = node
        lists.option_call[options] = target
        lists.option_tag[options] = tag
        options += 1
    filled[CALLS] = calls
    filled[CALL_LINKS] = call_links
    filled[OPTIONS] = options


@allocating_part
def number_kans(hands: Hands, kans: bool) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int32]]:
    """``kan_node``, ``kan_count`` and ``kan_number`` of the graph (-1: the node has no kan), empty without ``kans``."""
    melds, node_start = hands.melds, hands.node_start
    nodes = len(hands.node_out) if kans else 0
    kan_number = np.full(nodes, -1, np.int32)
    total = 0
    kan_node = np.empty(nodes, np.int32)
    count = np.empty(nodes, np.int8)
    for size in range(4 if kans else 0, 0, -1):
        for variant in range(len(melds)):
            if kans_of(melds[variant]) == size:
                for node in range(node_start[variant], node_start[variant + 1]):
                    kan_node[total] = node
                    count[total] = size
                    kan_number[node] = total
                    total += 1
    return kan_node[:total].copy(), count[:total].copy(), kan_number


@inlined_part
def add_open_kans(
    hands: Hands,
    meeting: Meeting,
    lists: Lists,
    row: int,
    root_pons: int,
    unseen: NDArray[np.int8],
    kan_number: NDArray[np.int32],
) -> bool:
    """Kans of others' discards: as calls to a hand that has already been valued this turn; False without room."""
    melds, node_start, node_out = hands.melds, hands.node_start, hands.node_out
    filled, at_out = lists.filled, meeting.node
    nodes = len(node_out)
    for variant in range(hands.var_first[row], hands.var_last[row]):
        shift = 0
        while (melds[variant] >> shift) & MELD:
            meld = ((melds[variant] >> shift) & MELD) - 1
            source_melds = without_meld_at(melds[variant], shift)
            shift += MELD_BITS
            kind = meld - OPEN_KAN
            if kind < 0 or (root_pons >> kind) & 1:
                continue
            weight = unseen[kind] - copies_in(hands.rows.key[row], kind)
            source = variant_of(melds, hands.var_first[row], hands.var_last[row], source_melds)
            if source < 0 or weight <= 0:
                continue
            size = node_start[variant + 1] - node_start[variant]
            if (
                filled[OPTIONS] + size > len(lists.option_node)
                or filled[CALLS] + size + 1 > len(lists.call_start)
                or filled[CALL_LINKS] + size > len(lists.call_link)
            ):
                return False
            for node in range(node_start[source], node_start[source + 1]):
                at_out[node_out[node]] = node
            for node in range(node_start[variant], node_start[variant + 1]):
                lists.call_start[filled[CALLS]] = filled[CALL_LINKS]
                lists.call_link[filled[CALL_LINKS]] = (nodes + kan_number[node]) << NODE_AT | NO_KIND << KIND_AT
                lists.option_node[filled[OPTIONS]] = at_out[node_out[node]]
                lists.option_call[filled[OPTIONS]] = filled[CALLS]
                lists.option_tag[filled[OPTIONS]] = kind << 4 | 8 | weight
                filled[CALLS] += 1
                filled[CALL_LINKS] += 1
                filled[OPTIONS] += 1
    return True


@inlined_part
def kans_to_make(
    hands: Hands,
    meeting: Meeting,
    row: int,
    key: int,
    together: int,
    barred: int,
    smaller_rows: int,
    root: Root,
    kans: int,
    kan_number: NDArray[np.int32],
) -> int:
    """Chain to each 14-tile node of the meeting the hands it becomes by a kan of its own tiles; how many in all."""
    less, less_kind = meeting.less, meeting.less_kind
    entries = 0
    kind = -1
    while kans >> (kind + 1):
        kind += 1
        if not (kans >> kind) & 1:
            continue
        own = 0 if (root.pons >> kind) & 1 else 3
        copies = copies_in(key, kind)
        if root.held[kind] + copies != own + 1 or (barred >> kind) & 1:
            continue
        # throwing the fourth tile leads to a smaller row, or one more tile of the root is out
        after = row
        for entry in range(smaller_rows):
            if less_kind[entry] == kind:
                after = less[entry]
        if after < 0 or (after == row and copies):
            continue
        if own:
            closed = with_meld(together, CLOSED_KAN + kind)
            entries = _chain_kans(hands, meeting, after, closed, kind, after == row, kan_number, entries)
        shift = 0
        while own and (together >> shift) & MELD and (together >> shift) & MELD != PON + kind + 1:
            shift += MELD_BITS
        if not own or (together >> shift) & MELD:
            opened = with_meld(without_meld_at(together, shift) if own else together, OPEN_KAN + kind)
            entries = _chain_kans(hands, meeting, after, opened, kind, after == row, kan_number, entries)
    return entries


@inlined_part
def _chain_kans(
    hands: Hands,
    meeting: Meeting,
    row: int,
    melds: int,
    kind: int,
    own: bool,
    kan_number: NDArray[np.int32],
    entries: int,
) -> int:
    variant = variant_of(hands.melds, hands.var_first[row], hands.var_last[row], melds)
    if variant < 0:
        return entries
    for node in range(hands.node_start[variant], hands.node_start[variant + 1]):
        out = int(hands.node_out[node])
        if own:
            before = -1
            for part in range(hands.outs.less_start[out], hands.outs.less_start[out + 1]):
                if hands.outs.less_kind[part] == kind:
                    before = int(hands.outs.less[part])
            out = before
        if out >= 0 and meeting.number[out]:
            meeting.kan_next[entries] = meeting.kan[out]
            meeting.kan_made[entries] = kan_number[node]
            meeting.kan[out] = entries
            entries += 1
    return entries
