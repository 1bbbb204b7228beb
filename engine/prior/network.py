"""The imitating network: its shape, and its outputs in numpy.

The 34 kinds are arranged in 37 places, with an empty place after each suit. Each place has ``channels`` numbers. A
residual block adds to them a function of the place, its two neighbours, and the mean and maximum over all places. Three
outputs are read at every kind (discard it, riichi with it, a kan of it), those of calls at the offered kind, and the
others from the whole table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.prior.answer_kernels import A_CALLS, A_KANS, A_NINE, A_PASS, A_RIICHI, ANSWERS
from engine.prior.inputs import NUMBER_SCALES, NUMBER_ZEROS, PLANE_SCALES
from engine.prior.layout_kernels import (
    CALLS,
    GLOBALS,
    PLANES,
    Q_CALLS,
    Q_DISCARDS,
    Q_KANS,
    Q_NINE,
    Q_OFFERED,
    Q_RIICHI,
)

Floats = NDArray[np.float32]

PLACES: Final = 37
PLACE_OF: Final = np.array([kind + min(kind // 9, 3) for kind in range(34)])
"""The place of each kind."""
AT_KIND: Final = 9
"""Number of outputs at a kind: discard, riichi, kan, its red five, and the CALL_ answers if it is offered."""
TAIL: Final = 7
"""Number of outputs from the whole table: passing, nine terminals, and an amount for each CALL_ answer."""
_AT_ONCE: Final = 32
"""Number of rows computed together, which fit into a core's cache."""


@dataclass(frozen=True)
class Shape:
    """Widths of the network."""

    channels: int = 64
    blocks: int = 6
    summary: int = 64

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """Name and shape of every array of weights in the order of the file; matrices are (out, in)."""
        c = self.channels
        arrays: dict[str, tuple[int, ...]] = {
            "planes": (c, PLANES),
            "numbers": (c, GLOBALS),
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
        return arrays | {
            "summary": (self.summary, 2 * c),
            "summary_bias": (self.summary,),
            "tail": (TAIL, self.summary),
            "tail_bias": (TAIL,),
            "answer": (AT_KIND, c),
            "answer_bias": (AT_KIND,),
        }

    @property
    def size(self) -> int:
        """Number of weights."""
        return sum(int(np.prod(dims)) for dims in self.parameters().values())


def legal_answers(questions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(n, ANSWERS): which answers each question allows."""
    kinds = np.arange(34)
    legal = np.zeros((len(questions), ANSWERS), np.bool_)
    legal[:, :A_RIICHI] = questions[:, Q_DISCARDS, None] >> kinds & 1
    legal[:, A_RIICHI:A_KANS] = questions[:, Q_RIICHI, None] >> kinds & 1
    legal[:, A_KANS:A_CALLS] = questions[:, Q_KANS, None] >> kinds & 1
    legal[:, A_CALLS:A_PASS] = questions[:, Q_CALLS, None] >> np.arange(CALLS) & 1
    legal[:, A_PASS] = questions[:, Q_OFFERED] >= 0
    legal[:, A_NINE] = questions[:, Q_NINE]
    return legal


class Network:
    """Fitted weights, arranged for the forward pass; see the module."""

    def __init__(self, shape: Shape, arrays: Mapping[str, NDArray[np.floating]]) -> None:
        self.shape = shape
        self._w = {name: np.array(array.T, np.float32, order="C") for name, array in arrays.items()}
        self._w["planes"] *= PLANE_SCALES[:, None]
        self._w["bias"] -= (NUMBER_ZEROS * NUMBER_SCALES) @ self._w["numbers"]
        self._w["numbers"] *= NUMBER_SCALES[:, None]
        self._w["places"] = np.ascontiguousarray(self._w["places"].T)

    def log_chances(
        self, planes: NDArray[np.uint8], numbers: NDArray[np.uint8], questions: NDArray[np.int64]
    ) -> tuple[Floats, Floats]:
        """Logarithm of each answer's chance for n decisions, and log-odds that a discarded five is the red one.

        Args:
            planes: (n, 34, PLANES).
            numbers: (n, GLOBALS).
            questions: (n, QUESTION).

        Returns:
            (n, ANSWERS), minus infinity where an answer is not legal; (n, 34).
        """
        answers = np.empty((len(planes), ANSWERS), np.float32)
        reds = np.empty((len(planes), 34), np.float32)
        for at in range(0, len(planes), _AT_ONCE):
            some = slice(at, at + _AT_ONCE)
            self._logits(planes[some], numbers[some], questions[some, Q_OFFERED], answers[some], reds[some])
        answers[~legal_answers(questions)] = -np.inf
        answers -= answers.max(axis=1, keepdims=True)
        answers -= np.log(np.exp(answers).sum(axis=1, keepdims=True))
        return answers, reds

    def _logits(
        self,
        planes: NDArray[np.uint8],
        numbers: NDArray[np.uint8],
        offered: NDArray[np.int64],
        answers: Floats,
        reds: Floats,
    ) -> None:
        w, c, n = self._w, self.shape.channels, len(planes)
        rows = np.tile(w["places"], (n, 1, 1))
        rows[:, PLACE_OF] += (planes.reshape(n * 34, PLANES).astype(np.float32) @ w["planes"]).reshape(n, 34, c)
        rows += (numbers.astype(np.float32) @ w["numbers"] + w["bias"])[:, None]
        # the place and its neighbours side by side; beyond the ends there are zeros
        near = np.zeros((n, PLACES, 3, c), np.float32)
        inner = near[:, :, 1]
        for block in range(self.shape.blocks):
            np.maximum(rows, 0.0, out=inner)
            near[:, 1:, 0] = inner[:, :-1]
            near[:, :-1, 2] = inner[:, 1:]
            pooled = np.concatenate([inner.mean(axis=1), inner.max(axis=1)], axis=1) @ w[f"pool{block}"]
            mixed = (near.reshape(n * PLACES, 3 * c) @ w[f"near{block}"]).reshape(n, PLACES, c)
            mixed += (pooled + w[f"bias{block}"])[:, None]
            np.maximum(mixed, 0.0, out=mixed)
            rows += (mixed.reshape(n * PLACES, c) @ w[f"back{block}"]).reshape(n, PLACES, c)
            rows += w[f"back_bias{block}"]
        np.maximum(rows, 0.0, out=rows)
        summary = np.concatenate([rows.mean(axis=1), rows.max(axis=1)], axis=1) @ w["summary"] + w["summary_bias"]
        tail = np.maximum(summary, 0.0) @ w["tail"] + w["tail_bias"]
        kinds = (rows.reshape(n * PLACES, c) @ w["answer"] + w["answer_bias"]).reshape(n, PLACES, AT_KIND)[:, PLACE_OF]
        answers[:, :A_CALLS] = kinds[:, :, :3].transpose(0, 2, 1).reshape(n, A_CALLS)
        answers[:, A_CALLS:A_PASS] = kinds[np.arange(n), offered, 4:] + tail[:, 2:]
        answers[:, A_PASS:] = tail[:, :2]
        reds[:] = kinds[:, :, 3]
