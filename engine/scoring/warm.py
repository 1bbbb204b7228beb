"""What scoring needs before the first hand has ended."""

from __future__ import annotations

from typing import Final

from engine.preparation import Preparation
from engine.scoring import payment_kernels, point_kernels, win_kernels
from engine.shanten.tables import hand_tables

SCORING: Final = Preparation(
    "scoring",
    {
        win_kernels.score_win: 3.0,
        point_kernels.base_points: 0.2,
        point_kernels.total_points: 0.2,
        payment_kernels.pay_win: 0.3,
        payment_kernels.pay_noten: 0.2,
        payment_kernels.pay_nagashi: 0.2,
        payment_kernels.result_tenths: 0.3,
    },
    hand_tables,
)
SCORING_IN_BATCHES: Final = Preparation("scoring, in batches", {win_kernels.batch_wins: 1.5}, hand_tables)
"""For callers of the library; nothing in play scores many wins at once."""
