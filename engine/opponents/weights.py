"""The weights of the danger network as a file that holds only arrays and cannot run code, with a card beside it."""

from __future__ import annotations

import io
from dataclasses import astuple, dataclass
from functools import cache
from typing import Final

import numpy as np

from engine.opponents.features import features_hash
from engine.opponents.network import Floats, Shape, named
from engine.tables import arrays_in, numbers, readable, require_features, short_hash, table_bytes, widths

FILE: Final = "engine/opponents/tables/danger_net.npz"
REBUILD: Final = f"oshihiki train danger LOG... --out {FILE}"
"""The command that fits the weights again."""

DEAL_SLOPE, DEAL_SHIFT, WAIT_SLOPE, WAIT_SHIFT, TENPAI_SLOPE, TENPAI_SHIFT, VALUE_SHIFT = range(7)
"""Columns of the calibration: log-odds are multiplied by the slope and the shift is added; the last shift is added to
the logarithm of the points."""
NEUTRAL: Final = (1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Weights:
    """A fitted network.

    Attributes:
        shape: widths of its layers.
        flat: all weights in one vector.
        calibration: (3, 7) float32, one row each for an opponent in riichi, open and closed.
        features: hash of the features it was fitted on, see :func:`~engine.opponents.features.features_hash`.
    """

    shape: Shape
    flat: Floats
    calibration: Floats
    features: str

    def arrays(self) -> dict[str, Floats]:
        """The weights by name."""
        return named(self.flat, self.shape)

    def digest(self) -> str:
        """A hash of everything that determines the estimates."""
        arrays = (np.array(astuple(self.shape), np.int64), self.flat, self.calibration)
        return short_hash(self.features.encode(), *(np.ascontiguousarray(array).tobytes() for array in arrays))

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        file = io.BytesIO()
        np.savez_compressed(
            file,
            allow_pickle=False,
            shape=np.array(astuple(self.shape), np.int64),
            flat=self.flat,
            calibration=self.calibration,
            features=np.array(self.features),
        )
        return file.getvalue()


def read_weights(data: bytes, name: str) -> Weights:
    """Read weights from a file's contents.

    Raises:
        WeightsError: the file does not contain weights, or they were fitted on other features; ``name`` is quoted.
    """
    with readable(name, REBUILD):
        kept = arrays_in(data)
        features = str(kept["features"])
        require_features(features, features_hash())
        shape = Shape(*widths(kept["shape"]))
        flat, calibration = (numbers(kept[part], np.float32) for part in ("flat", "calibration"))
        if flat.shape != (shape.size,) or calibration.shape != (3, len(NEUTRAL)):
            raise ValueError(f"it has {flat.size} weights, its layers need {shape.size}")
    return Weights(shape, flat, calibration, features)


@cache
def shipped_weights() -> Weights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_weights`; also if the file is missing.
    """
    with readable(FILE, REBUILD):
        data = table_bytes("engine.opponents", "danger_net.npz")
    return read_weights(data, FILE)
