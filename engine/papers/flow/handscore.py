"""The evaluator ``handscore`` of the FLOW paper: every group, partial group, pair and dora of a hand has a fixed score.

It is the simplest evaluator: it considers neither yaku nor the tiles left in the wall. A tenpai hand declares riichi
whenever it may, and every offered tile is passed.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.tiles import KINDS
from engine.papers.flow import score_kernels
from engine.search.evaluator import Evaluation, Stakes
from engine.search.position import Position
from engine.search.tiles import by_discard, dora_by_kind, reds_by_kind

POINT: Final = 40.0
"""Points that one unit of the score is taken for, so that values are in points: a complete hand scores 88 units or
more. A guess; the order of the discards does not depend on it."""


@cache
def suit_scores() -> NDArray[np.int16]:
    """The score of every suit; see :mod:`engine.papers.flow.score_kernels`."""
    scores = np.empty(score_kernels.SUITS, np.int16)
    score_kernels.fill_scores(np.empty(9, np.int64), np.empty(9, np.int64), scores)
    return scores


class HandScore:
    """See the module."""

    name = "handscore"
    digests: Mapping[str, str] = {}

    def evaluate(self, position: Position, stakes: Stakes | None = None, budget: Budget | None = None) -> Evaluation:
        """See :class:`~engine.search.evaluator.Evaluator`; stakes and budget are ignored."""
        del stakes, budget
        after = np.empty(KINDS + 1, np.int64)
        score_kernels.score_discards(
            np.frombuffer(bytearray(position.counts), np.uint8), dora_by_kind(position), reds_by_kind(position),
            suit_scores(), after,
        )  # fmt: skip
        return by_discard(self.name, position, [POINT * score for score in after.tolist()], POINT)
