"""Lessons of the DAG search for networks: its discards in the one-player game.

Random networks need hundreds of generations to learn what a few thousand hands of the search show in a minute. A
lesson is a hand of fourteen tiles with the worth of each discard by the search, up to tenpai, where the game leaves the
player no choice. Now and then the player makes one of the next best discards instead, so that there are lessons about
hands that the search itself would not get into. What a network sees of it is only the hand, as in evolution; the search
also sees which tiles are left and how many draws.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.tiles import KINDS
from engine.papers.neat import solo_kernels as kernels
from engine.papers.neat.input_kernels import COUNTS, EXTENDED_BLOCKS, PAPER_BLOCKS
from engine.papers.neat.network import INPUTS, Network, shape_tables, space_for
from engine.papers.neat.solo import WEIGHED_NODES, WINS, SoloHand, make_walls, search_for
from engine.search.evaluator import POINTS
from engine.shanten import discard_shanten, shanten

TEMPERATURE: Final = 0.05
"""Share of the best discard's worth by which another is worth less when it is to be chosen 1/e times as often. A guess;
0.02 came to the same."""
SLIP: Final = 0.1
"""Chance of one of the ``NEXT`` best discards in place of the best. A guess."""
NEXT: Final = 4
DISCARDS: Final = kernels.DEALT + 1
PIECE: Final = 20
"""Walls of one piece of work."""
LESSONS: Final = 1_000_003
"""Seed of the lessons' walls beside that of the run."""
UTILITIES: Final = {"win": WINS, "points": POINTS}
WIDEST: Final = 0.1
"""Width of the widest changes of fitted weights, most of which are smaller than 0.5. A guess."""
NO_DISCARD: Final = -1.0
"""The aim in places without a discard."""

Floats = NDArray[np.float32]


class Lessons(NamedTuple):
    """Lessons."""

    inputs: NDArray[np.int16]  # (n, DISCARDS, active) int16 active inputs of the hand that each discard leaves
    aims: Floats  # (n, DISCARDS) with which chance it is to be chosen, NO_DISCARD where there is none

    @classmethod
    def joined(cls, parts: "Iterable[Lessons]") -> Self:
        """Several sets of lessons as one."""
        inputs, aims = zip(*parts, strict=True)
        return cls(np.concatenate(inputs), np.concatenate(aims))


@dataclass(frozen=True, slots=True)
class LessonSettings:
    """Settings of the lessons."""

    hands: int  # number of hands that the search plays for each utility
    hidden: int  # number of hidden nodes of the networks
    inputs: str  # set of inputs, of :data:`engine.papers.neat.network.INPUTS`
    dora: bool  # whether there are dora and red fives
    seed: int  # seed of everything random


@dataclass(frozen=True, slots=True)
class Piece:
    """Some hands to be played; ``first`` is the number of the first one."""

    first: int
    hands: int
    utility: str


def given(piece: Piece, course: LessonSettings) -> tuple[Piece, Lessons]:
    """The lessons of a piece's hands."""
    evaluator = search_for(UTILITIES[piece.utility])
    budget = Budget(nodes=WEIGHED_NODES)
    walls = make_walls(course.hands, course.seed, LESSONS)[piece.first : piece.first + piece.hands]
    random = np.random.default_rng([course.seed, LESSONS, piece.first])
    see = _Eye(course)
    rows, aims = [], []
    for wall in walls.tolist():
        hand = SoloHand(wall, dora=course.dora)
        if shanten(tuple(hand.counts.tolist()), 0) == 0:
            continue  # dealt tenpai: nothing to decide
        for _ in range(kernels.DRAWS - 1):
            hand.draw()
            worths = evaluator.evaluate(hand.position(), budget=budget).actions
            rows.append(see.discards(hand, [worth.choice.tile34 for worth in worths]))
            aims.append(_aims([worth.value for worth in worths]))
            place = int(random.integers(min(NEXT, len(worths)))) if random.random() < SLIP else 0
            kind = worths[place].choice.tile34
            ready = discard_shanten(tuple(hand.counts.tolist()), 0)[kind] == 0
            hand.discard(kind)
            if ready:
                break
    return piece, Lessons(np.array(rows), np.array(aims))


class _Eye:
    """A network's inputs for hands."""

    def __init__(self, course: LessonSettings) -> None:
        number = INPUTS[course.inputs]
        blind = Network(np.zeros((number, 2), np.float32), np.zeros((0, 2), np.int64), np.zeros(0, np.float32), 1)
        self._net = blind.net
        self._space = space_for(blind.net)
        self._blocks = EXTENDED_BLOCKS if number == INPUTS["extended"] else PAPER_BLOCKS

    def discards(self, hand: SoloHand, kinds: list[int]) -> NDArray[np.int16]:
        """(DISCARDS, active) the active inputs after each discard."""
        found = np.zeros((DISCARDS, KINDS + self._blocks), np.int16)
        counts, space = self._space.counts, self._space
        for place, kind in enumerate(kinds):
            counts[:] = hand.counts
            counts[kind] -= 1
            bonus = hand.bonus_without(kind)
            kernels.value_hand(self._net, 1, kernels.DEALT, bonus, 0, shape_tables(), space)
            found[place, :KINDS] = COUNTS + 5 * np.arange(KINDS) + counts
            found[place, KINDS:] = space.rows[: self._blocks]
        return found


def _aims(values: list[float]) -> Floats:
    """(DISCARDS,) the chances of discards by their worths."""
    best = max(values)
    chances = np.exp([(value - best) / (TEMPERATURE * max(best, 1e-3)) for value in values])
    found = np.full(DISCARDS, NO_DISCARD, np.float32)
    found[: len(values)] = chances / chances.sum()
    return found
