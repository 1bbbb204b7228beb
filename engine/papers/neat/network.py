"""An evolved network as arrays, the file it is kept in, and what the kernels need to run it on hands."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import KINDS
from engine.papers.neat import input_kernels
from engine.papers.neat.input_kernels import EXTENDED, EXTENDED_BLOCKS, PAPER, ShapeTables
from engine.papers.neat.solo_kernels import Net, Space
from engine.shanten.table_kernels import HONOUR_ROWS, SUIT_ROWS
from engine.shanten.tables import cached, hand_tables
from engine.tables import ShippedFile, WeightsError, arrays_in, numbers, packed, short_hash, widths

INPUTS: Final = {"paper": PAPER, "extended": EXTENDED}
"""Number of inputs of each set."""
LANES: Final = 8
"""The number of nodes is padded to a multiple of this, so that sums over all nodes are vectors."""
PACKAGE: Final = "engine.papers.neat"


@cache
def shape_tables() -> ShapeTables:
    """The tables from which a hand's inputs are read; loaded or built at the first call."""
    shapes, traits = cached("shapes", build_shapes)
    return ShapeTables(hand_tables(), shapes, traits)  # type: ignore[arg-type]


def build_shapes() -> tuple[NDArray[np.uint16], NDArray[np.uint32]]:
    """Build the tables of :mod:`engine.papers.neat.input_kernels`."""
    shapes = np.zeros(SUIT_ROWS + HONOUR_ROWS, np.uint16)
    traits = np.zeros(SUIT_ROWS + HONOUR_ROWS, np.uint32)
    powers, best = np.zeros(9, np.int64), np.zeros(input_kernels.CODES, np.int64)
    input_kernels.fill_shapes(np.zeros(KINDS, np.uint8), powers, best, hand_tables(), shapes)
    input_kernels.fill_traits(np.zeros(KINDS, np.uint8), hand_tables(), traits)
    return shapes, traits


def champion_file(name: str) -> ShippedFile:
    """The file of a shipped network."""
    return ShippedFile(PACKAGE, f"{name}.npz", "oshihiki train neat")


@dataclass(frozen=True)
class Network:
    """An evolved network."""

    weights: NDArray[np.float32]  # (inputs, 2 * modules + hidden) weights of the inputs, the hidden nodes first
    links: NDArray[np.int64]  # (n, 2) source, a hidden node, and target of each link between other nodes
    strengths: NDArray[np.float32]  # (n,) weights of these links
    modules: int  # number of modules; each has a preference and a policy neuron, in this order
    # points that a value of 0 stands for, and points that each unit of the value adds
    scale: tuple[float, float] = (0.0, 1.0)

    @property
    def inputs(self) -> str:
        """The name of its set of inputs."""
        return next(name for name, number in INPUTS.items() if number == len(self.weights))

    @property
    def hidden(self) -> int:
        """Number of hidden nodes."""
        return len(self.weights[0]) - 2 * self.modules

    @cached_property
    def net(self) -> Net:
        """The network in the form that the kernels take."""
        inputs, nodes = self.weights.shape
        width = -(-nodes // LANES) * LANES
        padded = np.zeros((inputs, width), np.float32)
        padded[:, :nodes] = self.weights
        copies = padded[: 5 * 34].reshape(34, 5, width)
        # one of a kind's inputs for 0 to 4 copies is always on: that for 0 goes into the bias, and a hand adds only the
        # differences for the kinds that it holds
        bias = copies[:, 0].sum(axis=0)
        copies -= copies[:, :1].copy()
        order = np.argsort(self.links[:, 0], kind="stable")
        starts = np.searchsorted(self.links[order, 0], np.arange(self.hidden + 1))
        return Net(bias, padded, starts, np.ascontiguousarray(self.links[order, 1]), self.strengths[order])

    def digest(self) -> str:
        """A hash of all that its values depend on."""
        scale = np.array([self.modules, *self.scale])
        return short_hash(*(one.tobytes() for one in (self.weights, self.links, self.strengths, scale)))

    def to_bytes(self) -> bytes:
        """The contents of its file, which holds only arrays and cannot run code."""
        rows, nodes = np.nonzero(self.weights)
        return packed(
            shape=np.array([*self.weights.shape, self.modules], np.int64),
            at=np.stack([rows, nodes], axis=1).astype(np.int16),
            weights=self.weights[rows, nodes],
            links=self.links.astype(np.int16),
            strengths=self.strengths,
            scale=np.array(self.scale),
        )


def read_network(data: bytes, name: str) -> Network:
    """Read a network from the contents of a file.

    Raises:
        WeightsError: the file holds no network, or one for other inputs; ``name`` is quoted.
    """
    with champion_file("").reading(name):
        kept = arrays_in(data)
        inputs, nodes, modules = widths(kept["shape"])
        if inputs not in INPUTS.values():
            raise WeightsError("holds a network that does not fit this version")
        weights = np.zeros((inputs, nodes), np.float32)
        at = kept["at"].astype(np.int64)
        weights[at[:, 0], at[:, 1]] = numbers(kept["weights"], np.float32)
        links = kept["links"].astype(np.int64).reshape(-1, 2)
        base, unit = numbers(kept["scale"]).tolist()
        found = Network(weights, links, numbers(kept["strengths"], np.float32), modules, (base, unit))
        if not _feeds_forward(found):
            raise WeightsError("holds a network that does not fit this version")
    return found


def _feeds_forward(network: Network) -> bool:
    """Whether links lead from hidden nodes to later nodes only, and each has its strength."""
    sources, targets = network.links[:, 0], network.links[:, 1]
    nodes = network.weights.shape[1]
    ordered = (sources >= 0) & (sources < network.hidden) & (targets > sources) & (targets < nodes)
    whole = len(network.strengths) == len(sources) and network.modules >= 1 and network.hidden >= 0
    return whole and bool(ordered.all())


def space_for(net: Net) -> Space:
    """Scratch space of the kernels for a network."""
    width = len(net.bias)
    return Space(
        np.zeros(34, np.uint8), np.zeros(34, np.int64), np.zeros(34, np.int64),
        np.zeros(width, np.float32), np.zeros(width, np.float32), np.zeros(EXTENDED_BLOCKS, np.int64),
        np.zeros(34, np.float32), np.zeros(34, np.int64),
    )  # fmt: skip
