"""Tenpai hands and what a hand can do with others' discards, listed once for all turns.

Example (23m 99p 1z, one tile in): node 3, which has discarded 1z, is the one tenpai node; it waits by two links, 1m and
4m. If 4m lies in the own river it is furiten, and has no claims; else it claims both kinds from anyone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.search.dag.graph_kernels import KIND, KIND_AT, NODE_AT, WEIGHT, Graph, shifts_of
from engine.search.dag.meld_kernels import CLOSED_KAN, MELD, MELD_BITS, OPEN_KAN

FEW_CLAIMS = 24
"""Hands with more claims are not distinguished by their number."""


class Waits(NamedTuple):
    """Tenpai nodes with their wins.

    Attributes:
        ready: uint32[n], the nodes, ascending.
        start, link: hand i wins by the links ``link[start[i]:start[i + 1]]`` of the special nodes.
        kind: uint8, the kind of each of these.
        closed: bool[n], nothing was called in the search.
        furiten: bool[n], it can win by draw only.
    """

    ready: NDArray[np.uint32]
    start: NDArray[np.int32]
    link: NDArray[np.uint32]
    kind: NDArray[np.uint8]
    closed: NDArray[np.bool_]
    furiten: NDArray[np.bool_]


class Claims(NamedTuple):
    """What a node can do with others' discards, by node, then by tile.

    Attributes:
        asked: uint32[n], the nodes with a claim, level by level, those with few claims first: what the processor does
            not foresee is how many there are.
        level: int32[levels + 1], those of level k start at ``level[k]``.
        start: node ``asked[i]`` has the claims ``start[i]`` to ``start[i + 1]`` - 1.
        target: uint32, a call, or the number of calls + the place in ``ron_link``.
        tag: uint16, ``kind << 4 | from anyone << 3 | weight``.
        ron_link: uint32, links of the special nodes.
    """

    asked: NDArray[np.uint32]
    level: NDArray[np.int32]
    start: NDArray[np.int32]
    target: NDArray[np.uint32]
    tag: NDArray[np.uint16]
    ron_link: NDArray[np.uint32]


@part
def _all_closed(melds: int) -> bool:
    while melds:
        meld = (melds & MELD) - 1
        if meld < CLOSED_KAN or meld >= OPEN_KAN:
            return False
        melds >>= MELD_BITS
    return True


@allocating_part
def list_waits(graph: Graph, complete: NDArray[np.bool_], river: int, blocked: bool) -> Waits:
    """The tenpai nodes; furiten are those that wait on a tile of ``river`` (bits), or of what they discarded, or all.

    ``complete`` tells which special nodes are wins, ``blocked`` that none may win on a discard.
    """
    win_start, win_link, win_melds, nodes = graph.win_start, graph.win_link, graph.win_melds, len(graph.node_out)
    place = np.zeros(nodes + 1, np.int32)
    total = 0
    for win in range(len(complete)):
        if complete[win]:
            for link in range(win_start[win], win_start[win + 1]):
                place[win_link[link] >> NODE_AT] += 1
                total += 1
    number = 0
    for node in range(nodes):
        if place[node]:
            number += 1
    ready = np.empty(number, np.uint32)
    start = np.empty(number + 1, np.int32)
    links = np.empty(total, np.uint32)
    kinds = np.empty(total, np.uint8)
    closed = np.empty(number, np.bool_)
    number = 0
    total = 0
    for node in range(nodes):
        if place[node]:
            ready[number] = node
            start[number] = total
            total += place[node]
            place[node] = number
            number += 1
    start[number] = total
    filled = start[:number].copy()
    for win in range(len(complete)):
        if complete[win]:
            is_closed = _all_closed(win_melds[win])
            for link in range(win_start[win], win_start[win + 1]):
                hand = place[win_link[link] >> NODE_AT]
                links[filled[hand]] = link
                kinds[filled[hand]] = (win_link[link] >> KIND_AT) & KIND
                filled[hand] += 1
                closed[hand] = is_closed
    return Waits(ready, start, links, kinds, closed, _mark_furiten(graph, ready, start, links, river, blocked))


@allocating_part
def _mark_furiten(
    graph: Graph,
    ready: NDArray[np.uint32],
    start: NDArray[np.int32],
    links: NDArray[np.uint32],
    river: int,
    blocked: bool,
) -> NDArray[np.bool_]:
    shift_of = shifts_of(graph.outs.stride)
    furiten = np.zeros(len(ready), np.bool_)
    out_packed, node_out, win_link = graph.outs.packed, graph.node_out, graph.win_link
    for hand in range(len(ready)):
        furiten[hand] = blocked
        packed = out_packed[node_out[ready[hand]]]
        for entry in range(start[hand], start[hand + 1]):
            kind = (win_link[links[entry]] >> KIND_AT) & KIND
            if (river >> kind) & 1 or (shift_of[kind] >= 0 and (packed >> shift_of[kind]) & 7):
                furiten[hand] = True
    return furiten


@allocating_part
def list_claims(graph: Graph, waits: Waits, ron: bool) -> Claims:
    """Every call and, with ``ron``, every win on a discard."""
    option_node, option_call, option_tag = graph.option_node, graph.option_call, graph.option_tag
    win_link, nodes = graph.win_link, len(graph.node_out)
    ready, wait_start, wait_link, furiten = waits.ready, waits.start, waits.link, waits.furiten
    calls = graph.calls
    many = np.zeros(nodes, np.int32)
    for option in range(len(option_node)):
        many[option_node[option]] += 1
    rons = 0
    if ron:
        for hand in range(len(ready)):
            if not furiten[hand]:
                many[ready[hand]] += wait_start[hand + 1] - wait_start[hand]
                rons += wait_start[hand + 1] - wait_start[hand]
    asked, level_item, start, place = order_asked(many, graph.level_node)
    total = len(option_node) + rons
    target = np.empty(total, np.uint32)
    tag = np.empty(total, np.uint16)
    ron_link = np.empty(rons, np.uint32)
    for option in range(len(option_node)):
        at = place[option_node[option]]
        place[option_node[option]] += 1
        target[at] = option_call[option]
        tag[at] = option_tag[option]
    if ron:
        rons = 0
        for hand in range(len(ready)):
            if furiten[hand]:
                continue
            at = place[ready[hand]]
            for entry in range(wait_start[hand], wait_start[hand + 1]):
                link = wait_link[entry]
                packed = win_link[link]
                ron_link[rons] = link
                target[at] = calls + rons
                tag[at] = ((packed >> KIND_AT) & KIND) << 4 | 8 | (packed & WEIGHT)
                rons += 1
                at += 1
    for item in range(len(asked)):
        first, last = start[item], start[item + 1]
        for at in range(first + 1, last):
            this_target = target[at]
            this_tag = tag[at]
            back = at
            while back > first and tag[back - 1] >> 4 > this_tag >> 4:
                target[back] = target[back - 1]
                tag[back] = tag[back - 1]
                back -= 1
            target[back] = this_target
            tag[back] = this_tag
    return Claims(asked, level_item, start, target, tag, ron_link)


@allocating_part
def order_asked(
    many: NDArray[np.int32], level_node: NDArray[np.int32]
) -> tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """``asked``, ``level`` and ``start`` of the claims, of which each node has so ``many``; by node, its first one."""
    levels = len(level_node) - 1
    nodes = len(many)
    number = 0
    for node in range(nodes):
        number += many[node] > 0
    asked = np.empty(number, np.uint32)
    level_item = np.zeros(levels + 1, np.int32)
    start = np.zeros(number + 1, np.int32)
    tally = np.empty(FEW_CLAIMS + 1, np.int32)
    place = np.empty(nodes, np.int32)
    item = 0
    for level in range(levels):
        for claims in range(FEW_CLAIMS + 1):
            tally[claims] = 0
        for node in range(level_node[level], level_node[level + 1]):
            tally[min(many[node], FEW_CLAIMS)] += 1
        for claims in range(1, FEW_CLAIMS + 1):
            first = item
            item += tally[claims]
            tally[claims] = first
        level_item[level + 1] = item
        for node in range(level_node[level], level_node[level + 1]):
            if many[node]:
                claims = min(many[node], FEW_CLAIMS)
                asked[tally[claims]] = node
                tally[claims] += 1
    for at in range(number):
        place[asked[at]] = start[at]
        start[at + 1] = start[at] + many[asked[at]]
    return asked, level_item, start, place
