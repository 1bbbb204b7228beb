"""The file of the perceptron's weights. It holds arrays only, no code; a card beside it describes them."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.search.perceptron.input_kernels import WEIGHTS
from engine.tables import arrays_in, numbers, readable, short_hash, table_bytes

FILE: Final = "engine/search/perceptron/tables/perceptron.npz"
REBUILD: Final = f"oshihiki train perceptron LOG... --out {FILE}"
"""The command that fits the weights again."""


@dataclass(frozen=True)
class Weights:
    """Fitted weights.

    Attributes:
        flat: float16[WEIGHTS], see :mod:`engine.search.perceptron.input_kernels`.
    """

    flat: NDArray[np.float16]

    def digest(self) -> str:
        """A hash of everything that determines the scores."""
        return short_hash(self.flat.tobytes())

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        file = io.BytesIO()
        np.savez_compressed(file, allow_pickle=False, flat=self.flat)
        return file.getvalue()


def read_weights(data: bytes, name: str) -> Weights:
    """Read weights from the contents of a file.

    Raises:
        WeightsError: it is not such a file; the message quotes ``name``.
    """
    with readable(name, REBUILD):
        flat = numbers(arrays_in(data)["flat"], np.float16)
        if flat.shape != (WEIGHTS,):
            raise ValueError(f"it has {flat.size} weights, the inputs need {WEIGHTS}")
    return Weights(flat)


@cache
def shipped_weights() -> Weights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_weights`; also when the file is missing.
    """
    with readable(FILE, REBUILD):
        data = table_bytes("engine.search.perceptron", "perceptron.npz")
    return read_weights(data, FILE)
