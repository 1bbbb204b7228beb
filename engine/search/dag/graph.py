"""The graph of one root: built by the kernels in order, held as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.search.dag import call_kernels, swap_kernels
from engine.search.dag import exchange_kernels as exchanges
from engine.search.dag import link_kernels as links
from engine.search.dag import meld_kernels as meld_tables
from engine.search.dag import row_kernels as rows
from engine.search.dag.graph_kernels import Graph, Hands
from engine.search.dag.patterns import suit_trees

CONCEALED = 13
"""Concealed tiles of a hand without melds before its draw: seven pairs and thirteen orphans need them."""
ALL_KINDS = (1 << 34) - 1
NO_NODES: NDArray[np.int32] = np.empty(0, np.int32)
NO_COUNTS: NDArray[np.int8] = np.empty(0, np.int8)


@dataclass(frozen=True, slots=True)
class Root:
    """A hand to search from.

    Attributes:
        held: int8[34], concealed tiles: 14 - 3k before a discard, 13 - 3k else.
        limit: int8[34], tiles of a kind that may come in.
        unseen: int8[34], tiles of a kind that can still be drawn.
        pons: kinds of the melded pons, as bits.
    """

    held: NDArray[np.int8]
    limit: NDArray[np.int8]
    unseen: NDArray[np.int8]
    pons: int = 0

    @property
    def gap(self) -> int:
        """How many tiles more go out than come in: 1 before a discard, 0 else."""
        return 1 if int(self.held.sum()) % 3 == 2 else 0


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is searched.

    Attributes:
        reach: most tiles that come in (n + 1).
        calls: most calls in one line.
        kans: most kans in one line.
        seven_pairs, thirteen_orphans: aim at those forms too.
        most_wins: keep that many completing exchanges at most, the likeliest (by copies unseen of what they need).
    """

    reach: int
    calls: int = 0
    kans: int = 0
    seven_pairs: bool = True
    thirteen_orphans: bool = True
    most_wins: int | None = None


def list_hands(root: Root, bounds: Bounds) -> Hands:
    """Every hand within the bounds."""
    suit, honours = suit_trees()
    held, limit, gap, reach = root.held, root.limit, root.gap, bounds.reach
    stride, number, size_start, packed, _, less_start, less_out, less_kind = exchanges.list_outs(held, reach)
    found = [exchanges.standard_wins(*suit, *honours, held, limit, stride, reach, 1 - gap)]
    if held.sum() >= CONCEALED:
        if bounds.seven_pairs:
            found.append(exchanges.seven_pairs_wins(held, limit, stride, reach))
        if bounds.thirteen_orphans:
            found.append(exchanges.orphans_wins(held, limit, stride, reach))
    keys = np.concatenate([key for key, _ in found]) if len(found) > 1 else found[0][0]
    codes = np.concatenate([code for _, code in found]) if len(found) > 1 else found[0][1]
    if bounds.most_wins is not None and len(keys) > bounds.most_wins:
        chances = exchanges.win_chances(keys, root.unseen)
        kept = np.sort(np.argsort(-chances, kind="stable")[: bounds.most_wins])
        keys, codes = keys[kept], codes[kept]
    row_key, level_start, by_level, less, row_less_kind, table_key, table_row, win_row = rows.list_rows(keys, reach)
    hand_start, hand_end, hand_out, full_start, full_out = rows.list_hands(
        win_row, number[codes], len(row_key), level_start, by_level, less, reach, gap,
        len(packed), size_start, less_start, less_out,
    )  # fmt: skip
    variants = meld_tables.list_variants(
        held, root.unseen, stride, row_key, by_level, hand_start, hand_end, hand_out, packed, root.pons,
        bounds.calls, bounds.kans, ALL_KINDS if bounds.kans else 0,
    )  # fmt: skip
    return Hands(
        reach, stride, packed, less_start, less_out, less_kind, row_key, level_start, by_level, less, row_less_kind,
        table_key, table_row, full_start, full_out, *variants,
    )  # fmt: skip


def link_hands(root: Root, hands: Hands, bounds: Bounds) -> Graph:
    """The hands with their draws, discards, calls and kans."""
    swaps = swap_kernels.list_swaps(
        hands.row_key, hands.level_start, hands.by_level, hands.table_key, hands.table_row, root.limit, root.held,
        root.pons, ALL_KINDS if bounds.kans else 0, hands.reach,
    )  # fmt: skip
    kans = call_kernels.number_kans(hands) if bounds.kans else (NO_NODES, NO_COUNTS, NO_NODES)
    room, fits = 1, False
    while not fits:
        fits, lists, levels = links.list_links(
            hands, *swaps, root.held, root.unseen, root.pons, bounds.calls > 0, kans[-1], room
        )
        room *= 4
    return links.close(hands, lists, levels, *kans)


def build_graph(root: Root, bounds: Bounds) -> Graph:
    """List the hands and link them."""
    return link_hands(root, list_hands(root, bounds), bounds)
