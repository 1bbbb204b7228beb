"""What a win is worth in the one-player mahjong of Ihara and Kato.

The player is the dealer, every win is a self-draw, and its points are those of a dealer's ron. Winds are no yaku and
give no fu; neither all green nor all terminals is one; every yakuman counts once.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.scoring import yaku_kernels as y
from engine.scoring.pattern_kernels import WIN_TSUMO, nine_gates, ways_to_win
from engine.scoring.point_kernels import base_points, han_of, popcount, total_points
from engine.scoring.win_kernels import (
    FU_AT,
    YAKU_BITS,
    of_reading,
    of_wait,
    pair_and_triplets,
    seven_pairs,
    thirteen_orphans,
    value_of,
)
from engine.search.neat.input_kernels import Tables
from engine.shanten.reading_kernels import LAST_READING
from engine.shanten.shanten_kernels import honour_row, suit_row
from engine.shanten.table_kernels import ROWS

ALLOWED = (
    y.TSUMO | y.PINFU | y.TANYAO | y.IIPEIKOU | 7 * y.HAKU | y.SANSHOKU_DOUJUN | y.ITTSUU | y.CHANTA | y.HONROUTOU
    | y.TOITOI | y.SANSHOKU_DOUKOU | y.SANANKOU | y.SHOUSANGEN | y.CHIITOITSU | y.RYANPEIKOU | y.JUNCHAN | y.HONITSU
    | y.CHINITSU | y.SUUANKOU | y.SUUANKOU_TANKI | y.DAISANGEN | y.TSUUIISOU | y.DAISUUSHII | y.SHOUSUUSHII
    | y.CHUUREN | y.PURE_CHUUREN | y.KOKUSHI | y.KOKUSHI_THIRTEEN
)  # fmt: skip
"""The yaku of the paper's Table 2."""

YAKUMAN_POINTS = 48_000
EAST_AT = 27


@kernel
def solo_win(counts: NDArray[np.uint8], win: int, bonus: int, tables: Tables) -> int:
    """Yaku and fu of a complete hand of 14 tiles; 0 if it is not complete.

    They are packed as by :func:`engine.scoring.win_kernels.score_win`. ``bonus`` counts dora and red fives, on which
    the choice of the reading depends.
    """
    words = tables.words
    firsts = tables.firsts
    readings = tables.readings
    man = suit_row(counts, 0, words)
    pin = suit_row(counts, 9, words)
    sou = suit_row(counts, 18, words)
    honours = honour_row(counts, words)
    total = int(words[man]) + int(words[pin]) + int(words[sou]) + int(words[honours])
    best = 0
    if total & 15 == 7 and total >> 4 & 15 == 7:
        best = seven_pairs(counts, WIN_TSUMO)
    elif total >> 8 & 15 == 13 and total >> 12 & 15 and total >> 4 & 15 == 13:
        return thirteen_orphans(counts, win, WIN_TSUMO)
    man = int(firsts[man - ROWS])
    pin = int(firsts[pin - ROWS])
    sou = int(firsts[sou - ROWS])
    honours = int(firsts[honours - ROWS])
    if man == 0 or pin == 0 or sou == 0 or honours == 0:
        return best
    best_value = value_of(best, False, bonus) if best else -1
    m = man
    while True:
        man_reading = int(readings[m])
        p = pin
        while True:
            pin_reading = int(readings[p])
            s = sou
            while True:
                sou_reading = int(readings[s])
                pair, triplets = pair_and_triplets(man_reading, pin_reading, sou_reading, int(readings[honours]))
                if pair & (pair - 1) == 0:
                    yaku, fu, _ = of_reading(
                        man_reading, pin_reading, sou_reading, triplets, pair, 0, 0, 0, 0, False, WIN_TSUMO
                    )
                    if pair >> EAST_AT & 1:
                        fu -= 4  # the scoring takes east for the wind of the seat and of the round
                    yaku = (yaku | y.TSUMO) & ALLOWED
                    if yaku & y.CHINITSU:
                        yaku |= nine_gates(counts, win)
                    flat = triplets == 0 and fu == 20
                    closed = popcount(triplets)
                    waits = ways_to_win(man_reading, pin_reading, sou_reading, triplets, pair, win)
                    while waits:
                        wait = waits & -waits
                        waits &= waits - 1
                        this = of_wait(yaku, fu, flat, closed, wait, win, True, False)
                        value = value_of(this, False, bonus)
                        if value > best_value:
                            best_value = value
                            best = this
                if sou_reading & LAST_READING:
                    break
                s += 1
            if pin_reading & LAST_READING:
                break
            p += 1
        if man_reading & LAST_READING:
            break
        m += 1
    return best


@kernel
def solo_points(answer: int, bonus: int) -> int:
    """Points of an answer of :func:`solo_win`."""
    yaku = answer & YAKU_BITS
    if yaku == 0:
        return 0
    if yaku & y.ALL_YAKUMAN:
        return YAKUMAN_POINTS
    han = han_of(yaku, False) + bonus
    return total_points(base_points(han, 5 * (answer >> FU_AT), 0), True, False)
