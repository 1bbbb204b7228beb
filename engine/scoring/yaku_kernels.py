"""The yaku: one row for each with its worth, which sets of them count how much, and when a hand has which.

The parts of kernels below the rows say when a hand has a yaku, and name the rows by their constants;
:mod:`engine.scoring.win_kernels` asks them about each reading of a hand.

Masks over kinds have one bit a ``tile34``; masks over runs have seven bits a suit, by lowest number.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import part

YAKUMAN = 13
"""Han of a row that is a yakuman."""
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
RULE_FLAGS = {"open_tanyao": WIN_OPEN_TANYAO}
"""The bits that the rules of a table set in every win, by their names in :class:`engine.model.rules.Rules`."""

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


class Yaku(NamedTuple):
    """One row.

    Attributes:
        id: Tenhou's; names are in :data:`engine.model.yaku.YAKU_NAMES` under the same id.
        name: of the constant that kernels use.
        closed, open: han in a closed and in an open hand; 0: not allowed, YAKUMAN: a (single) yakuman.
        place: rank in Tenhou's lists of yaku. Yakuhai share one: they follow the order of the sets in the hand.
    """

    id: int
    name: str
    closed: int
    open: int
    place: int


YAKU = (
    Yaku(0, "TSUMO", 1, 0, 8),
    Yaku(1, "RIICHI", 1, 0, 0),
    Yaku(2, "IPPATSU", 1, 0, 2),
    Yaku(3, "CHANKAN", 1, 1, 3),
    Yaku(4, "RINSHAN", 1, 1, 4),
    Yaku(5, "HAITEI", 1, 1, 5),
    Yaku(6, "HOUTEI", 1, 1, 6),
    Yaku(7, "PINFU", 1, 0, 9),
    Yaku(8, "TANYAO", 1, 1, 19),
    Yaku(9, "IIPEIKOU", 1, 0, 13),
    Yaku(10, "SEAT_EAST", 1, 1, 20),
    Yaku(11, "SEAT_SOUTH", 1, 1, 20),
    Yaku(12, "SEAT_WEST", 1, 1, 20),
    Yaku(13, "SEAT_NORTH", 1, 1, 20),
    Yaku(14, "ROUND_EAST", 1, 1, 20),
    Yaku(15, "ROUND_SOUTH", 1, 1, 20),
    Yaku(16, "ROUND_WEST", 1, 1, 20),
    Yaku(17, "ROUND_NORTH", 1, 1, 20),
    Yaku(18, "HAKU", 1, 1, 20),
    Yaku(19, "HATSU", 1, 1, 20),
    Yaku(20, "CHUN", 1, 1, 20),
    Yaku(21, "DOUBLE_RIICHI", 2, 0, 1),
    Yaku(22, "CHIITOITSU", 2, 0, 10),
    Yaku(23, "CHANTA", 2, 1, 22),
    Yaku(24, "ITTSUU", 2, 1, 16),
    Yaku(25, "SANSHOKU_DOUJUN", 2, 1, 17),
    Yaku(26, "SANSHOKU_DOUKOU", 2, 2, 18),
    Yaku(27, "SANKANTSU", 2, 2, 7),
    Yaku(28, "TOITOI", 2, 2, 15),
    Yaku(29, "SANANKOU", 2, 2, 14),
    Yaku(30, "SHOUSANGEN", 2, 2, 11),
    Yaku(31, "HONROUTOU", 2, 2, 23),
    Yaku(32, "RYANPEIKOU", 3, 0, 12),
    Yaku(33, "JUNCHAN", 3, 2, 21),
    Yaku(34, "HONITSU", 3, 2, 25),
    Yaku(35, "CHINITSU", 6, 5, 24),
    Yaku(36, "RENHOU", 0, 0, 26),  # has an id; Tenhou does not award it
    Yaku(37, "TENHOU", YAKUMAN, 0, 30),
    Yaku(38, "CHIHOU", YAKUMAN, 0, 31),
    Yaku(39, "DAISANGEN", YAKUMAN, YAKUMAN, 32),
    Yaku(40, "SUUANKOU", YAKUMAN, 0, 36),
    Yaku(41, "SUUANKOU_TANKI", YAKUMAN, 0, 37),
    Yaku(42, "TSUUIISOU", YAKUMAN, YAKUMAN, 38),
    Yaku(43, "RYUUIISOU", YAKUMAN, YAKUMAN, 39),
    Yaku(44, "CHINROUTOU", YAKUMAN, YAKUMAN, 40),
    Yaku(45, "CHUUREN", YAKUMAN, 0, 41),
    Yaku(46, "PURE_CHUUREN", YAKUMAN, 0, 42),
    Yaku(47, "KOKUSHI", YAKUMAN, 0, 43),
    Yaku(48, "KOKUSHI_THIRTEEN", YAKUMAN, 0, 44),
    Yaku(49, "DAISUUSHII", YAKUMAN, YAKUMAN, 33),
    Yaku(50, "SHOUSUUSHII", YAKUMAN, YAKUMAN, 34),
    Yaku(51, "SUUKANTSU", YAKUMAN, YAKUMAN, 35),
    Yaku(52, "DORA", 1, 1, 50),
    Yaku(53, "URA_DORA", 1, 1, 52),
    Yaku(54, "RED_FIVE", 1, 1, 51),
)
"""Dora rows count once a tile and are no yaku: they need another."""


def _mask(closed: bool, bit: int) -> int:
    han = [row.closed if closed else row.open for row in YAKU]
    return sum(1 << row.id for row in YAKU if han[row.id] < YAKUMAN and han[row.id] >> bit & 1)


# Bit k of the han of every yaku: a set of yaku has popcount(set & _1) + 2 popcount(set & _2) + 4 popcount(set & _4)
CLOSED_1, CLOSED_2, CLOSED_4 = (_mask(True, bit) for bit in range(3))
OPEN_1, OPEN_2, OPEN_4 = (_mask(False, bit) for bit in range(3))
ALL_YAKUMAN = sum(1 << row.id for row in YAKU if YAKUMAN in (row.closed, row.open))

# One bit a yaku, for kernels; the test of this table compares them with the rows.
TSUMO, RIICHI, IPPATSU, CHANKAN, RINSHAN, HAITEI, HOUTEI, PINFU, TANYAO, IIPEIKOU = (1 << i for i in range(10))
SEAT_EAST, ROUND_EAST, HAKU = 1 << 10, 1 << 14, 1 << 18
DOUBLE_RIICHI, CHIITOITSU, CHANTA, ITTSUU, SANSHOKU_DOUJUN, SANSHOKU_DOUKOU = (1 << i for i in range(21, 27))
SANKANTSU, TOITOI, SANANKOU, SHOUSANGEN, HONROUTOU, RYANPEIKOU = (1 << i for i in range(27, 33))
JUNCHAN, HONITSU, CHINITSU = (1 << i for i in range(33, 36))
TENHOU, CHIHOU, DAISANGEN, SUUANKOU, SUUANKOU_TANKI, TSUUIISOU = (1 << i for i in range(37, 43))
RYUUIISOU, CHINROUTOU, CHUUREN, PURE_CHUUREN, KOKUSHI, KOKUSHI_THIRTEEN = (1 << i for i in range(43, 49))
DAISUUSHII, SHOUSUUSHII, SUUKANTSU = (1 << i for i in range(49, 52))


@part
def popcount(bits: int) -> int:
    """How many bits are set, up to 62."""
    bits -= (bits >> 1) & 0x5555555555555555
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    # the top byte of the product would be negative beyond 127: fold instead
    bits += bits >> 8
    bits += bits >> 16
    bits += bits >> 32
    return bits & 0x7F


@part
def han_of(yaku: int, is_open: bool) -> int:
    """Han of a set of yaku without yakuman, dora not counted."""
    if is_open:
        return popcount(yaku & OPEN_1) + 2 * popcount(yaku & OPEN_2) + 4 * popcount(yaku & OPEN_4)
    return popcount(yaku & CLOSED_1) + 2 * popcount(yaku & CLOSED_2) + 4 * popcount(yaku & CLOSED_4)


@part
def of_circumstances(flags: int, is_open: bool) -> int:
    """Yaku of how the win came about."""
    yaku = 0
    if not is_open:
        if flags & WIN_TSUMO:
            yaku |= TSUMO
        if flags & WIN_DOUBLE_RIICHI:
            yaku |= DOUBLE_RIICHI
        elif flags & WIN_RIICHI:
            yaku |= RIICHI
        if flags & WIN_IPPATSU:
            yaku |= IPPATSU
    if flags & WIN_CHANKAN:
        yaku |= CHANKAN
    if flags & WIN_RINSHAN:
        yaku |= RINSHAN
    if flags & WIN_LAST_TILE:
        yaku |= HAITEI if flags & WIN_TSUMO else HOUTEI
    return yaku


@part
def of_kinds(kinds: int, is_open: bool, flags: int) -> int:
    """Yaku of which kinds there are, whatever sets they form."""
    yaku = 0
    if kinds & ORPHANS == 0 and (not is_open or flags & WIN_OPEN_TANYAO):
        yaku |= TANYAO
    suits = (kinds & SUIT != 0) + (kinds >> 9 & SUIT != 0) + (kinds >> 18 & SUIT != 0)
    if suits == 1:
        yaku |= HONITSU if kinds & HONOURS else CHINITSU
        if kinds & ~GREEN == 0:
            yaku |= RYUUIISOU
    elif suits == 0:
        return yaku | TSUUIISOU
    if kinds & ~ORPHANS == 0:
        yaku |= HONROUTOU if kinds & HONOURS else CHINROUTOU
    return yaku


@part
def of_honours(triplets: int, pair: int, seat: int, round_: int) -> int:
    """Yakuhai and what is made of winds and dragons."""
    yaku = 0
    if triplets & HONOURS == 0:
        return yaku
    yaku |= (triplets >> 31 & 7) * HAKU
    dragons = popcount(triplets & DRAGONS)
    if dragons == 3:
        yaku |= DAISANGEN
    elif dragons == 2 and pair & DRAGONS:
        yaku |= SHOUSANGEN
    yaku |= (triplets >> (27 + seat) & 1) * (SEAT_EAST << seat)
    yaku |= (triplets >> (27 + round_) & 1) * (ROUND_EAST << round_)
    winds = popcount(triplets & WINDS)
    if winds == 4:
        yaku |= DAISUUSHII
    elif winds == 3 and pair & WINDS:
        yaku |= SHOUSUUSHII
    return yaku


@part
def of_runs(runs: int) -> int:
    """Sanshoku and ittsuu."""
    yaku = 0
    if runs & runs >> 7 & runs >> 14 & 0x7F:
        yaku |= SANSHOKU_DOUJUN
    for suit in range(3):
        if runs >> 7 * suit & ITTSUU_RUNS == ITTSUU_RUNS:
            yaku |= ITTSUU
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
    return PURE_CHUUREN if odd else CHUUREN


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
