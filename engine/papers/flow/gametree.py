"""The evaluator ``gametree`` of the FLOW paper: a tree of draws and discards, searched as deep as the budget allows.

From each hand lead 34 draws times 14 discards. The value of a discard is the expected number of points with all own
draws that are left, over the wins in the tree. Hands are kept once however they arise, and those that are too far from
a win for the tree's depth are left out, which changes no value. The depth counts the tiles exchanged; a tile that is
discarded as soon as it is drawn costs a draw and no depth.

The first tree has just the depth of the nearest win. It grows layer by layer, and if the budget ends before the last,
its hands count for their hand score times their chance to come nearer. Each further tree has room for one more
exchange.

It considers neither calls nor what the others do, except that they discard winning tiles (``RON``).
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.model.tiles import KINDS
from engine.papers.flow import GameTreeSettings
from engine.papers.flow import tree_kernels as kernels
from engine.papers.flow.handscore import POINT, suit_scores
from engine.search.evaluator import Choice, Evaluation, Stakes, Worth, discarding
from engine.search.position import Position
from engine.search.tiles import RON, circumstances, discards_of, furiten_kinds, may_declare_riichi
from engine.shanten.tables import hand_tables

GROWTH: Final = 10
"""A tree with one more exchange is begun if ten times the hands of the last one fit the budget. Counted: it has 10 to
30 times as many."""
BATCH: Final = 64
"""Hands between two looks at the clock. A guess; no answer depends on it."""
EDGES: Final = 48
"""Room for edges for each hand. Counted: hands have 5 to 40."""

Answers = NDArray[np.float64]
"""A row for each discard, see ``Tree.answers``."""


class GameTree:
    """See the module."""

    name = "gametree"
    digests: Mapping[str, str] = {}

    def __init__(self, settings: GameTreeSettings) -> None:
        self._settings = settings

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :class:`~engine.search.evaluator.Evaluator`; the stakes are ignored, ``nodes`` bounds the hands."""
        del stakes
        budget = budget or Budget()
        most = self._settings.hands if budget.nodes is None else min(budget.nodes, self._settings.hands)
        discards = discards_of(position) if position.to_discard else [-1]
        answers, deep, used, complete = _search(position, discards, most, budget)
        found = []
        for discard, (silent, riichi) in zip(discards, answers.tolist(), strict=True):
            if discard < 0:
                found.append(Worth(Choice(ActionKind.PASS), silent))
                continue
            found.append(Worth(discarding(ActionKind.DISCARD, discard), silent))
            if riichi:
                found.append(Worth(discarding(ActionKind.RIICHI, discard), riichi))
        found.sort(key=lambda worth: -worth.value)
        return Evaluation(
            self.name, tuple(found), shanten=position.shanten, exchanges=deep, nodes=used, complete=complete
        )


def _search(position: Position, discards: list[int], most: int, budget: Budget) -> tuple[Answers, int, int, bool]:
    """The worth of each discard, by how many exchanges, the number of hands, and whether the budget sufficed."""
    first = max(position.shanten, 0)
    last = max(position.draws_left - 1, first)
    answers, used = np.zeros((len(discards), 2)), 0
    for deep in range(first, last + 1):
        tree = _Tree(position, discards, max(most - used, len(discards)), deep)
        while tree.layer <= deep:
            if deep == first:
                answers = tree.solve()
            if not tree.grow(budget):
                return answers, tree.layer if deep == first else deep - 1, used + tree.hands, False
        answers = tree.solve()
        used += tree.hands
        if deep < last and used + GROWTH * tree.hands > most:
            return answers, deep, used, False
    return answers, last, used, True


class _Tree:
    """A tree of a given number of exchanges, grown layer by layer.

    Attributes:
        layer: number of the last layer.
    """

    def __init__(self, position: Position, discards: list[int], most: int, deep: int) -> None:
        draws = position.draws_left
        root, unseen = np.array(position.counts, np.int64), np.array(position.unseen, np.int64)
        # the tree has no wait that cannot be drawn, which makes a hand furiten all the same
        undrawn = sum(1 << kind for kind in range(KINDS) if not unseen[kind])
        hidden = position.river_mask & undrawn
        self._tree = kernels.Tree(
            root, unseen, furiten_kinds(position) if hidden else position.river_mask, RON,
            may_declare_riichi(position) and draws > 0, len(position.melds), np.empty(most, np.uint64),
            np.empty(most, np.uint64), np.zeros(1 << (2 * most).bit_length(), np.int32), np.zeros(most + 1, np.int64),
            np.empty(EDGES * most + kernels.MOST_EDGES, np.int64),
            np.empty(EDGES * most + kernels.MOST_EDGES, np.int64), np.zeros(3, np.int64), np.empty(34, np.uint8),
            np.empty(34, np.int64), np.empty((34, draws + 1)), np.empty(34), np.empty(draws + 1),
            np.empty((most, draws + 1)), np.zeros((len(discards), 2)),
        )  # fmt: skip
        for discard in discards:
            kernels.add_root(self._tree, discard)
        self._table = circumstances(position)
        self._deep = deep
        self.layer = 0

    @property
    def hands(self) -> int:
        """Number of hands."""
        return int(self._tree.sizes[0])

    def grow(self, budget: Budget) -> bool:
        """Add a layer; whether the budget allowed the whole of it."""
        stop = self.hands
        self.layer += 1
        for at in range(int(self._tree.sizes[2]), stop, BATCH):
            room = kernels.grow(self._tree, min(at + BATCH, stop), self.layer, self._deep - self.layer, hand_tables())
            if not room or budget.expired():
                self.layer -= 1
                return False
        return True

    def solve(self) -> Answers:
        """The worth of each discard."""
        kernels.solve(self._tree, POINT, self._deep - self.layer, self._table, suit_scores())
        return self._tree.answers.copy()
