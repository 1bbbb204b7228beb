"""The trunk of a network over the 34 kinds, in numpy.

The kinds are arranged in 37 places, with an empty place after each suit. Each place has ``channels`` numbers. A
residual block adds to them a function of the place, its two neighbours, and the mean and maximum over all places.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from engine.networks.columns_kernels import Columns
from engine.networks.weights import NetworkShape

Floats = NDArray[np.float32]

PLACES: Final = 37
PLACE_OF: Final = np.array([kind + min(kind // 9, 3) for kind in range(34)])
"""The place of each kind."""


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


@dataclass(frozen=True)
class TrunkShape(NetworkShape):
    """Widths of a network on the trunk: channels of a place, residual blocks, and the summary of the whole table."""

    channels: int
    blocks: int
    summary: int

    def of_trunk(self, planes: int, numbers: int) -> dict[str, tuple[int, ...]]:
        """The parameters of the trunk and of its summary, which come first; matrices are (out, in)."""
        c = self.channels
        arrays: dict[str, tuple[int, ...]] = {
            "planes": (c, planes),
            "numbers": (c, numbers),
            "bias": (c,),
            "places": (PLACES, c),
        }
        for block in range(self.blocks):
            arrays |= {
                f"pool{block}": (c, 2 * c),
                f"bias{block}": (c,),
                f"near{block}": (c, 3 * c),
                f"back{block}": (c, c),
                f"back_bias{block}": (c,),
            }
        return arrays | {"summary": (self.summary, 2 * c), "summary_bias": (self.summary,)}


class Trunk:
    """Fitted weights, arranged for the forward pass; see the module.

    Attributes:
        at_once: number of rows computed together, which fit into a core's cache.
    """

    scales: ClassVar[Scales]  # of the inputs; each network declares its own
    at_once = 32

    def __init__(self, shape: TrunkShape, arrays: Mapping[str, NDArray[np.floating]]) -> None:
        scales = self.scales
        self._blocks = shape.blocks
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

    def summary(self, rows: Floats) -> Floats:
        """(n, summary): what is known of the whole table, for outputs to read."""
        found: Floats = np.maximum(pooled(rows) @ self._w["summary"] + self._w["summary_bias"], 0.0)
        return found

    def at_kinds(self, rows: Floats, name: str) -> Floats:
        """(n, 34, outputs): what the weights ``name`` read at each kind."""
        found: Floats = (rows.reshape(-1, self.channels) @ self._w[name]).reshape(len(rows), PLACES, -1)[:, PLACE_OF]
        return found


def pooled(rows: Floats) -> Floats:
    """Mean and maximum over the places, side by side."""
    found: Floats = np.concatenate([rows.mean(axis=1), rows.max(axis=1)], axis=1)
    return found
