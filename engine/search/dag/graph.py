"""The graph of one root: built by the kernels in order, held as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.search.dag import exchange_kernels as exchanges
from engine.search.dag import form_kernels as forms
from engine.search.dag import meld_kernels as meld_tables
from engine.search.dag import row_kernels as rows
from engine.search.dag import search_kernels
from engine.search.dag.graph_kernels import Graph, Hands
from engine.search.dag.patterns import suit_trees

CONCEALED = 13
"""Concealed tiles of a hand without melds before its draw: seven pairs and thirteen orphans need them."""
ALL_KINDS = (1 << 34) - 1


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
        kans: most kans in one line; ``kan_kinds``: of which kinds, as bits.
        seven_pairs, thirteen_orphans: aim at those forms too.
        most_wins: keep that many completing exchanges at most, the likeliest (by copies unseen of what they need).
    """

    reach: int
    calls: int = 0
    kans: int = 0
    seven_pairs: bool = True
    thirteen_orphans: bool = True
    most_wins: int | None = None
    kan_kinds: int = ALL_KINDS


class Outs(NamedTuple):
    """See :func:`engine.search.dag.exchange_kernels.list_outs`."""

    stride: NDArray[np.int32]
    number: NDArray[np.int16]
    size_start: NDArray[np.int32]
    packed: NDArray[np.int64]
    code_of: NDArray[np.int32]
    less_start: NDArray[np.int32]
    less: NDArray[np.uint16]
    less_kind: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Wins:
    """The completing exchanges of a root; how many there are foretells how many hands.

    Attributes:
        outs: what may go out.
        keys: int64, what comes in; codes: int32, what goes out.
        reach: most tiles that come in.
    """

    outs: Outs
    keys: NDArray[np.int64]
    codes: NDArray[np.int32]
    reach: int

    def likeliest(self, most: int | None, unseen: NDArray[np.int8]) -> Wins:
        """Those ``most`` of which the tiles that come in are most likely drawn."""
        if most is None or len(self.keys) <= most:
            return self
        kept = np.sort(np.argpartition(-exchanges.win_chances(self.keys, unseen), most - 1)[:most])
        return Wins(self.outs, self.keys[kept], self.codes[kept], self.reach)


def list_wins(root: Root, bounds: Bounds) -> Wins:
    """Every exchange of at most ``bounds.reach`` tiles that completes the hand."""
    suit, honours = suit_trees()
    held, limit, reach = root.held, root.limit, bounds.reach
    outs = Outs(*exchanges.list_outs(held, reach))
    stride = outs.stride
    found = [exchanges.standard_wins(*suit, *honours, held, limit, stride, reach, 1 - root.gap)]
    if held.sum() >= CONCEALED:
        if bounds.seven_pairs:
            found.append(forms.seven_pairs_wins(held, limit, stride, reach))
        if bounds.thirteen_orphans:
            found.append(forms.orphans_wins(held, limit, stride, reach))
    keys = np.concatenate([key for key, _ in found]) if len(found) > 1 else found[0][0]
    codes = np.concatenate([code for _, code in found]) if len(found) > 1 else found[0][1]
    return Wins(outs, keys, codes, reach)


def list_hands(root: Root, bounds: Bounds, wins: Wins | None = None) -> Hands:
    """Every hand within the bounds; ``wins`` are those of the root and reach, if they have been listed."""
    wins = (wins or list_wins(root, bounds)).likeliest(bounds.most_wins, root.unseen)
    stride, number, size_start, packed, _, less_start, less_out, less_kind = wins.outs
    held, gap, reach, keys = root.held, root.gap, bounds.reach, wins.keys
    row_key, level_start, by_level, less, row_less_kind, table_key, table_row, win_row = rows.list_rows(keys, reach)
    hand_start, hand_end, hand_out, full_start, full_out = rows.list_hands(
        win_row, number[wins.codes], len(row_key), level_start, by_level, less, reach, gap,
        len(packed), size_start, less_start, less_out,
    )  # fmt: skip
    variants = meld_tables.list_variants(
        held, root.unseen, stride, row_key, by_level, hand_start, hand_end, hand_out, packed, root.pons,
        bounds.calls, bounds.kans, bounds.kan_kinds if bounds.kans else 0,
    )  # fmt: skip
    return Hands(
        reach, stride, packed, less_start, less_out, less_kind, row_key, level_start, by_level, less, row_less_kind,
        table_key, table_row, full_start, full_out, *variants,
    )  # fmt: skip


def link_hands(root: Root, hands: Hands, bounds: Bounds) -> Graph:
    """The hands with their draws, discards, calls and kans."""
    kans = bounds.kan_kinds if bounds.kans else 0
    return search_kernels.link_graph(hands, root.held, root.limit, root.unseen, root.pons, bounds.calls > 0, kans)


def build_graph(root: Root, bounds: Bounds) -> Graph:
    """List the hands and link them."""
    return link_hands(root, list_hands(root, bounds), bounds)
