"""Networks that begin where the DAG search leads: fitted to its lessons. Only this module needs torch.

A network with one module is fitted so that the softmax of its values is close to that of the worths by the search. Two
networks of the same shape are fitted: one to the chance to win, and from there one to the points. The genomes of a
first generation lie between them and beyond the second, as far again: those win less often, but more at a time.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from engine.papers.neat.genome import Genome, Innovations, change_weights, policy, preference, unlinked
from engine.papers.neat.lessons import (
    LESSONS,
    NO_DISCARD,
    PIECE,
    UTILITIES,
    WIDEST,
    Floats,
    Lessons,
    LessonSettings,
    Piece,
    given,
)
from engine.papers.neat.network import INPUTS
from engine.train.nets import Descent

EPOCHS: Final = 6
BATCH: Final = 256
RATE: Final = 0.02
"""Passes over the lessons, lessons of a step, and the highest learning rate: guesses."""
DECAY: Final = 0.1
"""Weight decay, relative to the learning rate: without it the loss on other hands is 0.01 higher."""
WARM: Final = 0.05
"""Share of the steps in which the learning rate rises."""
BEYOND: Final = 2.0
"""Where the first generation ends on the line from the network for wins (0) to the one for points (1). A guess: with
2,000 lessons a network there wins 12.5% of hands and 4,480 points a win, the one for points 16.7% and 3,510."""


class ModuleWeights(NamedTuple):
    """A network with one module."""

    inputs: Floats  # (inputs, hidden + 1) weights of the inputs, to the hidden nodes and, last, to the policy neuron
    hidden: Floats  # (hidden,) weights from the hidden nodes to the policy neuron

    def between(self, other: "ModuleWeights", share: float) -> "ModuleWeights":
        """The network so far on the way to another one; it lies beyond that if the share is more than 1."""
        return ModuleWeights(*((1 - share) * one + share * there for one, there in zip(self, other, strict=True)))


class ModuleNet(nn.Module):  # type: ignore[misc]
    """A network with one module in torch."""

    def __init__(self, weights: ModuleWeights) -> None:
        super().__init__()
        self.inputs, self.hidden = (nn.Parameter(torch.from_numpy(array.copy())) for array in weights)

    def forward(self, active: Tensor) -> Tensor:
        """(n, DISCARDS) values of the hands that have these active inputs, (n, DISCARDS, active)."""
        sums = functional.embedding_bag(active.flatten(0, 1), self.inputs, mode="sum")
        values: Tensor = sums[:, -1] + functional.softsign(sums[:, :-1]) @ self.hidden
        return values.unflatten(0, active.shape[:2])


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


def fit(lessons: Lessons, course: LessonSettings, start: ModuleWeights | None) -> ModuleWeights:
    """The network fitted to some lessons, from another one or from random weights."""
    torch.manual_seed(course.seed)
    if start is None:
        random = np.random.default_rng([course.seed, LESSONS])
        inputs = random.normal(0.0, 0.05, (INPUTS[course.inputs], course.hidden + 1))
        start = ModuleWeights(inputs.astype(np.float32), random.normal(0.0, 0.1, course.hidden).astype(np.float32))
    number = len(lessons.aims)
    batches = max(1, number // BATCH)
    steps = EPOCHS * batches
    descent = Descent(ModuleNet(start), RATE, DECAY, steady=0.0, warm=1 + int(WARM * steps))
    for _ in range(EPOCHS):
        for chosen in torch.randperm(number)[: batches * BATCH].split(BATCH):
            active, aims = (torch.from_numpy(array[chosen.numpy()]).to(descent.device) for array in lessons)
            descent.follow(disagreement(descent.net(active.int()), aims), descent.steps / steps)
    return ModuleWeights(**descent.mean_arrays())


def disagreement(values: Tensor, aims: Tensor) -> Tensor:
    """The mean cross-entropy of the chances by the values of discards, relative to how often each is to be chosen."""
    there = aims != NO_DISCARD
    return functional.cross_entropy(values.masked_fill(~there, -1e9), aims * there)


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
