"""The imitating network's weights, and those that are shipped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.network.weights import NetworkWeights, flattened, read_file
from engine.prior.inputs import inputs_hash
from engine.prior.network import Network, Shape
from engine.tables import readable, table_bytes

FILE: Final = "engine/prior/tables/phoenix.npz"
REBUILD: Final = f"oshihiki train phoenix LOG... --out {FILE}"
"""The command that fits the weights again."""


@dataclass(frozen=True)
class Weights(NetworkWeights[Shape]):
    """A fitted network."""

    @classmethod
    def of(cls, shape: Shape, arrays: Mapping[str, NDArray[np.float32]]) -> Weights:
        """The weights in arrays by name."""
        return cls(shape, flattened(shape, arrays), inputs_hash())

    def network(self) -> Network:
        """The network with these weights."""
        return Network(self.shape, self.arrays())


def read_weights(data: bytes, name: str) -> Weights:
    """Read weights from the contents of a file.

    Raises:
        WeightsError: it is not such a file, or its weights were fitted on other inputs; the message quotes ``name``.
    """
    return Weights(*read_file(data, name, REBUILD, Shape, inputs_hash()), inputs_hash())


@cache
def shipped_weights() -> Weights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_weights`; also when the file is missing.
    """
    with readable(FILE, REBUILD):
        data = table_bytes("engine.prior", "phoenix.npz")
    return read_weights(data, FILE)


@cache
def shipped_network() -> Network:
    """The network with :func:`shipped_weights`."""
    return shipped_weights().network()
