"""The trunk of a network over the 34 kinds, in numpy.

The kinds are arranged in 37 places, with an empty place after each suit. Each place has ``channels`` numbers. A
residual block adds to them a function of the place, its two neighbours, and the mean and maximum over all places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.network.columns_kernels import Columns
from engine.tables import ShippedFile, arrays_in, numbers, packed, require_features, short_hash, widths

Floats = NDArray[np.float32]

PLACES: Final = 37
PLACE_OF: Final = np.array([kind + min(kind // 9, 3) for kind in range(34)])
"""The place of each kind."""
AT_ONCE: Final = 32
"""Number of rows computed together, which fit into a core's cache."""


class Scales:
    """How the inputs of a network, which are bytes, become its numbers: less ``zeros``, times a factor.

    Attributes:
        planes: (planes,), the factor of each number for a kind; these have no zeros.
        numbers, zeros: (numbers,), of each number for the whole table.
    """

    def __init__(self, planes: Columns, numbers: Columns) -> None:
        self.planes = np.array([1.0 / row.of for row in planes.rows], np.float32)
        self.numbers = np.array([1.0 / row.of for row in numbers.rows], np.float32)
        self.zeros = np.array([row.zero for row in numbers.rows], np.float32)


def trunk_parameters(channels: int, blocks: int, planes: int, numbers: int) -> dict[str, tuple[int, ...]]:
    """Name and shape of every array of weights in the order of the file; matrices are (out, in)."""
    c = channels
    arrays: dict[str, tuple[int, ...]] = {
        "planes": (c, planes),
        "numbers": (c, numbers),
        "bias": (c,),
        "places": (PLACES, c),
    }
    for block in range(blocks):
        arrays |= {
            f"pool{block}": (c, 2 * c),
            f"bias{block}": (c,),
            f"near{block}": (c, 3 * c),
            f"back{block}": (c, c),
            f"back_bias{block}": (c,),
        }
    return arrays


def number_of_weights(parameters: Mapping[str, tuple[int, ...]]) -> int:
    """How many weights arrays of these shapes have."""
    return sum(int(np.prod(dims)) for dims in parameters.values())


class Trunk:
    """Fitted weights, arranged for the forward pass; see the module."""

    def __init__(self, blocks: int, arrays: Mapping[str, NDArray[np.floating]], scales: Scales) -> None:
        self._blocks = blocks
        self._w = {name: np.array(array.T, np.float32, order="C") for name, array in arrays.items()}
        self._w["planes"] *= scales.planes[:, None]
        self._w["bias"] -= (scales.zeros * scales.numbers) @ self._w["numbers"]
        self._w["numbers"] *= scales.numbers[:, None]
        self._w["places"] = np.ascontiguousarray(self._w["places"].T)
        self.channels = self._w["places"].shape[1]

    def rows(self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8]) -> Floats:
        """(n, PLACES, channels): what is known of each place, for the outputs to read.

        Args:
            planes: (n, 34, planes).
            numbers: (n, numbers).
        """
        w, c, n = self._w, self.channels, len(planes)
        rows = np.tile(w["places"], (n, 1, 1))
        rows[:, PLACE_OF] += (planes.reshape(n * 34, -1).astype(np.float32) @ w["planes"]).reshape(n, 34, c)
        rows += (numbers.astype(np.float32) @ w["numbers"] + w["bias"])[:, None]
        # the place and its neighbours side by side; beyond the ends there are zeros
        near = np.zeros((n, PLACES, 3, c), np.float32)
        inner = near[:, :, 1]
        for block in range(self._blocks):
            np.maximum(rows, 0.0, out=inner)
            near[:, 1:, 0] = inner[:, :-1]
            near[:, :-1, 2] = inner[:, 1:]
            mixed = (near.reshape(n * PLACES, 3 * c) @ w[f"near{block}"]).reshape(n, PLACES, c)
            mixed += (pooled(inner) @ w[f"pool{block}"] + w[f"bias{block}"])[:, None]
            np.maximum(mixed, 0.0, out=mixed)
            rows += (mixed.reshape(n * PLACES, c) @ w[f"back{block}"]).reshape(n, PLACES, c)
            rows += w[f"back_bias{block}"]
        np.maximum(rows, 0.0, out=rows)
        return rows


def pooled(rows: Floats) -> Floats:
    """Mean and maximum over the places, side by side."""
    found: Floats = np.concatenate([rows.mean(axis=1), rows.max(axis=1)], axis=1)
    return found


class NetworkShape(Protocol):
    """Widths of a network: a frozen dataclass of whole numbers."""

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every array of weights, in the order of the file."""

    @property
    def size(self) -> int:
        """Number of weights."""


S = TypeVar("S", bound=NetworkShape)


@dataclass(frozen=True)
class NetworkWeights(Generic[S]):
    """A fitted network.

    Attributes:
        shape: widths of the network.
        flat: all weights as one vector of float16.
        inputs: hash of the inputs on which it was fitted.
    """

    shape: S
    flat: NDArray[np.float16]
    inputs: str

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """The weights by name."""
        arrays, at = {}, 0
        for name, dims in self.shape.parameters().items():
            length = int(np.prod(dims))
            arrays[name] = self.flat[at : at + length].astype(np.float32).reshape(dims)
            at += length
        return arrays

    def digest(self) -> str:
        """A hash of everything that determines the outputs."""
        return short_hash(self.inputs.encode(), self._widths().tobytes(), self.flat.tobytes())

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        return packed(shape=self._widths(), flat=self.flat, inputs=np.array(self.inputs))

    def _widths(self) -> NDArray[np.int64]:
        shape: Any = self.shape
        return np.array(astuple(shape), np.int64)


def flattened(shape: NetworkShape, arrays: Mapping[str, NDArray[np.float32]]) -> NDArray[np.float16]:
    """The weights in arrays by name, as one vector."""
    flat = np.concatenate([arrays[name].ravel() for name in shape.parameters()])
    return flat.astype(np.float16)


def read_file(
    data: bytes, name: str, file: ShippedFile, shape_of: Callable[..., S], inputs: str
) -> tuple[S, NDArray[np.float16]]:
    """The shape and the weights in the contents of a file.

    Args:
        data: the contents.
        name: quoted in errors.
        file: the file of such weights that is shipped.
        shape_of: the class of the shape.
        inputs: hash of the inputs that the program computes now.

    Raises:
        WeightsError: it is not such a file, or its weights were fitted on other inputs.
    """
    with file.reading(name):
        kept = arrays_in(data)
        require_features(str(kept["inputs"]), inputs)
        shape = shape_of(*widths(kept["shape"]))
        flat = numbers(kept["flat"], np.float16)
        if flat.shape != (shape.size,):
            raise ValueError(f"it has {flat.size} weights, its layers need {shape.size}")
    return shape, flat
