"""The size of a search: n, calls and kans by shanten and budget, predicted before any of the costly work.

The winning exchanges are listed first, which takes little time; their number predicts the number of hands. A search
predicted to be far too large is not even listed. What is listed is counted, so the bound holds exactly. If the smallest
whole search is too large, the exchanges least likely to be drawn are left out: the values of such a *thinned* search
are lower bounds on the same scale. A root that is compared with no other is thinned sooner, because one exchange more
means many times as many hands, and the likeliest of them distinguish its actions better than a whole but small search.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.search.dag.graph import Bounds, Root, list_hands, list_wins
from engine.search.dag.graph_kernels import Hands, Wins
from engine.search.dag.model import Model

MOST_NODES: Final = 400_000
"""Maximum number of nodes searched, by all roots of a decision together, if the budget gives no bound. A guess: it
keeps a decision to about a second."""

FAR: Final = 4
"""From this shanten on, n = shanten: one exchange more costs ten times as much and changes little. Measured by
``oshihiki bench dag --detail``."""
VERY_FAR: Final = 5
"""From this shanten on the search is thinned to ``FEW_NODES``. A guess: the first discard decides little there."""
FEW_NODES: Final = 30_000
"""Bound of these searches. A guess; the first discards depend on it."""

KANS: Final = 2
"""Maximum number of kans in one line of play; docs/evaluators.md shows that more change nothing."""

DOUBT: Final = 3.0
"""A search predicted to exceed the bound by more than this factor is not listed. Counted: predictions are within a
factor of two in all but the smallest searches."""

NODES_PER_WIN: Final = (0.0, 6.0, 2.0, 4.5, 11.0, 25.0, 50.0, 90.0)
"""Hands without calls per winning exchange, by the maximum number of tiles that come in: medians over hands from games.
A hand's own ratio is within a factor of two of it in all but the smallest searches."""
CALLED: Final = (1.0, 2.3, 2.8, 3.3, 3.5)
"""Hands relative to those without calls, by the maximum number of calls: medians over the same hands."""


def predicted_nodes(wins: int, bounds: Bounds) -> float:
    """The predicted number of hands for a number of winning exchanges."""
    return wins * NODES_PER_WIN[min(bounds.reach, len(NODES_PER_WIN) - 1)] * CALLED[bounds.calls]


def choose_hands(
    root: Root, far: int, model: Model, calls: int, locked: bool, most: int, alone: bool = False
) -> tuple[Bounds, Hands, bool]:
    """The hands of the largest search that fits, its bounds, and whether it is all that the model asks for.

    Args:
        root: the hand.
        far: shanten of the hand.
        model: the parts of the game that are played.
        calls: maximum number of calls.
        locked: whether the hand is in riichi and does not change.
        most: bound on the hands listed; the hands of one winning exchange are always listed.
        alone: whether its values are compared with no other root's.
    """
    far = max(0, far)
    if far >= VERY_FAR and model.exchanges is None:
        most = min(most, FEW_NODES)
    known: dict[int, Wins] = {}
    whole = True
    nodes = 0.0
    tries = list(_tries(root, far, model, calls, locked))
    for bounds in tries:
        wins = known.get(bounds.reach) or list_wins(root, bounds)
        known[bounds.reach] = wins
        nodes = predicted_nodes(len(wins.keys), bounds)
        if nodes <= DOUBT * most:
            hands = list_hands(root, bounds, wins)
            nodes = hands.nodes
            if nodes <= most and alone and bounds.reach < tries[0].reach:
                wider = replace(tries[0], kans=0)
                wins = known[wider.reach]
                return *_thinned(root, wider, wins, predicted_nodes(len(wins.keys), wider), most), False
            if nodes <= most:
                return bounds, hands, whole
        whole = False
    return *_thinned(root, replace(bounds, calls=0, kans=0), wins, nodes, most), False


def _thinned(root: Root, bounds: Bounds, wins: Wins, nodes: float, most: int) -> tuple[Bounds, Hands]:
    """The likeliest exchanges that fit; ``nodes`` is the predicted number of hands of all exchanges."""
    kept = len(wins.keys)
    kept = max(1, min(int(0.9 * kept * most / nodes), kept))
    while True:
        bounds = replace(bounds, most_wins=kept)
        hands = list_hands(root, bounds, wins)
        if hands.nodes <= most or kept == 1:
            return bounds, hands
        kept = max(1, min(int(0.9 * kept * most / hands.nodes), kept * 4 // 5))


def _tries(root: Root, least: int, model: Model, calls: int, locked: bool) -> Iterator[Bounds]:
    # from everything that is asked for to the smallest search that can win
    wanted = least + (least < FAR) if model.exchanges is None else max(least, model.exchanges)
    kinds = 0
    if model.kans:
        kinds = sum([1 << kind for kind, copies in enumerate(root.held.tolist()) if copies >= model.kan_tiles])
        kinds |= root.pons
    kans = KANS if kinds else 0
    sizes = [(wanted, calls, kans), (least, calls, kans), *((least, fewer, 0) for fewer in range(calls, -1, -1))]
    for exchanges, most_calls, most_kans in dict.fromkeys([(0, 0, 0)] if locked else sizes):
        yield Bounds(exchanges + 1, most_calls, most_kans, model.seven_pairs, model.thirteen_orphans, kan_kinds=kinds)
