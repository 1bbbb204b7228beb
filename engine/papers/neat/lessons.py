"""Networks that begin where the DAG search leads: fitted to its discards in the one-player game.

Random networks need hundreds of generations to learn what a few thousand hands of the search show in a minute. A
lesson is a hand of fourteen tiles with the worth of each discard by the search, up to tenpai, where the game leaves the
player no choice. Now and then the player makes one of the next best discards instead, so that there are lessons about
hands that the search itself would not get into. A network with one module is fitted so that the softmax of its values
is close to that of the worths. What it sees is only the hand, as in evolution; the search also sees which tiles are
left and how many draws.

Two networks of the same shape are fitted: one to the chance to win, and from there one to the points. The genomes of a
first generation lie between them and beyond the second, as far again: those win less often, but more at a time.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from engine.model.budget import Budget
from engine.model.tiles import KINDS
from engine.papers.neat import solo_kernels as kernels
from engine.papers.neat.genome import Genome, Innovations, change_weights, policy, preference, unlinked
from engine.papers.neat.input_kernels import COUNTS, EXTENDED_BLOCKS, PAPER_BLOCKS
from engine.papers.neat.network import INPUTS, Network, shape_tables, space_for
from engine.papers.neat.solo import WEIGHED_NODES, WINS, SoloHand, make_walls, search_for
from engine.search.evaluator import POINTS
from engine.shanten import discard_shanten, shanten
from engine.train.fits import Adam

TEMPERATURE: Final = 0.05
"""Share of the best discard's worth by which another is worth less when it is to be chosen 1/e times as often. A guess;
0.02 came to the same."""
SLIP: Final = 0.1
"""Chance of one of the ``NEXT`` best discards in place of the best. A guess."""
NEXT: Final = 4
EPOCHS: Final = 6
BATCH: Final = 256
RATE: Final = 0.02
"""Passes over the lessons, lessons of a step, and the highest rate of Adam: guesses."""
DISCARDS: Final = kernels.DEALT + 1
PIECE: Final = 20
"""Walls of one piece of work."""
LESSONS: Final = 1_000_003
"""Seed of the lessons' walls beside that of the run."""
UTILITIES: Final = {"win": WINS, "points": POINTS}
BEYOND: Final = 2.0
"""Where the first generation ends on the line from the network for wins (0) to the one for points (1). A guess: with
2,000 lessons a network there wins 12.5% of hands and 4,480 points a win, the one for points 16.7% and 3,510."""
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


class ModuleWeights(NamedTuple):
    """A network with one module."""

    inputs: Floats  # (inputs, hidden + 1) weights of the inputs, to the hidden nodes and, last, to the policy neuron
    hidden: Floats  # (hidden,) weights from the hidden nodes to the policy neuron

    def between(self, other: "ModuleWeights", share: float) -> "ModuleWeights":
        """The network so far on the way to another one; it lies beyond that if the share is more than 1."""
        return ModuleWeights(*((1 - share) * one + share * there for one, there in zip(self, other, strict=True)))


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


def first_generation(
    course: LessonSettings,
    count: int,
    innovations: Innovations,
    spread: Callable[..., Iterable[Any]],
    watch: Callable[[int, int], None],
) -> list[Genome]:
    """Genomes on the line through the networks for wins and for points, and copies with some weights changed.

    Args:
        course: what they are fitted to.
        count: number of genomes.
        innovations: the numbers of genes.
        spread: applies a function to pieces of work and returns the results in any order; the builtin ``map`` is one.
        watch: called after each piece with the number of hands played so far and of all.
    """
    pieces = [
        Piece(first, min(PIECE, course.hands - first), utility)
        for utility in UTILITIES
        for first in range(0, course.hands, PIECE)
    ]
    found: dict[tuple[str, int], Lessons] = {}
    done = 0
    for piece, lessons in spread(partial(given, course=course), pieces):
        found[piece.utility, piece.first] = lessons
        done += piece.hands
        watch(done, course.hands * len(UTILITIES))
    taught: list[ModuleWeights] = []
    for utility in UTILITIES:
        lessons = Lessons.joined(found[utility, piece.first] for piece in pieces if piece.utility == utility)
        taught.append(fit(lessons, course, taught[-1] if taught else None))
    wins, points = taught
    random = np.random.default_rng([course.seed, LESSONS])
    input_of_preference = int(random.integers(INPUTS[course.inputs]))
    shares = np.linspace(0.0, BEYOND, -(-count // 2)).tolist()
    between = [genome_of(wins.between(points, share), input_of_preference, innovations) for share in shares]
    return [*between, *(change_weights(genome, random, WIDEST) for genome in between[: count - len(between)])]


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


def fit(lessons: Lessons, course: LessonSettings, start: ModuleWeights | None) -> ModuleWeights:
    """The network fitted to some lessons, from another one or from random weights."""
    random = np.random.default_rng([course.seed, LESSONS])
    if start is None:
        inputs = random.normal(0.0, 0.05, (INPUTS[course.inputs], course.hidden + 1))
        start = ModuleWeights(inputs.astype(np.float32), random.normal(0.0, 0.1, course.hidden).astype(np.float32))
    weights = ModuleWeights(*(array.copy() for array in start))
    number = len(lessons.aims)
    batches = max(1, number // BATCH)
    optimisers = [Adam(array, rate=RATE, warm=1 + EPOCHS * batches // 20, decay=0.0) for array in weights]
    for epoch in range(EPOCHS):
        order = random.permutation(number)
        for batch in range(batches):
            chosen = order[batch * BATCH : (batch + 1) * BATCH]
            _, gradients = agreement(lessons.inputs[chosen], lessons.aims[chosen], weights)
            progress = (epoch * batches + batch) / (EPOCHS * batches)
            for optimiser, gradient in zip(optimisers, gradients, strict=True):
                optimiser.step(gradient, progress)
    return weights


def agreement(inputs: NDArray[np.int16], aims: Floats, weights: ModuleWeights) -> tuple[float, ModuleWeights]:
    """The mean cross-entropy of some lessons, and its gradient."""
    lessons, discards, active = inputs.shape
    ends = np.arange(0, lessons * discards * active + 1, active)
    seen = csr_array(
        (np.ones(inputs.size, np.float32), inputs.ravel(), ends), (lessons * discards, len(weights.inputs))
    )
    sums = seen @ weights.inputs
    widths = 1.0 + np.abs(sums[:, :-1])
    outputs = sums[:, :-1] / widths
    there = aims != NO_DISCARD
    values = np.where(there, (sums[:, -1] + outputs @ weights.hidden).reshape(lessons, discards), -np.inf)
    values -= values.max(axis=1, keepdims=True)
    logarithms = values - np.log(np.exp(values).sum(axis=1, keepdims=True))
    loss = -float((aims[there] * logarithms[there]).sum()) / lessons
    errors = (np.where(there, np.exp(logarithms) - aims, 0.0) / lessons).astype(np.float32).reshape(-1, 1)
    back = np.concatenate([errors * weights.hidden / (widths * widths), errors], axis=1)
    return loss, ModuleWeights(seen.T @ back, outputs.T @ errors[:, 0])


def genome_of(weights: ModuleWeights, input_of_preference: int, innovations: Innovations) -> Genome:
    """The genome of a network with one module; genomes of equal shape have the same genes."""
    inputs, columns = weights.inputs.shape
    split = innovations.link(0, policy(0))
    nodes: list[int] = []
    for _ in range(columns - 1):
        nodes.append(innovations.node(split, np.array(nodes, np.int64)))
    targets = [*nodes, policy(0)]
    links = [
        (source, target, float(weight))
        for source, row in enumerate(weights.inputs)
        for target, weight in zip(targets, row.tolist(), strict=True)
    ]
    links += [(node, policy(0), float(weight)) for node, weight in zip(nodes, weights.hidden.tolist(), strict=True)]
    links.append((input_of_preference, preference(0), 1.0))
    return unlinked(inputs).with_links((0,), links, innovations)
