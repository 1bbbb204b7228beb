"""The weights of a network as one vector, with their names and shapes, and the file that holds them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.tables import ShippedFile, arrays_in, numbers, packed, require_features, short_hash, widths

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class NetworkShape(ABC):
    """Widths of a network, all whole numbers."""

    @abstractmethod
    def parameters(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every array of weights, in the order in which they are stored."""

    @property
    def size(self) -> int:
        """Number of weights."""
        return sum(int(np.prod(dims)) for dims in self.parameters().values())

    def named(self, flat: Floats) -> dict[str, Floats]:
        """Views by name into one vector of all weights."""
        arrays, at = {}, 0
        for name, dims in self.parameters().items():
            length = int(np.prod(dims))
            arrays[name] = flat[at : at + length].reshape(dims)
            at += length
        return arrays

    def widths(self) -> NDArray[np.int64]:
        """The widths as they are stored."""
        return np.array(astuple(self), np.int64)


S = TypeVar("S", bound=NetworkShape)


@dataclass(frozen=True)
class NetworkWeights(Generic[S]):
    """A fitted network. A subclass says of which file, which shape and which inputs its weights are."""

    shape: S  # widths of the network
    flat: NDArray[np.float16]  # all weights as one vector of float16
    inputs: str  # hash of the inputs on which it was fitted

    FILE: ClassVar[ShippedFile]
    """The file of such weights that is shipped."""
    SHAPE: ClassVar[Callable[..., NetworkShape]]
    """The class of the shape."""

    @staticmethod
    @abstractmethod
    def inputs_now() -> str:
        """Hash of the inputs that the program computes now."""

    @classmethod
    def of(cls, shape: S, arrays: Mapping[str, Floats]) -> Self:
        """The weights in arrays by name."""
        flat = np.concatenate([arrays[name].ravel() for name in shape.parameters()])
        return cls(shape, flat.astype(np.float16), cls.inputs_now())

    @classmethod
    def read(cls, data: bytes, name: str) -> Self:
        """Read weights from the contents of a file.

        Args:
            data: the contents.
            name: quoted in errors.

        Raises:
            WeightsError: it is not such a file, or its weights were fitted on other inputs.
        """
        with cls.FILE.reading(name):
            kept = arrays_in(data)
            require_features(str(kept["inputs"]), cls.inputs_now())
            shape: Any = cls.SHAPE(*widths(kept["shape"]))
            empty = [name for name, dims in shape.parameters().items() if 0 in dims]
            if empty:
                raise ValueError(f"its layer {empty[0]!r} is empty")
            flat = numbers(kept["flat"], np.float16)
            if flat.shape != (shape.size,):
                raise ValueError(f"it has {flat.size} weights, its layers need {shape.size}")
        return cls(shape, flat, cls.inputs_now())

    def arrays(self) -> dict[str, Floats]:
        """The weights by name."""
        return self.shape.named(self.flat.astype(np.float32))

    def digest(self) -> str:
        """A hash of everything that determines the outputs."""
        return short_hash(self.inputs.encode(), self.shape.widths().tobytes(), self.flat.tobytes())

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        return packed(shape=self.shape.widths(), flat=self.flat, inputs=np.array(self.inputs))
