"""The file of the imitating network's weights. It holds arrays only, no code; a card beside it describes them."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from functools import cache
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from engine.opponents.fitted import WeightsError, require_features
from engine.prior.inputs import inputs_hash
from engine.prior.network import Network, Shape
from engine.tables import short_hash, table_bytes

FILE: Final = "phoenix.npz"
REBUILD: Final = "oshihiki train phoenix LOG... --out engine/prior/tables/phoenix.npz"
"""The command that fits the weights again."""


@dataclass(frozen=True)
class Weights:
    """A fitted network.

    Attributes:
        shape: widths of the network.
        flat: all weights as one vector of float16.
        inputs: hash of the inputs on which it was fitted, see :func:`~engine.prior.inputs.inputs_hash`.
    """

    shape: Shape
    flat: NDArray[np.float16]
    inputs: str

    @classmethod
    def of(cls, shape: Shape, arrays: Mapping[str, NDArray[np.float32]]) -> Weights:
        """The weights in arrays by name, as one vector."""
        flat = np.concatenate([arrays[name].ravel() for name in shape.parameters()])
        return cls(shape, flat.astype(np.float16), inputs_hash())

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights by name."""
        arrays, at = {}, 0
        for name, dims in self.shape.parameters().items():
            length = int(np.prod(dims))
            arrays[name] = self.flat[at : at + length].astype(np.float32).reshape(dims)
            at += length
        return arrays

    def network(self) -> Network:
        """The network with these weights."""
        return Network(self.shape, self.arrays())

    def digest(self) -> str:
        """A hash of everything that determines the outputs."""
        return short_hash(self.inputs.encode(), np.array(astuple(self.shape), np.int64).tobytes(), self.flat.tobytes())

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        file = io.BytesIO()
        shape = np.array(astuple(self.shape), np.int64)
        np.savez_compressed(file, allow_pickle=False, shape=shape, flat=self.flat, inputs=np.array(self.inputs))
        return file.getvalue()


def read_weights(data: bytes, name: str) -> Weights:
    """Read weights from the contents of a file.

    Raises:
        WeightsError: it is not such a file, or its weights were fitted on other inputs; the message quotes ``name``.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            shape = Shape(*(int(width) for width in kept["shape"]))
            flat: NDArray[Any] = np.ascontiguousarray(kept["flat"], np.float16)
            inputs = str(kept["inputs"])
    except (OSError, ValueError, EOFError, KeyError, TypeError, BadZipFile) as error:
        raise WeightsError(f"{name} does not hold weights of this network ({error}); rebuild: {REBUILD}") from error
    require_features(f"the weights of {name}", inputs, inputs_hash(), REBUILD)
    if flat.shape != (shape.size,):
        raise WeightsError(f"{name} contains {flat.size} weights, its layers need {shape.size}; rebuild it: {REBUILD}")
    return Weights(shape, flat, inputs)


@cache
def shipped_weights() -> Weights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_weights`; also when the file is missing.
    """
    try:
        data = table_bytes("engine.prior", FILE)
    except OSError as error:
        raise WeightsError(f"the weights {FILE} of engine.prior are missing; rebuild them: {REBUILD}") from error
    return read_weights(data, FILE)


@cache
def shipped_network() -> Network:
    """The network with :func:`shipped_weights`."""
    return shipped_weights().network()
