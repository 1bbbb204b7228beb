"""The hands of one root and their links, built by the kernels as plain arrays, from the complete suits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from engine.search.dag import pattern_kernels, search_kernels
from engine.search.dag.exchange_kernels import win_chances
from engine.search.dag.graph_kernels import Hands, Wins
from engine.search.dag.pattern_kernels import SuitTree
from engine.shanten.tables import cached


@cache
def suit_trees() -> tuple[SuitTree, SuitTree]:
    """The trees of a number suit and of the honours; built at the first call."""
    arrays = cached("dag-suits", _build)
    return SuitTree(*arrays[:4]), SuitTree(*arrays[4:])  # type: ignore[arg-type]


def complete_patterns(kinds: int) -> NDArray[np.int8]:
    """All complete suits as counts, shape (N, kinds), sorted; nine kinds have runs, seven (honours) have none."""
    triplets = 3 * np.eye(kinds, dtype=np.int8)
    runs = [np.isin(np.arange(9), (at, at + 1, at + 2)).astype(np.int8) for at in range(7)] if kinds == 9 else []
    sets = [*triplets, *runs]
    pairs = [np.zeros(kinds, np.int8), *(2 * np.eye(kinds, dtype=np.int8))]
    zero = np.zeros(kinds, np.int8)
    patterns = [
        np.sum((zero, *chosen), axis=0, dtype=np.int8) + pair
        for number in range(5)
        for chosen in combinations_with_replacement(sets, number)
        for pair in pairs
    ]
    stacked = np.stack(patterns)
    return np.unique(stacked[stacked.max(axis=1) <= 4], axis=0)


def _build() -> tuple[NDArray[np.generic], ...]:
    return (*_tree(9), *_tree(7))


def _tree(kinds: int) -> SuitTree:
    patterns = complete_patterns(kinds)
    room = patterns.size
    tree = SuitTree(np.empty(room, np.int8), np.empty(room, np.int8), np.empty(room, np.int32), np.empty(room, np.int8))
    nodes = pattern_kernels.fill_tree(patterns, *tree)
    return SuitTree(*(array[:nodes].copy() for array in tree))  # type: ignore[arg-type]


ALL_KINDS = (1 << 34) - 1


@dataclass(frozen=True, slots=True)
class Root:
    """A hand to search from.

    Attributes:
        held: int8[34], concealed tiles: 14 - 3k before a discard, otherwise 13 - 3k.
        limit: int8[34], number of tiles of each kind that may come in.
        unseen: int8[34], number of tiles of each kind that can still be drawn.
        pons: bit set of the kinds of melded pons.
    """

    held: NDArray[np.int8]
    limit: NDArray[np.int8]
    unseen: NDArray[np.int8]
    pons: int = 0


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a search.

    Attributes:
        reach: maximum number of tiles that come in (n + 1).
        calls: maximum number of calls in one line of play.
        kans: maximum number of kans in one line of play.
        kan_kinds: bit set of the kinds of these kans.
        seven_pairs, thirteen_orphans: whether to aim at those forms too.
        most_wins: keep at most that many winning exchanges, the likeliest (by unseen copies of the tiles they need).
    """

    reach: int
    calls: int = 0
    kans: int = 0
    seven_pairs: bool = True
    thirteen_orphans: bool = True
    most_wins: int | None = None
    kan_kinds: int = ALL_KINDS


def list_wins(root: Root, bounds: Bounds) -> Wins:
    """Every exchange of at most ``bounds.reach`` tiles that completes the hand."""
    suit, honours = suit_trees()
    forms = bounds.seven_pairs, bounds.thirteen_orphans
    return search_kernels.list_wins(suit, honours, root.held, root.limit, bounds.reach, *forms)


def list_hands(root: Root, bounds: Bounds, wins: Wins | None = None) -> Hands:
    """Every hand within the bounds; ``wins`` are the winning exchanges, if they have been listed already."""
    wins = wins or list_wins(root, bounds)
    most = bounds.most_wins
    if most is not None and len(wins.keys) > most:
        # those whose tiles are likeliest to be drawn
        kept = np.sort(np.argpartition(-win_chances(wins.keys, root.unseen), most - 1)[:most])
        wins = wins._replace(keys=wins.keys[kept], codes=wins.codes[kept])
    kinds = bounds.kan_kinds if bounds.kans else 0
    return search_kernels.list_hands(wins, root.held, root.unseen, root.pons, bounds.calls, bounds.kans, kinds)
