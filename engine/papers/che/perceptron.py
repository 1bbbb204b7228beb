"""The evaluator ``perceptron``: the player "testAI" of the CHE paper, an averaged perceptron over hands.

It scores the hand that each discard leaves by weights that were fitted on discards of phoenix-room players
(:mod:`engine.papers.che.training`). As in the paper it does not call; a closed hand declares riichi as soon as it is
tenpai.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.tiles import HAKU
from engine.papers.che import perceptron_kernels as kernels
from engine.papers.che.perceptron_kernels import WEIGHTS
from engine.search.evaluator import Evaluation, Stakes
from engine.search.position import Position
from engine.search.tiles import by_discard, dora_by_kind, reds_by_kind
from engine.shanten.tables import hand_tables
from engine.tables import ShippedFile, arrays_in, numbers, packed, short_hash

POINT: Final = 10.0
"""Points that one unit of the score is taken for, so that values are in points. A guess; the order of the discards does
not depend on it."""


class Perceptron:
    """See the module. ``weights`` may be others than those shipped."""

    name = "perceptron"

    def __init__(self, weights: "PerceptronWeights | None" = None) -> None:
        weights = weights or shipped_weights()
        self._weights = weights.flat.astype(np.float32)
        self.digests: Mapping[str, str] = {"perceptron": weights.digest()}

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :class:`~engine.search.evaluator.Evaluator`; stakes and budget are ignored."""
        del stakes, budget
        return by_discard(self.name, position, [POINT * score for score in self._scores(position)], 1.0)

    def _scores(self, position: Position) -> list[float]:
        found = np.empty(35)
        kernels.score_discards(
            np.array(position.counts, np.uint8), dora_by_kind(position).astype(np.uint8),
            reds_by_kind(position).astype(np.uint8), yakuhai_by_kind(position), len(position.melds), self._weights,
            hand_tables(), np.empty(kernels.ACTIVE, np.int64), found,
        )  # fmt: skip
        return found.tolist()


def yakuhai_by_kind(position: Position) -> NDArray[np.uint8]:
    """For each ``tile34``, how many yaku a triplet of it is."""
    found = np.zeros(34, np.uint8)
    found[HAKU:] = 1
    found[position.seat_wind] += 1
    found[position.round_wind] += 1
    return found


FILE: Final = ShippedFile("engine.papers.che", "perceptron.npz", "oshihiki train perceptron LOG... --out {}")


@dataclass(frozen=True)
class PerceptronWeights:
    """Fitted weights."""

    flat: NDArray[np.float16]  # float16[WEIGHTS], see :mod:`engine.papers.che.perceptron_kernels`

    def digest(self) -> str:
        """A hash of everything that determines the scores."""
        return short_hash(self.flat.tobytes())

    def to_bytes(self) -> bytes:
        """The contents of the file."""
        return packed(flat=self.flat)


def read_weights(data: bytes, name: str) -> PerceptronWeights:
    """Read weights from the contents of a file.

    Raises:
        WeightsError: it is not such a file; the message quotes ``name``.
    """
    with FILE.reading(name):
        flat = numbers(arrays_in(data)["flat"], np.float16)
        if flat.shape != (WEIGHTS,):
            raise ValueError(f"it has {flat.size} weights, the inputs need {WEIGHTS}")
    return PerceptronWeights(flat)


@cache
def shipped_weights() -> PerceptronWeights:
    """The weights shipped with the package.

    Raises:
        WeightsError: see :func:`read_weights`; also when the file is missing.
    """
    return FILE.load(read_weights)
