"""The file of the perceptron's weights. It holds arrays only, no code; a card beside it describes them."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from typing import Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from engine.search.perceptron.input_kernels import WEIGHTS
from engine.tables import short_hash, table_bytes

PACKAGE: Final = "engine.search.perceptron"
FILE: Final = "perceptron.npz"
REBUILD: Final = "oshihiki train perceptron LOG... --out engine/search/perceptron/tables/perceptron.npz"
"""The command that fits the weights again."""


class PerceptronError(ValueError):
    """The weights are missing or damaged; the message says how to rebuild them."""


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
        PerceptronError: it is not such a file; the message quotes ``name``.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            flat = np.ascontiguousarray(kept["flat"], np.float16)
    except (OSError, ValueError, EOFError, KeyError, TypeError, BadZipFile) as error:
        raise PerceptronError(
            f"{name} does not hold weights of the perceptron ({error}); rebuild: {REBUILD}"
        ) from error
    if flat.shape != (WEIGHTS,):
        raise PerceptronError(f"{name} contains {flat.size} weights, the inputs need {WEIGHTS}; rebuild it: {REBUILD}")
    return Weights(flat)


@cache
def shipped_weights() -> Weights:
    """The weights shipped with the package.

    Raises:
        PerceptronError: see :func:`read_weights`; also when the file is missing.
    """
    try:
        data = table_bytes(PACKAGE, FILE)
    except OSError as error:
        raise PerceptronError(f"the weights {FILE} of {PACKAGE} are missing; rebuild them: {REBUILD}") from error
    return read_weights(data, FILE)
