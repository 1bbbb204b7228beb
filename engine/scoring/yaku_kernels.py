"""The yaku: what each is worth. One row a yaku, in order of Tenhou's ids; the place to change one.

What makes a hand have a yaku is in :mod:`engine.scoring.pattern_kernels`, which names the rows by the constants below.
The file is named as it is because the masks here are compiled into kernels, whose cache watches ``*_kernels.py``.
"""

from __future__ import annotations

from typing import NamedTuple

YAKUMAN = 13
"""Han of a row that is a yakuman."""


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
