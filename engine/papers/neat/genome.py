"""Genomes of networks, their mutations and crossover. A mutation that is impossible returns the genome unchanged.

A genome is a list of links. Nodes have numbers: the inputs first, from ``OUTPUTS`` on the preference and the policy
neuron of each module, from ``HIDDEN`` on the hidden nodes. A node exists if it belongs to a module of the genome or if
a link leads to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.papers.neat.input_kernels import STANDARD
from engine.papers.neat.network import Network

OUTPUTS: Final = 1 << 10
HIDDEN: Final = 1 << 20
"""First numbers of output neurons and of hidden nodes."""
COPIES: Final = 0.1
"""Width of the first weights of the copies of kinds, relative to the others. A guess; with 1.0 a run needs many times
as many generations."""

Numbers = NDArray[np.int64]
TRIES: Final = 20
"""How often a link mutation looks for two nodes that are not linked yet."""


def preference(module: int) -> int:
    """Number of a module's preference neuron."""
    return OUTPUTS + 2 * module


def policy(module: int) -> int:
    """Number of a module's policy neuron."""
    return OUTPUTS + 2 * module + 1


@dataclass(slots=True)
class Innovations:
    """Numbers genes; equal mutations get equal numbers wherever they occur."""

    links: dict[tuple[int, int], int] = field(default_factory=dict)  # number of each link by its source and target
    # number of each hidden node by the link that it splits, and how many of the genome had split it before
    nodes: dict[tuple[int, int], int] = field(default_factory=dict)
    # number of each module by the one that it duplicates, and how many of the genome had duplicated it
    modules: dict[tuple[int, int], int] = field(default_factory=dict)

    def link(self, source: int, target: int) -> int:
        """Number of a link."""
        return self.links.setdefault((source, target), len(self.links))

    def node(self, link: int, there: NDArray[np.int64]) -> int:
        """Number of a hidden node that splits a link in a genome with the nodes ``there``."""
        before = 0
        while True:
            number = self.nodes.setdefault((link, before), HIDDEN + len(self.nodes))
            if number not in there:
                return number
            before += 1

    def module(self, duplicated: int, there: tuple[int, ...]) -> int:
        """Number of a module that duplicates another one in a genome with the modules ``there``."""
        before = 0
        while True:
            number = self.modules.setdefault((duplicated, before), 1 + len(self.modules))
            if number not in there:
                return number
            before += 1


@dataclass(frozen=True, slots=True)
class Genome:
    """One genome."""

    inputs: int  # number of inputs
    modules: tuple[int, ...]  # numbers of its modules, ascending
    genes: Numbers  # (n,) numbers of its links, ascending
    # sources, targets: (n,) nodes that each link connects
    sources: Numbers
    targets: Numbers
    weights: NDArray[np.float32]  # (n,) float32
    active: NDArray[np.bool_]  # (n,) whether the link is used; a link that a node has split is not

    @property
    def hidden(self) -> Numbers:
        """Numbers of the hidden nodes, ascending."""
        return np.unique(self.targets[self.targets >= HIDDEN])

    @property
    def outputs(self) -> Numbers:
        """Numbers of the output neurons, in order of modules."""
        return np.array([number for module in self.modules for number in (preference(module), policy(module))])

    def network(self) -> Network:
        """The network that it describes."""
        nodes = np.concatenate([in_order(self), self.outputs])
        ascending = np.argsort(nodes)
        columns = ascending[np.searchsorted(nodes, self.targets, sorter=ascending)]
        direct = self.active & (self.sources < self.inputs)
        weights = np.zeros((self.inputs, len(nodes)), np.float32)
        weights[self.sources[direct], columns[direct]] = self.weights[direct]
        between = self.active & ~direct
        sources = ascending[np.searchsorted(nodes, self.sources[between], sorter=ascending)]
        links = np.stack([sources, columns[between]], axis=1)
        return Network(weights, links, self.weights[between], len(self.modules))

    def with_links(
        self, modules: tuple[int, ...], links: Sequence[tuple[int, int, float]], innovations: Innovations
    ) -> "Genome":
        """This genome with further links (source, target, weight), and with these modules."""
        sources, targets, weights = zip(*links, strict=True)
        genes = [innovations.link(source, target) for source, target in zip(sources, targets, strict=True)]
        numbers = np.concatenate([self.genes, np.array(genes, np.int64)])
        order = np.argsort(numbers)
        return Genome(
            self.inputs,
            modules,
            numbers[order],
            np.concatenate([self.sources, np.array(sources, np.int64)])[order],
            np.concatenate([self.targets, np.array(targets, np.int64)])[order],
            np.concatenate([self.weights, np.array(weights, np.float32)])[order],
            np.concatenate([self.active, np.ones(len(links), bool)])[order],
        )


def in_order(genome: Genome) -> Numbers:
    """The hidden nodes so that every link leads forwards, whether it is active or not.

    Raises:
        ValueError: the links go in a circle.
    """
    inner = (genome.sources >= HIDDEN) & (genome.targets >= HIDDEN)
    waiting: dict[int, set[int]] = {number: set() for number in genome.hidden.tolist()}
    for source, target in zip(genome.sources[inner].tolist(), genome.targets[inner].tolist(), strict=True):
        waiting[target].add(source)
    order: list[int] = []
    while waiting:
        ready = [number for number, before in waiting.items() if not before]
        if not ready:
            raise ValueError("the links of a genome go in a circle")
        for number in ready:
            del waiting[number]
        for before in waiting.values():
            before.difference_update(ready)
        order += ready
    return np.array(order, np.int64)


def first_genome(inputs: int, innovations: Innovations, random: np.random.Generator) -> Genome:
    """A genome of the first generation: every input leads to the policy neuron, one to the preference neuron.

    The weights are normal. Those of the copies of kinds are ``COPIES`` times as wide as the others: all 34 kinds have
    an active one, and their sum would drown whatever else the network sees.
    """
    drawn = random.normal(0.0, 1.0, inputs + 1)
    drawn[:STANDARD] *= COPIES
    weights = drawn.tolist()
    links = [(source, policy(0), weight) for source, weight in enumerate(weights[:-1])]
    links.append((int(random.integers(inputs)), preference(0), weights[-1]))
    return unlinked(inputs).with_links((0,), links, innovations)


def unlinked(inputs: int) -> Genome:
    """A genome of one module without any links."""
    nothing = np.zeros(0, np.int64)
    return Genome(inputs, (0,), nothing, nothing, nothing, nothing.astype(np.float32), nothing.astype(bool))


@dataclass(frozen=True, slots=True)
class Rates:
    """How often a child is changed, from 0 to 1. All but ``weights`` are the paper's."""

    crossover: float = 0.5  # the child has two parents
    link: float = 0.4  # a link is added
    node: float = 0.2  # a link is split by a node
    module: float = 0.05  # a module is duplicated, MM(D)
    weights: float = 0.9  # some weights are changed
    difference: float = 0.5  # share of these changes that follow the difference between two other genomes
    width: float = 1.0  # width of the widest of the others


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
    """Whether a path of links, perhaps an empty one, leads from one hidden node to another."""
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
