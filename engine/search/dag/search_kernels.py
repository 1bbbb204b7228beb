"""The search in four calls from Python: completing exchanges, hands, how often others discard what, worths.

More calls, and more arrays handed to Python and back, cost more than small hands.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array3, Array4, allocating_kernel, allocating_part, kernel, part
from engine.search.dag.call_kernels import number_kans
from engine.search.dag.draw_kernels import count_draws
from engine.search.dag.exchange_kernels import CONCEALED, list_outs, orphans_wins, seven_pairs_wins, standard_wins
from engine.search.dag.graph_kernels import NODE_AT, Graph, Hands, Wins
from engine.search.dag.leaf_kernels import Table, new_bench, score_leaves
from engine.search.dag.link_kernels import close, list_links
from engine.search.dag.meld_kernels import kans_of, list_variants
from engine.search.dag.pattern_kernels import SuitTree
from engine.search.dag.row_kernels import list_hands as row_hands
from engine.search.dag.row_kernels import list_rows
from engine.search.dag.swap_kernels import list_swaps
from engine.search.dag.sweep_kernels import Course, sweep_turns
from engine.search.dag.wait_kernels import list_claims, list_waits
from engine.search.dag.worth_kernels import Scorer


@allocating_kernel("dag", seconds=10.0)
def list_wins(
    suit: SuitTree,
    honours: SuitTree,
    held: NDArray[np.int8],
    limit: NDArray[np.int8],
    reach: int,
    seven_pairs: bool,
    thirteen_orphans: bool,
) -> Wins:
    """Every exchange of at most ``reach`` tiles in that completes the hand; forms of 13 tiles only if asked."""
    tiles = 0
    for kind in range(34):
        tiles += held[kind]
    stride, number, size_start, packed, less_start, less, less_kind = list_outs(held, reach)
    keys, codes = standard_wins(suit, honours, held, limit, stride, reach, 0 if tiles % 3 == 2 else 1)
    if tiles >= CONCEALED and seven_pairs:
        keys, codes = joined(keys, codes, *seven_pairs_wins(held, limit, stride, reach))
    if tiles >= CONCEALED and thirteen_orphans:
        keys, codes = joined(keys, codes, *orphans_wins(held, limit, stride, reach))
    return Wins(reach, stride, number, size_start, packed, less_start, less, less_kind, keys, codes)


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


@allocating_kernel("dag", seconds=15.0)
def list_hands(
    wins: Wins, held: NDArray[np.int8], unseen: NDArray[np.int8], root_pons: int, calls: int, kans: int, kinds: int
) -> Hands:
    """The hands on the way to the exchanges, with at most so many calls and kans (of the ``kinds``, as bits)."""
    tiles = 0
    for kind in range(34):
        tiles += held[kind]
    codes, number = wins.codes, wins.number
    win_out = np.empty(len(codes), np.int16)
    for win in range(len(codes)):
        win_out[win] = number[codes[win]]
    row_key, level_start, by_level, row_less, row_less_kind, table_key, table_row, win_row = list_rows(
        wins.keys, wins.reach
    )  # fmt: skip
    hand_start, hand_end, hand_out, full_start, full_out = row_hands(
        win_row, win_out, len(row_key), level_start, by_level, row_less, wins.reach, 1 if tiles % 3 == 2 else 0,
        len(wins.packed), wins.size_start, wins.less_start, wins.less,
    )  # fmt: skip
    var_first, var_last, melds, node_start, node_out = list_variants(
        held, unseen, wins.stride, row_key, by_level, hand_start, hand_end, hand_out, wins.packed, root_pons,
        calls, kans, kinds,
    )  # fmt: skip
    has_kans = False
    for variant in range(len(melds) if kinds else 0):
        has_kans = has_kans or kans_of(melds[variant]) > 0
    return Hands(
        wins.reach, wins.stride, wins.packed, wins.less_start, wins.less, wins.less_kind, row_key, level_start,
        by_level, row_less, row_less_kind, table_key, table_row, full_start, full_out, var_first, var_last, melds,
        node_start, node_out, has_kans,
    )  # fmt: skip


@allocating_part
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


@part
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


@allocating_kernel("dag", seconds=60.0)
def solve_hands(
    hands: Hands,
    limit: NDArray[np.int8],
    calls: bool,
    kans: int,
    table: Table,
    scorer: Scorer,
    course: Course,
    columns: int,
    river: int,
    blocked: bool,
    tolled: bool,
    toll: NDArray[np.float32],
    plain: Array3[np.float32],
    declared: Array3[np.float32],
    drawn: NDArray[np.float32],
) -> int:
    """Link the hands, score the wins (``columns`` of them), sweep the turns; how many links there are.

    What is filled: see ``sweep_turns``. ``limit``, ``calls`` and ``kans`` are as in :func:`link_graph`. ``river`` are
    the kinds of the own river, as bits; ``blocked``: no discard can be won on; ``toll``: by node, all zero if not
    ``tolled``.
    """
    graph = link_graph(hands, table.held, limit, table.unseen, table.pons, calls, kans)
    complete = np.empty(len(graph.win_key), np.bool_)
    leaf = np.empty((columns, len(graph.win_link), 2), np.float32)
    score_leaves(table, scorer, graph, new_bench(), complete, leaf)
    unseen_total = charge(graph, columns, tolled, toll, table.unseen, leaf)
    waits = list_waits(graph, complete, river, blocked)
    claims = list_claims(graph, waits, table.ron)
    odds = count_draws(graph, table.held, table.pons, unseen_total, course.draw_kinds[0])
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
