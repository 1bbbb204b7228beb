"""The hands of one root and their links, built by the kernels as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.search.dag import search_kernels
from engine.search.dag.graph_kernels import Hands, Wins
from engine.search.dag.hands.exchange_kernels import win_chances
from engine.search.dag.hands.patterns import suit_trees

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
