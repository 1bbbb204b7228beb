"""The weights of the danger network as a file: arrays alone, nothing that could run, and a card beside it."""

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
from engine.opponents.fitted import WeightsError, require_features, short_hash
from engine.opponents.network import Floats, Shape, named

REBUILD: Final = "oshihiki train danger LOG... --out engine/opponents/tables/danger_net.npz"
"""The command that makes the weights anew."""

DEAL_SLOPE, DEAL_SHIFT, WAIT_SLOPE, WAIT_SHIFT, TENPAI_SLOPE, TENPAI_SHIFT, VALUE_SHIFT = range(7)
"""Columns of the calibration: log-odds are taken times the slope plus the shift; the shift is added to the logarithm
of the points."""
NEUTRAL: Final = (1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True)
class Weights:
    """A fitted network.

    Attributes:
        shape: widths of its layers.
        flat: all weights, one vector.
        calibration: (3, 7) float32, a row each for an opponent in riichi, with open melds, closed.
        features: hash of the features that it was fitted on, see :func:`~engine.opponents.features.features_hash`.
    """

    shape: Shape
    flat: Floats
    calibration: Floats
    features: str

    def arrays(self) -> dict[str, Floats]:
        """The weights by name."""
        return named(self.flat, self.shape)

    def digest(self) -> str:
        """A hash of all that decides the answers."""
        arrays = (np.array(astuple(self.shape), np.int64), self.flat, self.calibration)
        return short_hash(self.features.encode(), *(np.ascontiguousarray(array).tobytes() for array in arrays))

    def to_bytes(self) -> bytes:
        """The file's contents."""
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
    """Weights from a file's contents.

    Raises:
        WeightsError: it is no such file, or its weights are of other features; ``name`` is quoted.
    """
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            features = str(kept["features"])
            shape = Shape(*(int(width) for width in kept["shape"]))
            flat, calibration = _float32(kept["flat"]), _float32(kept["calibration"])
    except (OSError, ValueError, EOFError, KeyError, TypeError, BadZipFile) as error:
        raise WeightsError(f"{name} holds no danger weights ({error}); make them with: {REBUILD}") from error
    require_features(f"the weights of {name}", features, features_hash(), REBUILD)
    if flat.shape != (shape.size,) or calibration.shape != (3, len(NEUTRAL)):
        raise WeightsError(f"{name} holds {flat.size} weights, its layers need {shape.size}; make it with: {REBUILD}")
    return Weights(shape, flat, calibration, features)


def _float32(array: NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, np.float32)


@cache
def shipped_weights() -> Weights:
    """The weights that come with the package.

    Raises:
        WeightsError: see :func:`read_weights`; also when the file is missing.
    """
    file = files("engine.opponents").joinpath("tables/danger_net.npz")
    try:
        data = file.read_bytes()
    except OSError as error:
        raise WeightsError(f"the danger weights {file} are missing; make them with: {REBUILD}") from error
    return read_weights(data, str(file))


def read_card(path: Path) -> dict[str, Any]:
    """The card beside a file of weights."""
    card: dict[str, Any] = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    return card
