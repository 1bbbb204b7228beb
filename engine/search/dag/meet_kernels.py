"""The 14-tile nodes of one row with one set of melds: where smaller rows, each one discard further, meet.

They are gathered in scratch arrays indexed by out number, then written to the lists of the graph.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.search.dag.graph_kernels import KIND_AT, NODE_AT, ROOM, Hands

FILLS = 8
DRAWS, DRAW_LINKS, WINS, WIN_LINKS, CALLS, CALL_LINKS, OPTIONS, MADE = range(FILLS)


class Meeting(NamedTuple):
    """Scratch, by out number.

    Attributes:
        number: int32, links found so far; 0 again after :func:`keep`.
        kinds: int64, the kinds that may be discarded, as bits.
        plain: int32, the entry of ``call_start`` that forbids nothing, or -1.
        touched: int32, the out numbers that have a node, in the order they were met.
        link: int32[outs * ROOM], the links.
        full: int32, the last row that the out completes.
        node: int32, a node of some other variant.
        kan: int32, the first entry of the next two, or -1: kans to make of the node.
        kan_next, kan_made: int32, a chained list.
    """

    number: NDArray[np.int32]
    kinds: NDArray[np.int64]
    plain: NDArray[np.int32]
    touched: NDArray[np.int32]
    link: NDArray[np.int32]
    full: NDArray[np.int32]
    node: NDArray[np.int32]
    kan: NDArray[np.int32]
    kan_next: NDArray[np.int32]
    kan_made: NDArray[np.int32]


class Lists(NamedTuple):
    """What the graph is written to; see :class:`engine.search.dag.graph_kernels.Graph`.

    ``filled`` counts the entries of each, ``draw_start`` is that of all draws in the order they were found.
    """

    filled: NDArray[np.int64]
    draw_start: NDArray[np.int32]
    draw_link: NDArray[np.int32]
    win_start: NDArray[np.int32]
    win_link: NDArray[np.int32]
    win_key: NDArray[np.int64]
    win_melds: NDArray[np.int64]
    win_out: NDArray[np.int16]
    win_whole: NDArray[np.bool_]
    win_late: NDArray[np.bool_]
    call_start: NDArray[np.int32]
    call_link: NDArray[np.int32]
    option_node: NDArray[np.int32]
    option_call: NDArray[np.int32]
    option_tag: NDArray[np.int16]
    kan_start: NDArray[np.int32]
    kan_made: NDArray[np.int32]


@kernel
def new_meeting(outs: int) -> Meeting:
    """Empty scratch arrays."""
    return Meeting(
        np.zeros(outs, np.int32),
        np.zeros(outs, np.int64),
        np.zeros(outs, np.int32),
        np.empty(outs, np.int32),
        np.empty(outs * ROOM, np.int32),
        np.full(outs, -1, np.int32),
        np.empty(outs, np.int32),
        np.full(outs, -1, np.int32),
        np.empty(outs * ROOM, np.int32),
        np.empty(outs * ROOM, np.int32),
    )


@kernel
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
        np.empty(room * (32 * nodes + 256), np.int32),
        np.empty(wins, np.int32),
        np.empty(room * (4 * nodes + 256), np.int32),
        np.empty(wins, np.int64),
        np.empty(wins, np.int64),
        np.empty(wins, np.int16),
        np.empty(wins, np.bool_),
        np.empty(wins, np.bool_),
        np.empty(room * (8 * nodes + 64) if calls else 64, np.int32),
        np.empty(room * (32 * nodes + 256) if calls else 256, np.int32),
        np.empty(options, np.int32),
        np.empty(options, np.int32),
        np.empty(options, np.int16),
        np.empty(wins, np.int32),
        np.empty(room * (4 * nodes + 64) if kans else 64, np.int32),
    )


@kernel
def meet(
    hands: Hands,
    meeting: Meeting,
    sub: NDArray[np.int64],
    sub_kind: NDArray[np.int64],
    sub_weight: NDArray[np.int64],
    sub_mask: NDArray[np.int64],
    subs: int,
    own: int,
    barred: int,
    unseen: NDArray[np.int8],
) -> int:
    """Links of the 14-tile nodes of one row with its melds; how many nodes there are.

    Variants ``sub`` are smaller by ``sub_kind``, ``own`` is that of the row itself (-1: none); ``barred`` kinds, as
    bits, are neither drawn nor thrown.
    """
    number, kinds, plain = meeting.number, meeting.kinds, meeting.plain
    touched, link = meeting.touched, meeting.link
    node_start, node_out, out_packed = hands.node_start, hands.node_out, hands.out_packed
    out_less_start, out_less, out_less_kind = hands.out_less_start, hands.out_less, hands.out_less_kind
    size = 0
    for s in range(subs):
        mask = sub_mask[s]
        bit = np.int64(1) << sub_kind[s]
        low = sub_kind[s] << KIND_AT | sub_weight[s]
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
            link[out * ROOM + have] = node << NODE_AT | low
            kinds[out] |= bit
            number[out] = have + 1
    if own >= 0:
        for node in range(node_start[own], node_start[own + 1]):
            out = np.int64(node_out[node])
            for part in range(out_less_start[out], out_less_start[out + 1]):
                smaller = np.int64(out_less[part])
                kind = np.int64(out_less_kind[part])
                if (barred >> kind) & 1:
                    continue
                have = number[smaller]
                if have == 0:
                    touched[size] = smaller
                    size += 1
                    kinds[smaller] = 0
                    plain[smaller] = -1
                link[smaller * ROOM + have] = node << NODE_AT | kind << KIND_AT | np.int64(unseen[kind])
                kinds[smaller] |= np.int64(1) << kind
                number[smaller] = have + 1
    return size


@kernel
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
            for at in range(ROOM * out, ROOM * out + links):
                lists.win_link[win_links] = link[at]
                win_links += 1
            entry = kan[out]
            while entry >= 0:
                lists.kan_made[made] = meeting.kan_made[entry]
                made += 1
                entry = meeting.kan_next[entry]
            kan[out] = -1
            filled[WINS] = wins + 1
            filled[WIN_LINKS] = win_links
            filled[MADE] = made
        elif links >= 2:
            draw_start[draws] = draw_links
            draws += 1
            for at in range(ROOM * out, ROOM * out + links):
                draw_link[draw_links] = link[at]
                draw_links += 1
    filled[DRAWS] = draws
    filled[DRAW_LINKS] = draw_links
