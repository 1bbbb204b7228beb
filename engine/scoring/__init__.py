"""The value of wins and draws, and who pays."""

from engine.scoring.fu import FuPart, fu_parts
from engine.scoring.payments import (
    base_points,
    pao_seat,
    result_points,
    ryuukyoku_deltas,
    win_deltas,
)
from engine.scoring.wins import (
    WinContext,
    WinError,
    hand_flags,
    pack_melds,
    rule_flags,
    score_win,
    win_flags,
)
from engine.scoring.yaku_kernels import YAKU, Yaku

__all__ = [
    "YAKU",
    "FuPart",
    "WinContext",
    "WinError",
    "Yaku",
    "base_points",
    "fu_parts",
    "hand_flags",
    "pack_melds",
    "pao_seat",
    "result_points",
    "rule_flags",
    "ryuukyoku_deltas",
    "score_win",
    "win_deltas",
    "win_flags",
]
