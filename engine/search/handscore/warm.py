"""What the evaluator ``handscore`` needs before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.search.handscore import score_kernels
from engine.search.handscore.handscore import suit_scores

HANDSCORE: Final = Preparation(
    "hand scores", {score_kernels.fill_scores: 0.5, score_kernels.score_discards: 0.5}, suit_scores
)
