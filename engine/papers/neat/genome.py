"""Genomes of modular networks, and the numbers that tell which genes of two genomes are the same.

A genome is a list of links. Nodes have numbers: the inputs first, from ``OUTPUTS`` on the preference and the policy
neuron of each module, from ``HIDDEN`` on the hidden nodes. A node exists if it belongs to a module of the genome or if
a link leads to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
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


def preference(module: int) -> int:
    """Number of a module's preference neuron."""
    return OUTPUTS + 2 * module


def policy(module: int) -> int:
    """Number of a module's policy neuron."""
    return OUTPUTS + 2 * module + 1


@dataclass(slots=True)
class Innovations:
    """The numbers of genes, the same for equal mutations wherever they occur.

    Attributes:
        links: number of each link by its source and target.
        nodes: number of each hidden node by the link that it splits, and how many of the genome had split it before.
        modules: number of each module by the one that it duplicates, and how many of the genome had duplicated it.
    """

    links: dict[tuple[int, int], int] = field(default_factory=dict)
    nodes: dict[tuple[int, int], int] = field(default_factory=dict)
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
    """One genome.

    Attributes:
        inputs: number of inputs.
        modules: numbers of its modules, ascending.
        genes: (n,) numbers of its links, ascending.
        sources, targets: (n,) nodes that each link connects.
        weights: (n,) float32.
        active: (n,) whether the link is used; a link that a node has split is not.
    """

    inputs: int
    modules: tuple[int, ...]
    genes: Numbers
    sources: Numbers
    targets: Numbers
    weights: NDArray[np.float32]
    active: NDArray[np.bool_]

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
    ) -> Genome:
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
    nothing = np.zeros(0, np.int64)
    empty = Genome(inputs, (0,), nothing, nothing, nothing, nothing.astype(np.float32), nothing.astype(bool))
    return empty.with_links((0,), links, innovations)
