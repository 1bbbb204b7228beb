"""The hands of a search, listed by the kernels as plain arrays from the complete suits; and how many of them.

The size of a search, which is n, calls and kans by shanten and budget, is predicted before any of the costly work.
The winning exchanges are listed first, which takes little time; their number predicts the number of hands. A search
predicted to be far too large is not even listed. What is listed is counted, so the bound holds exactly.

The roots of one decision (passing and each call, discards and each kan) are compared with each other, so they share one
size: the same number of exchanges beyond their shanten, the same number of calls given up, and, where exchanges are
left out, the same share of them, the likeliest to be drawn. If searches of one exchange more than the shanten do not
fit whole but smaller ones do, the larger ones are *thinned* in this way: one exchange more means many times as many
hands, and the likeliest of them distinguish actions better than a whole but small search. The values of thinned
searches are lower bounds on the same scale.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.search.dag import exchange_kernels, search_kernels
from engine.search.dag.exchange_kernels import KEY_BITS, SuitTree, win_chances
from engine.search.dag.graph_kernels import Hands, Limits, Root, Wins
from engine.search.dag.model import Model
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
    nodes = exchange_kernels.fill_tree(patterns, *tree)
    return SuitTree(*(array[:nodes].copy() for array in tree))  # type: ignore[arg-type]


ALL_KINDS = (1 << 34) - 1


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

    @property
    def limits(self) -> Limits:
        """Those of calls and kans, as the kernels take them."""
        return Limits(self.calls, self.kans, self.kan_kinds if self.kans else 0)


def list_wins(root: Root, bounds: Bounds) -> Wins:
    """Every exchange of at most ``bounds.reach`` tiles that completes the hand."""
    suit, honours = suit_trees()
    forms = bounds.seven_pairs, bounds.thirteen_orphans
    return search_kernels.list_wins(suit, honours, root, bounds.reach, *forms)


def list_hands(root: Root, bounds: Bounds, wins: Wins | None = None) -> Hands:
    """Every hand within the bounds; ``wins`` are the winning exchanges, if they have been listed already."""
    wins = wins or list_wins(root, bounds)
    most = bounds.most_wins
    if most is not None and len(wins.keys) > most:
        # those whose tiles are likeliest to be drawn, and all that need one tile: without them a hand that is furiten
        # by a wait that is hardly left, or not at all, would seem to win by ron
        likeliest = np.argpartition(-win_chances(wins.keys, root.unseen), most - 1)[:most]
        kept = np.union1d(likeliest, np.flatnonzero(wins.keys >> KEY_BITS == 0))
        wins = wins._replace(keys=wins.keys[kept], codes=wins.codes[kept])
    return search_kernels.list_hands(wins, root, bounds.limits)


def number_of(hands: Hands) -> int:
    """How many hands of 13 tiles there are."""
    return len(hands.node_out)


MOST_NODES: Final = 400_000
"""Maximum number of nodes searched, by all roots of a decision together, if the budget gives no bound. A guess: it
keeps a decision to about a second."""

FAR: Final = 4
"""From this shanten on, n = shanten: one exchange more costs ten times as much and changes little. Measured by
``oshihiki bench dag --detail`` of commit ``64ad1aa2``."""
VERY_FAR: Final = 5
"""From this shanten on the search is thinned to ``FEW_NODES``. A guess: the first discard decides little there."""
FEW_NODES: Final = 30_000
"""Bound of these searches. A guess; the first discards depend on it."""

KANS: Final = 2
"""Maximum number of kans in one line of play. A guess; the worth of hands with three triplets depends on it."""

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


@dataclass(frozen=True, slots=True)
class Rooted:
    """A root whose hands are to be listed."""

    root: Root  # the hand
    far: int  # shanten of the hand, at least 0
    calls: int  # maximum number of calls
    locked: bool = False  # whether the hand is in riichi and does not change


@dataclass(frozen=True, slots=True)
class Listed:
    """The hands of a root; ``whole``: whether they are all that the model asks for."""

    bounds: Bounds
    hands: Hands
    whole: bool


class _Sizes:
    """The bounds of all roots for one size, with their winning exchanges, which are listed once for each reach."""

    def __init__(self, roots: Sequence[Rooted], model: Model) -> None:
        self._roots = roots
        self._model = model
        self._wins: dict[tuple[int, int], Wins] = {}

    def bounds(self, *, wider: bool, fewer: int, kans: bool) -> list[Bounds]:
        """The bounds of each root: one exchange more than its shanten or none, calls given up, with kans or without."""
        return [self._bounds(one, fewer, wider=wider, kans=kans) for one in self._roots]

    def wins(self, sized: Sequence[Bounds]) -> list[Wins]:
        """The winning exchanges of each root."""
        for number, (one, bounds) in enumerate(zip(self._roots, sized, strict=True)):
            if (number, bounds.reach) not in self._wins:
                self._wins[number, bounds.reach] = list_wins(one.root, bounds)
        return [self._wins[number, bounds.reach] for number, bounds in enumerate(sized)]

    def predicted(self, sized: Sequence[Bounds]) -> float:
        """The predicted number of hands of all roots."""
        return sum(
            predicted_nodes(len(wins.keys), bounds) for wins, bounds in zip(self.wins(sized), sized, strict=True)
        )

    def listed(self, sized: Sequence[Bounds]) -> list[Hands]:
        """The hands of each root."""
        return [
            list_hands(one.root, bounds, wins)
            for one, bounds, wins in zip(self._roots, sized, self.wins(sized), strict=True)
        ]

    def thinned(self, sized: Sequence[Bounds], nodes: float, most: int) -> list[Listed]:
        """The likeliest exchanges that fit, of each root the same share; ``nodes``: predicted hands of all of them."""
        wins = self.wins(sized)
        share = min(0.9 * most / nodes, 1.0)
        while True:
            kept = [max(1, int(share * len(each.keys))) for each in wins]
            fewer = [replace(bounds, most_wins=number) for bounds, number in zip(sized, kept, strict=True)]
            hands = self.listed(fewer)
            total = sum(map(number_of, hands))
            if total <= most or max(kept) == 1:
                return [Listed(bounds, each, whole=False) for bounds, each in zip(fewer, hands, strict=True)]
            share *= min(0.9 * most / total, 0.8)

    def _bounds(self, one: Rooted, fewer: int, *, wider: bool, kans: bool) -> Bounds:
        model = self._model
        if one.locked:
            return Bounds(1, kan_kinds=0)
        exchanges = one.far
        if wider:
            exchanges = one.far + (one.far < FAR) if model.exchanges is None else max(one.far, model.exchanges)
        kinds = 0 if model.draws_only else _kan_kinds(one.root)
        calls = max(one.calls - fewer, 0)
        most_kans = KANS if kans and kinds else 0
        return Bounds(exchanges + 1, calls, most_kans, kan_kinds=kinds)


def choose_hands(roots: Sequence[Rooted], model: Model, most: int) -> list[Listed]:
    """The hands of the largest searches of one size that fit, for each root of a decision.

    Args:
        roots: the roots of the decision.
        model: the parts of the game that are played.
        most: bound on the hands listed for all of them; the hands of one winning exchange are always listed.
    """
    if max(one.far for one in roots) >= VERY_FAR and model.exchanges is None:
        most = min(most, FEW_NODES * len(roots))
    sizes = _Sizes(roots, model)
    # from everything that is asked for to the smallest searches that can win
    steps = [(True, 0, True), (False, 0, True), *((False, fewer, False) for fewer in range(model.calls + 1))]
    tried: list[list[Bounds]] = []
    for wider, fewer, kans in steps:
        sized = sizes.bounds(wider=wider, fewer=fewer, kans=kans)
        if sized in tried:
            continue
        tried.append(sized)
        nodes = sizes.predicted(sized)
        if nodes > DOUBT * most:
            continue
        hands = sizes.listed(sized)
        nodes = sum(map(number_of, hands))
        if nodes > most:
            continue
        if any(more.reach > bounds.reach for more, bounds in zip(tried[0], sized, strict=True)):
            widest = [replace(bounds, kans=0) for bounds in tried[0]]
            return sizes.thinned(widest, sizes.predicted(widest), most)
        return [Listed(bounds, each, whole=len(tried) == 1) for bounds, each in zip(sized, hands, strict=True)]
    return sizes.thinned([replace(bounds, calls=0, kans=0) for bounds in tried[-1]], nodes, most)


def _kan_kinds(root: Root) -> int:
    """Bit set of the kinds of which the root holds three or has a pon."""
    return sum([1 << kind for kind, copies in enumerate(root.held.tolist()) if copies >= 3]) | root.pons
