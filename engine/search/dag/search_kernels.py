"""The search in two calls from Python, hands to graph and graph to worths: more calls cost more than small hands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import inner, kernel
from engine.search.dag.call_kernels import number_kans
from engine.search.dag.draw_kernels import count_draws
from engine.search.dag.graph_kernels import NODE_AT, Graph, Hands
from engine.search.dag.leaf_kernels import Table, new_bench, score_leaves
from engine.search.dag.link_kernels import close, list_links
from engine.search.dag.swap_kernels import list_swaps
from engine.search.dag.sweep_kernels import Course, sweep_turns
from engine.search.dag.wait_kernels import list_claims, list_waits
from engine.search.dag.worth_kernels import Scorer


@kernel
def link_graph(
    hands: Hands,
    held: NDArray[np.int8],
    limit: NDArray[np.int8],
    unseen: NDArray[np.int8],
    root_pons: int,
    calls: bool,
    kans: int,
) -> Graph:
    """The hands with their draws, discards, calls and kans (of the kinds in ``kans``, as bits)."""
    swap_key, swap_level, swap_less, swap_less_kind = list_swaps(
        hands.row_key,
        hands.level_start,
        hands.by_level,
        hands.row_less,
        hands.row_less_kind,
        hands.table_key,
        hands.table_row,
        limit,
        held,
        root_pons,
        kans,
        hands.reach,
    )
    kan_node, kan_count, kan_number = number_kans(hands, kans != 0)
    room = 1
    while True:
        fits, lists, levels = list_links(
            hands,
            swap_key,
            swap_level,
            swap_less,
            swap_less_kind,
            held,
            unseen,
            root_pons,
            calls,
            kans,
            kan_number,
            room,
        )
        if fits:
            return close(hands, lists, levels, kan_node, kan_count, kan_number)
        room *= 4


@inner
def charge(
    graph: Graph,
    columns: int,
    tolled: bool,
    toll: NDArray[np.float32],
    unseen: NDArray[np.int8],
    leaf: NDArray[np.float32],
) -> int:
    """Take off each win what its hand has paid for discards; the number of unseen tiles."""
    win_link = graph.win_link
    for column in range(columns if tolled else 0):
        for link in range(len(win_link)):
            leaf[column, link, 0] -= toll[win_link[link] >> NODE_AT]
    total = 0
    for kind in range(34):
        total += unseen[kind]
    return total


@kernel
def solve_graph(
    graph: Graph,
    table: Table,
    scorer: Scorer,
    course: Course,
    columns: int,
    river: int,
    blocked: bool,
    tolled: bool,
    toll: NDArray[np.float32],
    plain: NDArray[np.float32],
    declared: NDArray[np.float32],
    drawn: NDArray[np.float32],
) -> None:
    """Score the wins (``columns`` of them), then sweep the turns; what is filled: see ``sweep_turns``.

    ``river`` are the kinds of the own river, as bits; ``blocked``: no discard can be won on; ``toll``: by node, all
    zero if not ``tolled``.
    """
    complete = np.empty(len(graph.win_key), np.bool_)
    leaf = np.empty((columns, len(graph.win_link), 2), np.float32)
    score_leaves(table, scorer, graph, new_bench(), complete, leaf)
    unseen_total = charge(graph, columns, tolled, toll, table.unseen, leaf)
    waits = list_waits(graph, complete, river, blocked)
    claims = list_claims(graph, waits, table.ron)
    odds = count_draws(graph, table.held, table.pons, unseen_total)
    sweep_turns(graph, waits, claims, odds, table, leaf, course, toll, plain, declared, drawn)
