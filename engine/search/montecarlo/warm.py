"""What the evaluator ``montecarlo`` needs before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.search.handscore import score_kernels
from engine.search.handscore.handscore import suit_scores
from engine.search.montecarlo import playout_kernels

MONTECARLO: Final = Preparation(
    "playouts", {score_kernels.fill_scores: 0.5, playout_kernels.play_out: 6.0}, suit_scores
)
