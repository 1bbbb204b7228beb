"""Which yaku the circumstances, kinds and sets of a hand make. The place to change when a hand has a yaku.

Masks over kinds have one bit a ``tile34``; masks over runs have seven bits a suit, by lowest number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import part
from engine.scoring import yaku_kernels as y
from engine.scoring.point_kernels import popcount

WIN_TSUMO = 1 << 0
WIN_RIICHI = 1 << 1
WIN_DOUBLE_RIICHI = 1 << 2
WIN_IPPATSU = 1 << 3
WIN_CHANKAN = 1 << 4
WIN_RINSHAN = 1 << 5
WIN_LAST_TILE = 1 << 6
WIN_FIRST_TURN = 1 << 7
WIN_OPEN_TANYAO = 1 << 8
SEAT_AT = 9
ROUND_AT = 11
WIN_NO_WINDS = 1 << 13
"""A pair of winds gives no fu."""

TERMINALS = 1 | 1 << 8 | 1 << 9 | 1 << 17 | 1 << 18 | 1 << 26
HONOURS = 0x7F << 27
ORPHANS = TERMINALS | HONOURS
SUIT = 0x1FF
WINDS = 0xF << 27
DRAGONS = 7 << 31
GREEN = (1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7) << 18 | 1 << 32
OUTER_RUNS = 0b1000001 * (1 | 1 << 7 | 1 << 14)
ITTSUU_RUNS = 0b1001001

# how the winning tile completes the hand
OPEN_WAIT, CLOSED_WAIT, PAIR_WAIT, TRIPLET_WAIT = 1, 2, 4, 8


@part
def of_circumstances(flags: int, is_open: bool) -> int:
    """Yaku of how the win came about."""
    yaku = 0
    if not is_open:
        if flags & WIN_TSUMO:
            yaku |= y.TSUMO
        if flags & WIN_DOUBLE_RIICHI:
            yaku |= y.DOUBLE_RIICHI
        elif flags & WIN_RIICHI:
            yaku |= y.RIICHI
        if flags & WIN_IPPATSU:
            yaku |= y.IPPATSU
    if flags & WIN_CHANKAN:
        yaku |= y.CHANKAN
    if flags & WIN_RINSHAN:
        yaku |= y.RINSHAN
    if flags & WIN_LAST_TILE:
        yaku |= y.HAITEI if flags & WIN_TSUMO else y.HOUTEI
    return yaku


@part
def of_kinds(kinds: int, is_open: bool, flags: int) -> int:
    """Yaku of which kinds there are, whatever sets they form."""
    yaku = 0
    if kinds & ORPHANS == 0 and (not is_open or flags & WIN_OPEN_TANYAO):
        yaku |= y.TANYAO
    suits = (kinds & SUIT != 0) + (kinds >> 9 & SUIT != 0) + (kinds >> 18 & SUIT != 0)
    if suits == 1:
        yaku |= y.HONITSU if kinds & HONOURS else y.CHINITSU
        if kinds & ~GREEN == 0:
            yaku |= y.RYUUIISOU
    elif suits == 0:
        return yaku | y.TSUUIISOU
    if kinds & ~ORPHANS == 0:
        yaku |= y.HONROUTOU if kinds & HONOURS else y.CHINROUTOU
    return yaku


@part
def of_honours(triplets: int, pair: int, seat: int, round_: int) -> int:
    """Yakuhai and what is made of winds and dragons."""
    yaku = 0
    if triplets & HONOURS == 0:
        return yaku
    yaku |= (triplets >> 31 & 7) * y.HAKU
    dragons = popcount(triplets & DRAGONS)
    if dragons == 3:
        yaku |= y.DAISANGEN
    elif dragons == 2 and pair & DRAGONS:
        yaku |= y.SHOUSANGEN
    yaku |= (triplets >> (27 + seat) & 1) * (y.SEAT_EAST << seat)
    yaku |= (triplets >> (27 + round_) & 1) * (y.ROUND_EAST << round_)
    winds = popcount(triplets & WINDS)
    if winds == 4:
        yaku |= y.DAISUUSHII
    elif winds == 3 and pair & WINDS:
        yaku |= y.SHOUSUUSHII
    return yaku


@part
def of_runs(runs: int) -> int:
    """Sanshoku and ittsuu."""
    yaku = 0
    if runs & runs >> 7 & runs >> 14 & 0x7F:
        yaku |= y.SANSHOKU_DOUJUN
    for suit in range(3):
        if runs >> 7 * suit & ITTSUU_RUNS == ITTSUU_RUNS:
            yaku |= y.ITTSUU
    return yaku


@part
def nine_gates(counts: NDArray[np.uint8], win: int) -> int:
    """Chuuren of a closed one-suit hand: 1112345678999 and any; pure when the win is on the odd one."""
    start = win // 9 * 9
    if start == 27 or counts[start] < 3 or counts[start + 8] < 3:
        return 0
    for kind in range(start + 1, start + 8):
        if counts[kind] == 0:
            return 0
    odd = counts[win] == 4 or (counts[win] == 2 and win != start and win != start + 8)
    return y.PURE_CHUUREN if odd else y.CHUUREN


@part
def ways_to_win(man: int, pin: int, sou: int, triplets: int, pair: int, win: int) -> int:
    """The ways in which ``win`` may have completed this reading, as _WAIT bits."""
    waits = 0
    if pair >> win & 1:
        waits |= PAIR_WAIT
    if triplets >> win & 1:
        waits |= TRIPLET_WAIT
    if win < 27:
        runs = man if win < 9 else (pin if win < 18 else sou)
        number = win % 9
        # the run in which the tile is lowest, middle, highest; bit `number + 2` of the shifted mask is that run
        around = (runs & 0x7F) << 2 >> number
        if around & 4:
            waits |= CLOSED_WAIT if number == 6 else OPEN_WAIT
        if around & 2:
            waits |= CLOSED_WAIT
        if around & 1:
            waits |= CLOSED_WAIT if number == 2 else OPEN_WAIT
    return waits
