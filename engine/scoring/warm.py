"""What scoring needs before the first win."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.scoring import point_kernels, win_kernels
from engine.shanten.readings import reading_tables

SCORING: Final = Preparation(
    "scoring",
    {
        win_kernels.score_win: 3.0,
        win_kernels.batch_wins: 1.5,
        point_kernels.base_points: 0.2,
        point_kernels.total_points: 0.2,
    },
    reading_tables,
)
