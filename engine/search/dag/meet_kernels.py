"""The 14-tile nodes of one row with one set of melds: where smaller rows, each one discard further, meet.

They are gathered in scratch arrays indexed by out number, then written to the lists of the graph.

Example (23m 99p 1z, one tile in): at in nothing, out nothing the four hands of the first row meet, each by the tile
that it lacks: four links. At in 1m, out 1z only the hand without 1z meets, by 1m: one link, kept because the 14 tiles
win.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, inlined_part
from engine.search.dag.graph_kernels import KIND_AT, NODE_AT, ROOM, Hands, index

FILLS = 8
DRAWS, DRAW_LINKS, WINS, WIN_LINKS, CALLS, CALL_LINKS, OPTIONS, MADE = range(FILLS)


class Meeting(NamedTuple):
    """Scratch, by out number.

    Attributes:
        number: uint8, links found so far; 0 again after :func:`keep`.
        kinds: int64, the kinds that may be discarded, as bits.
        plain: int32, the entry of ``call_start`` that forbids nothing, or -1.
        touched: uint16, the out numbers that have a node, in the order they were met.
        link: uint32[outs * ROOM], the links.
        full: int32, the last row that the out completes.
        node: int32, a node of some other variant.
        kan: int32, the first entry of the next two, or -1: kans to make of the node.
        kan_next, kan_made: int32, a chained list.
        less, less_kind: int64[reach], the rows with a tile fewer than the row at hand, and that tile.
        wanted: int64, the melds of any of these and of the row; ``variants[i]``: which variant each has with the i-th
            of them (-1: none), the row itself in the last column.
        sub, sub_kind, sub_weight, sub_mask: int64[reach], of those that meet: the variant, the kind that it is smaller
            by, how many of it are unseen, its bits in packed outs.
    """

    number: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    plain: NDArray[np.int32]
    touched: NDArray[np.uint16]
    link: NDArray[np.uint32]
    full: NDArray[np.int32]
    node: NDArray[np.int32]
    kan: NDArray[np.int32]
    kan_next: NDArray[np.int32]
    kan_made: NDArray[np.int32]
    less: NDArray[np.int64]
    less_kind: NDArray[np.int64]
    wanted: NDArray[np.int64]
    variants: NDArray[np.int64]
    sub: NDArray[np.int64]
    sub_kind: NDArray[np.int64]
    sub_weight: NDArray[np.int64]
    sub_mask: NDArray[np.int64]


class Lists(NamedTuple):
    """What the graph is written to; see :class:`engine.search.dag.graph_kernels.Graph`.

    ``filled`` counts the entries of each, ``draw_start`` is that of all draws in the order they were found.
    """

    filled: NDArray[np.int64]
    draw_start: NDArray[np.int32]
    draw_link: NDArray[np.uint32]
    win_start: NDArray[np.int32]
    win_link: NDArray[np.uint32]
    win_key: NDArray[np.int64]
    win_melds: NDArray[np.int64]
    win_out: NDArray[np.int16]
    win_whole: NDArray[np.bool_]
    win_late: NDArray[np.bool_]
    call_start: NDArray[np.int32]
    call_link: NDArray[np.uint32]
    option_node: NDArray[np.uint32]
    option_call: NDArray[np.uint32]
    option_tag: NDArray[np.int16]
    kan_start: NDArray[np.int32]
    kan_made: NDArray[np.int32]


@allocating_part
def new_meeting(outs: int, reach: int, most: int) -> Meeting:
    """Empty scratch arrays for rows of at most ``most`` variants."""
    choices = most * (reach + 1) + 1
    return Meeting(
        np.zeros(outs, np.uint8),
        np.zeros(outs, np.int64),
        np.zeros(outs, np.int32),
        np.empty(outs + 1, np.uint16),
        np.empty(outs * ROOM, np.uint32),
        np.full(outs, -1, np.int32),
        np.empty(outs, np.int32),
        np.full(outs, -1, np.int32),
        np.empty(outs * ROOM, np.int32),
        np.empty(outs * ROOM, np.int32),
        np.empty(reach, np.int64),
        np.empty(reach, np.int64),
        np.empty(choices, np.int64),
        np.empty((choices, reach + 1), np.int64),
        np.empty(reach, np.int64),
        np.empty(reach, np.int64),
        np.empty(reach, np.int64),
        np.empty(reach, np.int64),
    )


@allocating_part
def new_lists(nodes: int, calls: bool, kans: bool, room: int) -> Lists:
    """Empty lists with ``room`` times the room that hands usually need; pages that stay empty cost nothing.

    Memory is taken once: numba counts references to arrays that a loop may replace, at each turn of the loop, and
    that took half the time.
    """
    wins = room * (2 * nodes + 64)
    options = room * (16 * nodes + 64) if calls else 64
    return Lists(
        np.zeros(FILLS, np.int64),
        np.empty(room * (16 * nodes + 64), np.int32),
        np.empty(room * (32 * nodes + 256), np.uint32),
        np.empty(wins, np.int32),
        np.empty(room * (4 * nodes + 256), np.uint32),
        np.empty(wins, np.int64),
        np.empty(wins, np.int64),
        np.empty(wins, np.int16),
        np.empty(wins, np.bool_),
        np.empty(wins, np.bool_),
        np.empty(room * (8 * nodes + 64) if calls else 64, np.int32),
        np.empty(room * (32 * nodes + 256) if calls else 256, np.uint32),
        np.empty(options, np.uint32),
        np.empty(options, np.uint32),
        np.empty(options, np.int16),
        np.empty(wins, np.int32),
        np.empty(room * (4 * nodes + 64) if kans else 64, np.int32),
    )


@inlined_part
def meet(
    hands: Hands, meeting: Meeting, subs: int, own: int, barred: int, unseen: NDArray[np.int8], called: bool
) -> int:
    """Links of the 14-tile nodes of one row with its melds; how many nodes there are.

    The first ``subs`` variants of ``meeting.sub`` are smaller, ``own`` is that of the row itself (-1: none);
    ``barred`` kinds, as bits, are neither drawn nor discarded; ``called``: a call may lead here.
    """
    number, kinds, plain = meeting.number, meeting.kinds, meeting.plain
    touched, link = meeting.touched, meeting.link
    sub, sub_kind, sub_weight, sub_mask = meeting.sub, meeting.sub_kind, meeting.sub_weight, meeting.sub_mask
    node_start, node_out, out_packed = hands.node_start, hands.node_out, hands.outs.packed
    out_less_start, out_less, out_less_kind = hands.outs.less_start, hands.outs.less, hands.outs.less_kind
    size = 0
    # what is not foreseen is written where the next one overwrites it: a wrong guess costs more than a store
    for s in range(subs):
        mask = sub_mask[s]
        low = sub_kind[s] << KIND_AT | sub_weight[s]
        bit = np.int64(1) << sub_kind[s]
        for at in range(index(node_start[sub[s]]), index(node_start[sub[s] + 1])):
            out = node_out[at]
            have = number[out]
            fits = out_packed[out] & mask == 0
            touched[np.uint32(size)] = out
            size += fits & (have == 0)
            link[out * ROOM + have] = np.int64(at) << NODE_AT | low
            number[out] = have + fits
            if called:
                kinds[out] = (kinds[out] if have else 0) | (bit if fits else 0)
    if own >= 0:
        for node in range(node_start[own], node_start[own + 1]):
            out = node_out[node]
            for part in range(out_less_start[out], out_less_start[out + 1]):
                smaller = out_less[part]
                kind = np.int64(out_less_kind[part])
                if (barred >> kind) & 1:
                    continue
                have = number[smaller]
                touched[size] = smaller
                size += have == 0
                link[smaller * ROOM + have] = node << NODE_AT | kind << KIND_AT | np.int64(unseen[kind])
                number[smaller] = have + 1
                if called:
                    kinds[smaller] = (kinds[smaller] if have else 0) | np.int64(1) << kind
    if called:
        for t in range(size):
            plain[touched[t]] = -1
    return size


@inlined_part
def meet_two(hands: Hands, meeting: Meeting, lists: Lists) -> None:
    """The 14-tile nodes where just two smaller rows meet, written at once: no other links, no calls, no kans."""
    number, at_out = meeting.number, meeting.node
    node_start, node_out, out_packed = hands.node_start, hands.node_out, hands.outs.packed
    filled, draw_start, draw_link = lists.filled, lists.draw_start, lists.draw_link
    first, second = meeting.sub[0], meeting.sub[1]
    first_mask, second_mask = meeting.sub_mask[0], meeting.sub_mask[1]
    first_low = meeting.sub_kind[0] << KIND_AT | meeting.sub_weight[0]
    second_low = meeting.sub_kind[1] << KIND_AT | meeting.sub_weight[1]
    for at in range(index(node_start[second]), index(node_start[second + 1])):
        out = node_out[at]
        at_out[out] = at
        number[out] = out_packed[out] & second_mask == 0
    draws = filled[DRAWS]
    links = filled[DRAW_LINKS]
    for at in range(index(node_start[first]), index(node_start[first + 1])):
        out = node_out[at]
        both = (number[out] != 0) & (out_packed[out] & first_mask == 0)
        draw_start[draws] = links
        draw_link[links] = np.int64(at) << NODE_AT | first_low
        draw_link[links + 1] = np.int64(at_out[out]) << NODE_AT | second_low
        draws += both
        links += 2 * both
    for at in range(index(node_start[second]), index(node_start[second + 1])):
        number[node_out[at]] = 0
    filled[DRAWS] = draws
    filled[DRAW_LINKS] = links


@inlined_part
def copy_links(source: NDArray[np.uint32], out: int, links: int, target: NDArray[np.uint32], place: int) -> None:
    """Copy the links of an out to ``place``, four at a time; what is beyond them there is overwritten by the next."""
    for at in range(0, links, 4):
        first = source[ROOM * out + at]
        second = source[ROOM * out + at + 1]
        third = source[ROOM * out + at + 2]
        fourth = source[ROOM * out + at + 3]
        target[place + at] = first
        target[place + at + 1] = second
        target[place + at + 2] = third
        target[place + at + 3] = fourth


@inlined_part
def keep(meeting: Meeting, lists: Lists, size: int, key: int, together: int, completes: int, has_kans: bool) -> None:
    """Write the nodes that a draw can lead to, and clear the scratch; ``has_kans``: ``together`` has some."""
    number, touched, link, kan = meeting.number, meeting.touched, meeting.link, meeting.kan
    filled, draw_start, draw_link = lists.filled, lists.draw_start, lists.draw_link
    draws = filled[DRAWS]
    draw_links = filled[DRAW_LINKS]
    for t in range(size):
        out = touched[t]
        links = number[out]
        number[out] = 0
        whole = completes >= 0 and meeting.full[out] == completes
        if whole or kan[out] >= 0:
            wins = filled[WINS]
            win_links = filled[WIN_LINKS]
            made = filled[MADE]
            lists.win_start[wins] = win_links
            lists.win_key[wins] = key
            lists.win_melds[wins] = together
            lists.win_out[wins] = out
            lists.win_whole[wins] = whole
            lists.win_late[wins] = has_kans or kan[out] >= 0
            lists.kan_start[wins] = made
            copy_links(link, out, links, lists.win_link, win_links)
            win_links += links
            entry = kan[out]
            while entry >= 0:
                lists.kan_made[made] = meeting.kan_made[entry]
                made += 1
                entry = meeting.kan_next[entry]
            kan[out] = -1
            filled[WINS] = wins + 1
            filled[WIN_LINKS] = win_links
            filled[MADE] = made
        else:
            draw_start[draws] = draw_links
            copy_links(link, out, links, draw_link, draw_links)
            draws += links >= 2
            draw_links += links if links >= 2 else 0
    filled[DRAWS] = draws
    filled[DRAW_LINKS] = draw_links
