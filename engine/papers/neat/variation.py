"""Mutations and crossover of genomes. Each returns a new genome, or the same if it finds nothing to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.papers.neat.genome import HIDDEN, Genome, Innovations, policy, preference

TRIES: Final = 20
"""How often a link mutation looks for two nodes that are not linked yet."""


@dataclass(frozen=True, slots=True)
class Rates:
    """How often a child is changed, from 0 to 1. All but ``weights`` are the paper's.

    Attributes:
        crossover: the child has two parents.
        link: a link is added.
        node: a link is split by a node.
        module: a module is duplicated, MM(D).
        weights: some weights are changed.
        difference: share of these changes that follow the difference between two other genomes.
        width: width of the widest of the others.
    """

    crossover: float = 0.5
    link: float = 0.4
    node: float = 0.2
    module: float = 0.05
    weights: float = 0.9
    difference: float = 0.5
    width: float = 1.0


def child_of(parents: Sequence[Genome], rates: Rates, innovations: Innovations, random: np.random.Generator) -> Genome:
    """A child of the first genome, the better parent; the second one is the other parent, if there is to be one.

    The third and the fourth show how weights differ in the population; see :func:`change_weights`.
    """
    better, other, one, two = parents
    chances = [rates.crossover, rates.link, rates.node, rates.module, rates.weights, rates.difference]
    crossed, linked, split, duplicated, changed, along = (random.random(6) < chances).tolist()
    child = crossover(better, other, random) if crossed else better
    if changed and along:
        child = follow_difference(child, one, two, random)
    elif changed:
        child = change_weights(child, random, rates.width)
    if linked:
        child = add_link(child, innovations, random)
    if split:
        child = add_node(child, innovations, random)
    if duplicated:
        child = duplicate_module(child, innovations, random)
    return child


def crossover(better: Genome, other: Genome, random: np.random.Generator) -> Genome:
    """The genes of the better parent; of those that both have, each weight comes from either."""
    _, ours, theirs = np.intersect1d(better.genes, other.genes, assume_unique=True, return_indices=True)
    taken = random.random(len(ours)) < 0.5
    weights = better.weights.copy()
    weights[ours[taken]] = other.weights[theirs[taken]]
    return replace(better, weights=weights)


def change_weights(genome: Genome, random: np.random.Generator, widest: float = 1.0) -> Genome:
    """Shift a share of the weights by normal amounts; the share and the width are drawn anew each time."""
    share = 10.0 ** random.uniform(-2.0, 0.0)
    width = widest * 10.0 ** random.uniform(-1.5, 0.0)
    chosen = random.random(len(genome.weights)) < share
    chosen[random.integers(len(chosen))] = True
    weights = genome.weights.copy()
    weights[chosen] += random.normal(0.0, width, int(chosen.sum())).astype(np.float32)
    return replace(genome, weights=weights)


def follow_difference(genome: Genome, one: Genome, two: Genome, random: np.random.Generator) -> Genome:
    """Shift the weights of the genes that all three have by a multiple of the difference between two genomes.

    Differential evolution: changes are as large as the weights still differ in the population, and go together.
    """
    shared, first, second = np.intersect1d(one.genes, two.genes, assume_unique=True, return_indices=True)
    _, ours, common = np.intersect1d(genome.genes, shared, assume_unique=True, return_indices=True)
    weights = genome.weights.copy()
    difference = one.weights[first[common]] - two.weights[second[common]]
    weights[ours] += np.float32(random.uniform(0.1, 0.9)) * difference * (random.random(len(ours)) < random.random())
    return replace(genome, weights=weights)


def add_link(genome: Genome, innovations: Innovations, random: np.random.Generator) -> Genome:
    """Add a link between two nodes, without a circle; one that was split is used again."""
    hidden = genome.hidden
    targets = np.concatenate([genome.outputs, hidden])
    for _ in range(TRIES):
        from_hidden = len(hidden) and random.random() < 0.5
        source = int(random.choice(hidden)) if from_hidden else int(random.integers(genome.inputs))
        target = int(random.choice(targets))
        there = np.flatnonzero((genome.sources == source) & (genome.targets == target))
        if len(there):
            if genome.active[there[0]]:
                continue
            active = genome.active.copy()
            active[there[0]] = True
            return replace(genome, active=active)
        if source >= HIDDEN and target >= HIDDEN and _leads_to(genome, target, source):
            continue
        return genome.with_links(genome.modules, [(source, target, float(random.normal()))], innovations)
    return genome


def _leads_to(genome: Genome, first: int, last: int) -> bool:
    """Whether a path of links goes from one hidden node to another, or they are the same."""
    reached = {first}
    edge = [first]
    while edge:
        ahead = set(genome.targets[np.isin(genome.sources, edge)].tolist()) - reached
        reached |= ahead
        edge = list(ahead)
    return last in reached


def add_node(genome: Genome, innovations: Innovations, random: np.random.Generator) -> Genome:
    """Split an active link by a hidden node: the weight before it is 1, the one after it twice that of the link.

    An active input then adds what it added before, because the node's output is one half.
    """
    active = np.flatnonzero(genome.active)
    at = int(random.choice(active))
    source, target = int(genome.sources[at]), int(genome.targets[at])
    node = innovations.node(int(genome.genes[at]), genome.hidden)
    switched = genome.active.copy()
    switched[at] = False
    added = [(source, node, 1.0), (node, target, 2.0 * float(genome.weights[at]))]
    return replace(genome, active=switched).with_links(genome.modules, added, innovations)


def duplicate_module(genome: Genome, innovations: Innovations, random: np.random.Generator) -> Genome:
    """MM(D): a module whose policy neuron has the links of another one's, and whose preference neuron has a random one.

    The new preference neuron is linked to one random input, as those of the first generation are.
    """
    model = int(random.choice(genome.modules))
    module = innovations.module(model, genome.modules)
    copied = np.flatnonzero((genome.targets == policy(model)) & genome.active)
    links = [(int(genome.sources[at]), policy(module), float(genome.weights[at])) for at in copied]
    links.append((int(random.integers(genome.inputs)), preference(module), float(random.normal())))
    return genome.with_links(tuple(sorted((*genome.modules, module))), links, innovations)
