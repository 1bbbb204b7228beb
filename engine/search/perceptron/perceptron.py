"""The evaluator ``perceptron``: the player "testAI" of the CHE paper, an averaged perceptron over hands.

It scores the hand that each discard leaves by weights that were fitted on discards of phoenix-room players
(:mod:`engine.train.perceptron`). As in the paper it does not call; a closed hand declares riichi as soon as it is
tenpai.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.tiles import HAKU
from engine.search.evaluator import Evaluation
from engine.search.perceptron import input_kernels as kernels
from engine.search.perceptron.weights import Weights, shipped_weights
from engine.search.position import Position
from engine.search.stakes import Stakes
from engine.search.tiles import by_discard, dora_by_kind, reds_by_kind
from engine.shanten.tables import hand_tables

POINT: Final = 10.0
"""Points that one unit of the score is taken for, so that values are in points. A guess; the order of the discards does
not depend on it."""


class Perceptron:
    """See the module. ``weights`` may be others than those shipped."""

    name = "perceptron"

    def __init__(self, weights: Weights | None = None) -> None:
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
