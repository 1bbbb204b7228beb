"""The weights of the danger network as a file that holds only arrays and cannot run code, with a card beside it."""

from __future__ import annotations

import io
import json
from dataclasses import astuple, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from engine.opponents.features import features_hash
from engine.opponents.fitted import WeightsError, require_features
from engine.opponents.network import Floats, Shape, named
from engine.tables import short_hash

REBUILD: Final = "oshihiki train danger LOG... --out engine/opponents/tables/danger_net.npz"
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
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            features = str(kept["features"])
            shape = Shape(*(int(width) for width in kept["shape"]))
            flat, calibration = _float32(kept["flat"]), _float32(kept["calibration"])
    except (OSError, ValueError, EOFError, KeyError, TypeError, BadZipFile) as error:
        raise WeightsError(f"{name} does not contain danger weights ({error}); rebuild them: {REBUILD}") from error
    require_features(f"the weights of {name}", features, features_hash(), REBUILD)
    if flat.shape != (shape.size,) or calibration.shape != (3, len(NEUTRAL)):
        raise WeightsError(f"{name} contains {flat.size} weights, its layers need {shape.size}; rebuild it: {REBUILD}")
    return Weights(shape, flat, calibration, features)


def _float32(array: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, np.float32)


@cache
def shipped_weights() -> Weights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_weights`; also if the file is missing.
    """
    file = files("engine.opponents").joinpath("tables/danger_net.npz")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise WeightsError(f"the danger weights {file} are missing; rebuild them: {REBUILD}") from error
    return read_weights(data, str(file))


def read_card(path: Path) -> dict[str, Any]:
    """Read the card beside a file of weights."""
    card: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return card
