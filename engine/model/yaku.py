"""Every yaku of Tenhou by its id, with its name in English and as Tenhou writes it.

:mod:`engine.scoring` knows what a yaku is worth and when a hand has it.
"""

from typing import Final, NamedTuple


class YakuName(NamedTuple):
    """Names of one yaku: ``english``, and ``tenhou`` as written in tenhou.net/6 logs and shown by viewers."""

    english: str
    tenhou: str


YAKU_NAMES: Final = (
    YakuName("menzen tsumo", "門前清自摸和"),
    YakuName("riichi", "立直"),
    YakuName("ippatsu", "一発"),
    YakuName("chankan", "槍槓"),
    YakuName("rinshan kaihou", "嶺上開花"),
    YakuName("haitei", "海底摸月"),
    YakuName("houtei", "河底撈魚"),
    YakuName("pinfu", "平和"),
    YakuName("tanyao", "断幺九"),
    YakuName("iipeikou", "一盃口"),
    YakuName("seat wind east", "自風 東"),
    YakuName("seat wind south", "自風 南"),
    YakuName("seat wind west", "自風 西"),
    YakuName("seat wind north", "自風 北"),
    YakuName("round wind east", "場風 東"),
    YakuName("round wind south", "場風 南"),
    YakuName("round wind west", "場風 西"),
    YakuName("round wind north", "場風 北"),
    YakuName("haku", "役牌 白"),
    YakuName("hatsu", "役牌 發"),
    YakuName("chun", "役牌 中"),
    YakuName("double riichi", "両立直"),
    YakuName("chiitoitsu", "七対子"),
    YakuName("chanta", "混全帯幺九"),
    YakuName("ittsuu", "一気通貫"),
    YakuName("sanshoku doujun", "三色同順"),
    YakuName("sanshoku doukou", "三色同刻"),
    YakuName("sankantsu", "三槓子"),
    YakuName("toitoi", "対々和"),
    YakuName("sanankou", "三暗刻"),
    YakuName("shousangen", "小三元"),
    YakuName("honroutou", "混老頭"),
    YakuName("ryanpeikou", "二盃口"),
    YakuName("junchan", "純全帯幺九"),
    YakuName("honitsu", "混一色"),
    YakuName("chinitsu", "清一色"),
    YakuName("renhou", "人和"),
    YakuName("tenhou", "天和"),
    YakuName("chihou", "地和"),
    YakuName("daisangen", "大三元"),
    YakuName("suuankou", "四暗刻"),
    YakuName("suuankou tanki", "四暗刻単騎"),
    YakuName("tsuuiisou", "字一色"),
    YakuName("ryuuiisou", "緑一色"),
    YakuName("chinroutou", "清老頭"),
    YakuName("chuuren poutou", "九蓮宝燈"),
    YakuName("junsei chuuren poutou", "純正九蓮宝燈"),
    YakuName("kokushi musou", "国士無双"),
    YakuName("kokushi musou thirteen waits", "国士無双１３面"),
    YakuName("daisuushii", "大四喜"),
    YakuName("shousuushii", "小四喜"),
    YakuName("suukantsu", "四槓子"),
    YakuName("dora", "ドラ"),
    YakuName("ura dora", "裏ドラ"),
    YakuName("red five", "赤ドラ"),
)
"""Indexed by Tenhou's yaku id, 0-54."""

RIICHI, TANYAO, DOUBLE_RIICHI = 1, 8, 21
DORA, URA_DORA, RED_FIVE = 52, 53, 54
"""The ids that the bonus tiles of a win are listed by."""
