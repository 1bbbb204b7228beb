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

CONCEALED = 13
"""Concealed tiles of a hand without melds before its draw: seven pairs and thirteen orphans need them."""


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
    degree_start: NDArray[np.int32]
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


class Hands(NamedTuple):
    """The hands of a search before they are linked: cheap to list, so that the size is known before the work."""

    reach: int
    calls: int
    stride: NDArray[np.int32]
    out_packed: NDArray[np.int64]
    out_less_start: NDArray[np.int32]
    out_less: NDArray[np.int16]
    out_less_kind: NDArray[np.int8]
    row_key: NDArray[np.int64]
    level_start: NDArray[np.int32]
    by_level: NDArray[np.int32]
    row_less: NDArray[np.int32]
    row_less_kind: NDArray[np.int8]
    table_key: NDArray[np.int64]
    table_row: NDArray[np.int32]
    full_start: NDArray[np.int32]
    full_out: NDArray[np.int16]
    var_first: NDArray[np.int32]
    var_last: NDArray[np.int32]
    melds: NDArray[np.int64]
    node_start: NDArray[np.int32]
    node_out: NDArray[np.int16]

    @property
    def nodes(self) -> int:
        """Hands of 13 tiles."""
        return len(self.node_out)


def list_hands(
    root: Root, reach: int, calls: int, seven_pairs: bool, thirteen_orphans: bool, most_wins: int | None = None
) -> Hands:
    """Every hand within exchanges of at most ``reach`` (= n + 1) tiles and with at most ``calls`` new calls.

    Args:
        root: the hand to search from.
        reach: most tiles that come in.
        calls: most calls.
        seven_pairs: aim at that form too.
        thirteen_orphans: likewise.
        most_wins: keep that many completing exchanges at most, the likeliest (by copies unseen of what they need).
    """
    suit, honours = suit_trees()
    held, limit, gap = root.held, root.limit, root.gap
    stride, number, size_start, packed, _, less_start, less_out, less_kind = exchanges.list_outs(held, reach)
    found = [exchanges.standard_wins(*suit, *honours, held, limit, stride, reach, 1 - gap)]
    if held.sum() >= CONCEALED:
        if seven_pairs:
            found.append(exchanges.seven_pairs_wins(held, limit, stride, reach))
        if thirteen_orphans:
            found.append(exchanges.orphans_wins(held, limit, stride, reach))
    keys = np.concatenate([key for key, _ in found]) if len(found) > 1 else found[0][0]
    codes = np.concatenate([code for _, code in found]) if len(found) > 1 else found[0][1]
    if most_wins is not None and len(keys) > most_wins:
        chances = exchanges.win_chances(keys, root.unseen)
        kept = np.sort(np.argsort(-chances, kind="stable")[:most_wins])
        keys, codes = keys[kept], codes[kept]
    row_key, level_start, by_level, less, row_less_kind, table_key, table_row, win_row = rows.list_rows(keys, reach)
    hand_start, hand_end, hand_out, full_start, full_out = rows.list_hands(
        win_row, number[codes], len(row_key), level_start, by_level, less, reach, gap,
        len(packed), size_start, less_start, less_out,
    )  # fmt: skip
    variants = meld_tables.list_variants(held, stride, row_key, by_level, hand_start, hand_end, hand_out, packed, calls)
    return Hands(
        reach, calls, stride, packed, less_start, less_out, less_kind, row_key, level_start, by_level,
        less, row_less_kind, table_key, table_row, full_start, full_out, *variants,
    )  # fmt: skip


def link_hands(root: Root, hands: Hands) -> Graph:
    """The hands with their draws, discards and calls."""
    swaps = links.list_swaps(
        hands.row_key, hands.level_start, hands.by_level, hands.table_key, hands.table_row, root.limit, hands.reach
    )
    room, fits = 1, False
    while not fits:
        fits, draw_start, draw_link, *others = links.list_links(
            root.unseen, hands.stride, hands.row_key, hands.by_level, hands.row_less, hands.row_less_kind, *swaps,
            hands.full_start, hands.full_out, hands.var_first, hands.var_last, hands.melds, hands.node_start,
            hands.node_out, hands.out_packed, hands.out_less_start, hands.out_less, hands.out_less_kind,
            hands.reach, hands.calls, room,
        )  # fmt: skip
        room *= 4
    firsts = hands.level_start[:-1]
    variant_at = [hands.var_first[hands.by_level[at]] if at < len(hands.row_key) else len(hands.melds) for at in firsts]
    level_node = np.append(hands.node_start[variant_at], hands.nodes).astype(np.int32)
    return Graph(
        hands.stride, hands.out_packed, hands.out_less_start, hands.out_less_kind, level_node, hands.node_out,
        *links.by_degree(draw_start, draw_link), *others,  # type: ignore[arg-type]
    )  # fmt: skip


def build_graph(root: Root, reach: int, calls: int, seven_pairs: bool, thirteen_orphans: bool) -> Graph:
    """List the hands and link them."""
    return link_hands(root, list_hands(root, reach, calls, seven_pairs, thirteen_orphans))
