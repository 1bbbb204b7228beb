"""The network that guesses hidden hands tile by tile: what it sees, and the weights that are shipped.

It sees what the imitating network sees (:mod:`engine.imitation.layout_kernels`), without a question, and the tiles of
the three others that have been drawn so far. At every kind it says how likely each of the others' next tile is of this
kind, if the tiles that they hold are revealed in random order. Drawn one after another they make whole hands.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.imitation import layout_kernels as layout
from engine.imitation.network import inputs_hash as imitation_hash
from engine.network.columns_kernels import Columns
from engine.network.trunk import Floats, Scales, Trunk, TrunkShape
from engine.network.weights import NetworkWeights, flattened, read_file
from engine.tables import ShippedFile, short_hash

OTHERS: Final = 3
KINDS: Final = Columns()
KINDS.rows += layout.KINDS.rows
KNOWN: Final = KINDS.add(*(f"{seat}: copies drawn so far" for seat in layout.OTHERS))
"""Where the tiles stand that have been drawn so far for each of the others."""
WHOLE: Final = Columns()
WHOLE.rows += layout.WHOLE.rows
TO_COME: Final = WHOLE.add(*(f"{seat}: tiles to be drawn" for seat in layout.OTHERS), of=13)
SCALES: Final = Scales(KINDS, WHOLE)


def with_known(
    planes: NDArray[np.uint8], numbers: NDArray[np.uint8], known: NDArray[np.uint8], to_come: NDArray[np.integer]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The inputs: what a seat sees, the tiles known of each of the others, and how many of each are not."""
    return (
        np.concatenate([planes, known.transpose(0, 2, 1)], axis=2),
        np.concatenate([numbers, to_come.astype(np.uint8)], axis=1),
    )


@cache
def inputs_hash() -> str:
    """Hash of the meaning of the inputs; weights fitted on others are refused."""
    return short_hash(f"{imitation_hash()} {KINDS.meanings[KNOWN:]} {WHOLE.meanings[TO_COME:]}".encode())


@dataclass(frozen=True)
class HiddenShape(TrunkShape):
    """Widths of the network."""

    channels: int = 48
    blocks: int = 5
    summary: int = 8

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """The trunk's, then those of the outputs."""
        return self.of_trunk(len(KINDS), len(WHOLE)) | {"next": (OTHERS, self.channels), "next_bias": (OTHERS,)}


class HiddenHands(Trunk):
    """Fitted weights, arranged for the forward pass; see the module."""

    scales = SCALES

    def next_kinds(self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8]) -> Floats:
        """(n, OTHERS, 34): logits of the kind of the next tile of each of the others; kinds used up are not left out.

        Args:
            planes: (n, 34, planes).
            numbers: (n, numbers).
        """
        found = np.empty((len(planes), OTHERS, 34), np.float32)
        for at in range(0, len(planes), self.at_once):
            some = slice(at, at + self.at_once)
            found[some] = self._logits(planes[some], numbers[some])
        return found

    def _logits(self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8]) -> Floats:
        kinds = self.at_kinds(self.rows(planes, numbers), "next") + self._w["next_bias"]
        return kinds.transpose(0, 2, 1)


FILE: Final = ShippedFile("engine.worlds", "hidden.npz", "oshihiki train hidden LOG... --out {}")


@dataclass(frozen=True)
class HiddenWeights(NetworkWeights[HiddenShape]):
    """A fitted network."""

    @classmethod
    def of(cls, shape: HiddenShape, arrays: Mapping[str, NDArray[np.float32]]) -> "HiddenWeights":
        """The weights in arrays by name."""
        return cls(shape, flattened(shape, arrays), inputs_hash())

    def network(self) -> HiddenHands:
        """The network with these weights."""
        return HiddenHands(self.shape, self.arrays())


def read_hidden(data: bytes, name: str) -> HiddenWeights:
    """Read weights from the contents of a file.

    Raises:
        WeightsError: it is not such a file, or its weights were fitted on other inputs; the message quotes ``name``.
    """
    return HiddenWeights(*read_file(data, name, FILE, HiddenShape, inputs_hash()), inputs_hash())


@cache
def shipped_hidden_weights() -> HiddenWeights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_hidden`; also when the file is missing.
    """
    return FILE.load(read_hidden)


@cache
def shipped_hidden() -> HiddenHands:
    """The network with :func:`shipped_hidden_weights`."""
    return shipped_hidden_weights().network()
