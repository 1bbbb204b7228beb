"""The graph of one root: built by the kernels in order, held as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.search.dag import exchange_kernels as exchanges
from engine.search.dag import link_kernels as links
from engine.search.dag import meld_kernels as meld_tables
from engine.search.dag import row_kernels as rows
from engine.search.dag.patterns import suit_trees

MOST_KEY_TILES = 9
"""Incoming tiles that a key has room for; the searches stay far below."""


@dataclass(frozen=True, slots=True)
class Root:
    """A hand to search from.

    Attributes:
        held: int8[34], concealed tiles: 14 - 3k before a discard, 13 - 3k else.
        limit: int8[34], tiles of a kind that may come in.
        unseen: int8[34], tiles of a kind that can still be drawn.
    """

    held: NDArray[np.int8]
    limit: NDArray[np.int8]
    unseen: NDArray[np.int8]

    @property
    def gap(self) -> int:
        """How many tiles more go out than come in: 1 before a discard, 0 else."""
        return 1 if int(self.held.sum()) % 3 == 2 else 0


class Graph(NamedTuple):
    """See the kernels for the meaning of each array."""

    stride: NDArray[np.int32]
    out_packed: NDArray[np.int64]
    out_less_start: NDArray[np.int32]
    out_less_kind: NDArray[np.int8]
    level_node: NDArray[np.int32]
    """int32[levels + 1]: the nodes with k tiles that came in start at ``level_node[k]``."""
    node_out: NDArray[np.int16]
    draw_start: NDArray[np.int32]
    draw_link: NDArray[np.int32]
    win_start: NDArray[np.int32]
    win_link: NDArray[np.int32]
    win_kind: NDArray[np.int8]
    win_key: NDArray[np.int64]
    win_melds: NDArray[np.int64]
    win_out: NDArray[np.int16]
    call_start: NDArray[np.int32]
    call_node: NDArray[np.int32]
    option_node: NDArray[np.int32]
    option_call: NDArray[np.int32]
    option_tag: NDArray[np.int16]

    @property
    def nodes(self) -> int:
        """Hands of 13 tiles."""
        return len(self.node_out)

    @property
    def edges(self) -> int:
        """Links of all kinds."""
        return len(self.draw_link) + len(self.win_link) + len(self.call_node) + len(self.option_node)


def build_graph(root: Root, reach: int, calls: int, seven_pairs: bool, thirteen_orphans: bool) -> Graph:
    """Everything that can be reached by exchanges of at most ``reach`` (= n + 1) tiles with at most ``calls`` calls."""
    suit, honours = suit_trees()
    held, limit, gap = root.held, root.limit, root.gap
    stride, number, size_start, packed, _, less_start, less_out, less_kind = exchanges.list_outs(held, reach)
    keys, codes = exchanges.standard_wins(*suit, *honours, held, limit, stride, reach, 1 - gap)
    if held.sum() >= 13:
        found = [(keys, codes)]
        if seven_pairs:
            found.append(exchanges.seven_pairs_wins(held, limit, stride, reach))
        if thirteen_orphans:
            found.append(exchanges.orphans_wins(held, limit, stride, reach))
        if len(found) > 1:
            keys = np.concatenate([key for key, _ in found])
            codes = np.concatenate([code for _, code in found])
    row_key, level_start, by_level, less, row_less_kind, table_key, table_row, win_row = rows.list_rows(keys, reach)
    hand_start, hand_end, hand_out, full_start, full_out = rows.list_hands(
        win_row, number[codes], len(row_key), level_start, by_level, less, reach, gap,
        len(packed), size_start, less_start, less_out,
    )  # fmt: skip
    var_first, var_last, melds, node_start, node_out = meld_tables.list_variants(
        held, stride, row_key, by_level, hand_start, hand_end, hand_out, packed, calls
    )
    swap_key, swap_less, swap_less_kind = links.list_swaps(
        row_key, level_start, by_level, table_key, table_row, limit, reach
    )
    linked = links.list_links(
        root.unseen, stride, row_key, by_level, less, row_less_kind, swap_key, swap_less, swap_less_kind,
        full_start, full_out, var_first, var_last, melds, node_start, node_out,
        packed, less_start, less_out, less_kind, reach, calls,
    )  # fmt: skip
    variant_at = [var_first[by_level[at]] if at < len(row_key) else len(melds) for at in level_start[:-1]]
    level_node = np.append(node_start[variant_at], len(node_out)).astype(np.int32)
    return Graph(stride, packed, less_start, less_kind, level_node, node_out, *linked)
