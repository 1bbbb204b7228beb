"""The search in five calls from Python: completing exchanges, hands, links, how often others discard what, worths.

More calls, and more arrays handed to Python and back, cost more than small hands.

Example (23m 99p 1z beside three open sets, one tile in): :func:`list_wins` finds two exchanges, :func:`list_hands` four
hands, :func:`link_hands` six links among three 14-tile nodes, and :func:`solve_graph` the worth of the four discards.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array3, Array4, allocating_kernel, allocating_part, kernel, part
from engine.search.dag.call_kernels import number_kans
from engine.search.dag.draw_kernels import count_draws
from engine.search.dag.exchange_kernels import (
    CONCEALED,
    SuitTree,
    list_outs,
    orphans_wins,
    seven_pairs_wins,
    standard_wins,
)
from engine.search.dag.graph_kernels import NODE_AT, Graph, Hands, Limits, Root, Wins
from engine.search.dag.leaf_kernels import COLUMNS, RIICHI_TSUMO, Table, new_bench, score_leaves
from engine.search.dag.link_kernels import close, list_links
from engine.search.dag.meld_kernels import kans_of, list_variants
from engine.search.dag.row_kernels import list_hands as hands_of_rows
from engine.search.dag.row_kernels import list_rows, list_swaps
from engine.search.dag.sweep_kernels import Course, sweep_turns
from engine.search.dag.wait_kernels import list_claims, list_waits
from engine.search.dag.worth_kernels import Scorer


@allocating_kernel("dag", seconds=6.0)
def list_wins(
    suit: SuitTree, honours: SuitTree, root: Root, reach: int, seven_pairs: bool, thirteen_orphans: bool
) -> Wins:
    """Every exchange of at most ``reach`` tiles in that completes the hand; forms of 13 tiles only if asked."""
    held, limit = root.held, root.limit
    tiles = 0
    for kind in range(34):
        tiles += held[kind]
    outs = list_outs(held, reach)
    keys, codes = standard_wins(suit, honours, held, limit, outs.stride, reach, 0 if tiles % 3 == 2 else 1)
    if tiles >= CONCEALED and seven_pairs:
        keys, codes = joined(keys, codes, *seven_pairs_wins(held, limit, outs.stride, reach))
    if tiles >= CONCEALED and thirteen_orphans:
        keys, codes = joined(keys, codes, *orphans_wins(held, limit, outs.stride, reach))
    return Wins(reach, outs, keys, codes)


@allocating_part
def joined(
    keys: NDArray[np.int64], codes: NDArray[np.int32], more_keys: NDArray[np.int64], more_codes: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Both lists in one."""
    if len(more_keys) == 0:
        return keys, codes
    all_keys = np.empty(len(keys) + len(more_keys), np.int64)
    all_codes = np.empty(len(keys) + len(more_keys), np.int32)
    for win in range(len(keys)):
        all_keys[win], all_codes[win] = keys[win], codes[win]
    for win in range(len(more_keys)):
        all_keys[len(keys) + win], all_codes[len(keys) + win] = more_keys[win], more_codes[win]
    return all_keys, all_codes


@allocating_kernel("dag", seconds=6.0)
def list_hands(wins: Wins, root: Root, limits: Limits) -> Hands:
    """The hands on the way to the exchanges, within the limits of calls and kans."""
    tiles = 0
    for kind in range(34):
        tiles += root.held[kind]
    outs = wins.outs
    win_out = np.empty(len(wins.codes), np.int16)
    for win in range(len(wins.codes)):
        win_out[win] = outs.number[wins.codes[win]]
    rows, win_row = list_rows(wins.keys, wins.reach)
    row_hands, full_start, full_out = hands_of_rows(win_row, win_out, rows, wins.reach, int(tiles % 3 == 2), outs)
    found = list_variants(root, rows, row_hands, outs, limits)
    has_kans = False
    for variant in range(len(found.melds) if limits.kinds else 0):
        has_kans = has_kans or kans_of(found.melds[variant]) > 0
    return Hands(
        wins.reach, outs, rows, full_start, full_out, found.first, found.last, found.melds, found.node_start,
        found.node_out, has_kans,
    )  # fmt: skip


@allocating_kernel("dag", seconds=13.0)
def link_hands(hands: Hands, root: Root, limits: Limits) -> Graph:
    """The hands with their draws, discards, calls and kans."""
    swaps = list_swaps(hands.rows, root, limits.kinds, hands.reach)
    kan_node, kan_count, kan_number = number_kans(hands, limits.kinds != 0)
    room = 1
    while True:
        fits, lists, levels = list_links(hands, swaps, root, limits, kan_number, room)
        if fits:
            return close(hands, lists, levels, kan_node, kan_count, kan_number)
        room *= 4


@part
def charge(
    graph: Graph, tolled: bool, toll: NDArray[np.float32], unseen: NDArray[np.int8], leaf: NDArray[np.float32]
) -> int:
    """Take off each win what its hand has paid for discards; the number of unseen tiles."""
    win_link = graph.win_link
    for column in range(len(leaf) if tolled else 0):
        for link in range(len(win_link)):
            leaf[column, link, 0] -= toll[win_link[link] >> NODE_AT]
    total = 0
    for kind in range(34):
        total += unseen[kind]
    return total


@allocating_kernel("dag", seconds=22.0)
def solve_graph(
    graph: Graph,
    table: Table,
    scorer: Scorer,
    course: Course,
    tolled: bool,
    toll: NDArray[np.float32],
    plain: Array3[np.float32],
    declared: Array3[np.float32],
    drawn: NDArray[np.float32],
) -> int:
    """Score the wins and sweep the turns; how many links there are.

    What is filled: see ``sweep_turns``. ``toll``: by node, all zero if not ``tolled``.
    """
    columns = COLUMNS if table.riichi else RIICHI_TSUMO
    complete = np.empty(len(graph.win_key), np.bool_)
    leaf = np.empty((columns, len(graph.win_link), 2), np.float32)
    score_leaves(table, scorer, graph, new_bench(), complete, leaf)
    unseen_total = charge(graph, tolled, toll, table.root.unseen, leaf)
    waits = list_waits(graph, complete, table.river, table.blocked)
    claims = list_claims(graph, waits, table.ron)
    odds = count_draws(graph, table.root.held, table.root.pons, unseen_total, course.draw_kinds[0])
    sweep_turns(graph, waits, claims, odds, table, leaf, course, toll, plain, declared, drawn)
    return count_edges(graph)


@part
def count_edges(graph: Graph) -> int:
    """Links of all kinds."""
    links = len(graph.draw_link) + len(graph.win_link) + len(graph.call_link)
    return links + len(graph.option_node) + len(graph.kan_made)


@kernel("dag", seconds=1.0)
def fill_rates(
    open_rates: Array4[np.float64],
    riichi_rates: Array4[np.float64],
    classes: NDArray[np.intp],
    dora: NDArray[np.intp],
    safety: NDArray[np.intp],
    unseen: NDArray[np.int64],
    found: Array3[np.float64],
) -> None:
    """Fill ``found[own riichi, draws left, tile34]``: how often others discard a kind, relative to its unseen tiles.

    Args:
        open_rates: see :class:`engine.search.discard_tables.DiscardTables`.
        riichi_rates: likewise.
        classes: of each ``tile34``.
        dora: 1 where it is dora.
        safety: of it against the own river.
        unseen: copies that the player does not see; the rates are scaled so that with these they sum to 1.
        found: where to write.
    """
    tiles = 0
    for kind in range(34):
        tiles += unseen[kind]
    for riichi in range(2):
        for left in range(found.shape[1]):
            total = 0.0
            for kind in range(34):
                row = min(left, open_rates.shape[3] - 1)
                if riichi:
                    rate = riichi_rates[classes[kind], dora[kind], safety[kind], row]
                else:
                    rate = open_rates[classes[kind], dora[kind], max(unseen[kind], 1) - 1, row]
                found[riichi, left, kind] = rate
                total += rate * unseen[kind]
            scale = tiles / total if total else 1.0
            for kind in range(34):
                found[riichi, left, kind] *= scale
