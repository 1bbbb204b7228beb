"""What a win is worth in the one-player mahjong of Ihara and Kato.

The player is the dealer, every win is a self-draw, and its points are those of a dealer's ron. Winds are no yaku and
give no fu; neither all green nor all terminals is one; every yakuman counts once.
"""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, kernel, part
from engine.scoring import yaku_kernels as y
from engine.scoring.payment_kernels import base_points, total_points
from engine.scoring.win_kernels import FU_AT, YAKU_BITS, best_allowed_win
from engine.scoring.yaku_kernels import WIN_NO_WINDS, WIN_TSUMO, han_of
from engine.shanten.table_kernels import HandTables

ALLOWED = (
    y.TSUMO | y.PINFU | y.TANYAO | y.IIPEIKOU | 7 * y.HAKU | y.SANSHOKU_DOUJUN | y.ITTSUU | y.CHANTA | y.HONROUTOU
    | y.TOITOI | y.SANSHOKU_DOUKOU | y.SANANKOU | y.SHOUSANGEN | y.CHIITOITSU | y.RYANPEIKOU | y.JUNCHAN | y.HONITSU
    | y.CHINITSU | y.SUUANKOU | y.SUUANKOU_TANKI | y.DAISANGEN | y.TSUUIISOU | y.DAISUUSHII | y.SHOUSUUSHII
    | y.CHUUREN | y.PURE_CHUUREN | y.KOKUSHI | y.KOKUSHI_THIRTEEN
)  # fmt: skip
"""The yaku of the paper's Table 2."""

YAKUMAN_POINTS = 48_000


@kernel("neat", seconds=2.0)
def solo_win(counts: NDArray[np.uint8], win: int, bonus: int, tables: Records[HandTables]) -> int:
    """:func:`best_solo_win` for callers in Python."""
    return best_solo_win(counts, win, bonus, tables[0])


@part
def best_solo_win(counts: NDArray[np.uint8], win: int, bonus: int, tables: HandTables) -> int:
    """Yaku and fu of a complete hand of 14 tiles; 0 if it is not complete.

    They are packed as by :func:`engine.scoring.win_kernels.best_win`. ``bonus`` counts dora and red fives, on which
    the choice of the reading depends.
    """
    return best_allowed_win(counts, 0, win, WIN_TSUMO | WIN_NO_WINDS, bonus, ALLOWED, tables)


@kernel("neat", seconds=0.3)
def solo_points(answer: int, bonus: int) -> int:
    """Points of an answer of :func:`solo_win`."""
    yaku = answer & YAKU_BITS
    if yaku == 0:
        return 0
    if yaku & y.ALL_YAKUMAN:
        return YAKUMAN_POINTS
    han = han_of(yaku, False) + bonus
    return total_points(base_points(han, 5 * (answer >> FU_AT), 0), True, False)
