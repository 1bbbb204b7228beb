"""What the evaluator ``gametree`` needs before the first hand."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.search.gametree import tree_kernels
from engine.search.handscore import score_kernels
from engine.search.handscore.handscore import suit_scores

GAMETREE: Final = Preparation(
    "game tree",
    {tree_kernels.add_root: 0.5, tree_kernels.grow: 3.0, tree_kernels.solve: 6.0, score_kernels.fill_scores: 0.5},
    suit_scores,
)
