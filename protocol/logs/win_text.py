"""The value of a win in words of tenhou.net/6: Tenhou's, and those that other programs write there.

Tenhou writes ``'30符4飜7700点'``, ``'立直(1飜)'``, ``'役満16000点∀'``, others ``'Mangan 2000-4000点'``,
``'Half Flush(2飜)'``, ``'役牌:自風牌(1飜)'``.
"""

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from engine.model.events import WinClaim, WinScore
from engine.model.tiles import EAST
from engine.model.yaku import DOUBLE_RIICHI, RIICHI, URA_DORA, YAKU_NAMES
from protocol.errors import LogError

LIMITS: Final = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
"""Names of limits, indexed by :attr:`WinScore.limit`."""

_LIMIT_WORDS: Final = (
    (),
    *(("満貫", "满贯", "滿貫", "mangan"), ("跳満", "跳满", "跳滿", "haneman"), ("倍満", "倍满", "倍滿", "baiman")),
    *(("三倍満", "三倍满", "三倍滿", "sanbaiman"), ("役満", "役满", "役滿", "yakuman")),
)
"""Words for each limit."""

_ROUNDED_UP: Final = ("切り上げ", "切上", "kiriage", "rounded")
_BEFORE_LIMITS: Final = (
    *(*_ROUNDED_UP, "数え", "數え", "累計", "累计", "kazoe", "counted"),
    *("ダブル", "トリプル", "double", "triple", "[2-6]倍", "[二三四五六]倍"),
)
"""What may stand before the word of a limit, as patterns: rounded up, counted, several yakuman."""

_OTHER_NAMES: Final[dict[int, tuple[str, ...]]] = {
    0: (
        "門前清自摸",
        "門前自摸",
        "门前清自摸和",
        "门清自摸",
        "自摸",
        "ツモ",
        "fully concealed hand",
        "tsumo",
        "self draw",
    ),
    1: ("リーチ", "reach", "ready hand"),
    2: ("一發", "一发", "イッパツ", "one shot"),
    3: ("搶槓", "枪杠", "抢杠", "robbing a kan", "robbing a quad", "チャンカン"),
    4: ("岭上开花", "rinshan", "after a kan", "dead wall draw", "リンシャン"),
    5: ("海底撈月", "海底捞月", "haitei raoyue", "under the sea", "ハイテイ"),
    6: ("河底捞鱼", "houtei raoyui", "under the river", "ホウテイ"),
    7: ("all sequences", "no points hand", "ピンフ"),
    8: ("断么九", "斷幺九", "斷么九", "断ヤオ", "タンヤオ", "all simples", "tanyaochuu"),
    9: ("一杯口", "イーペーコー", "iipeiko", "ipeko", "pure double sequence", "pure double chi"),
    18: ("白", "翻牌 白", "white dragon", "yakuhai haku"),
    19: ("發", "発", "发", "役牌 発", "役牌 发", "翻牌 發", "翻牌 発", "green dragon", "yakuhai hatsu"),
    20: ("中", "翻牌 中", "red dragon", "yakuhai chun"),
    21: (
        "ダブル立直",
        "ダブルリーチ",
        "ダブリー",
        "两立直",
        "兩立直",
        "双立直",
        "double reach",
        "daburu riichi",
        "wriichi",
    ),
    22: ("七对子", "七對子", "チートイツ", "chitoitsu", "seven pairs"),
    23: ("混全帯么九", "混全带幺九", "混全帶么九", "チャンタ", "half outside hand", "outside hand", "chantaiyao"),
    24: ("一气通贯", "一氣通貫", "イッツー", "一通", "ittsu", "ikkitsuukan", "pure straight", "straight"),
    25: ("三色同顺", "三色", "sanshoku", "mixed triple sequence", "three color straight", "three colour straight"),
    26: ("sanshoku doko", "triple triplets", "three color triplets", "three colour triplets"),
    27: ("三杠子", "three quads", "three kans"),
    28: ("対対和", "对对和", "對對和", "トイトイ", "toitoihou", "all triplets", "all pungs"),
    29: ("sananko", "three concealed triplets", "three concealed pungs"),
    30: ("shosangen", "little three dragons", "three little dragons"),
    31: ("混老头", "honroto", "all terminals and honors", "all terminals and honours"),
    32: ("二杯口", "两杯口", "ryanpeko", "twice pure double sequence", "リャンペーコー"),
    33: ("純全帯么九", "純全帶么九", "纯全带幺九", "ジュンチャン", "fully outside hand", "pure outside hand"),
    34: ("ホンイツ", "honiso", "honiisou", "half flush"),
    35: ("チンイツ", "chiniso", "chiniisou", "full flush"),
    36: ("renho", "blessing of man", "hand of man"),
    37: ("tenho", "blessing of heaven", "hand of heaven"),
    38: ("chiho", "chiihou", "blessing of earth", "hand of earth"),
    39: ("big three dragons", "three big dragons"),
    40: ("suanko", "four concealed triplets", "four concealed pungs"),
    41: ("四暗刻单骑", "四暗刻單騎", "四暗刻単騎待ち", "single wait four concealed triplets", "suanko tanki"),
    42: ("tsuiso", "tsuuiiso", "all honors", "all honours"),
    43: ("绿一色", "綠一色", "ryuiso", "ryuuiiso", "all green", "all greens"),
    44: ("清老头", "chinroto", "all terminals"),
    45: ("九莲宝灯", "九蓮寶燈", "九連宝燈", "churen poto", "chuuren", "nine gates"),
    46: ("纯正九莲宝灯", "純正九蓮寶燈", "純正九連宝燈", "true nine gates", "junsei chuuren"),
    47: ("国士无双", "國士無雙", "kokushi", "kokushi muso", "thirteen orphans"),
    48: (
        *("国士無双十三面待ち", "国士無双十三面", "国士無双13面待ち", "国士无双十三面", "國士無雙十三面"),
        *("thirteen wait thirteen orphans", "kokushi musou jusanmen", "kokushi juusanmen"),
    ),
    49: ("daisushi", "daisushii", "four big winds", "big four winds"),
    50: ("shosushi", "shousushii", "four little winds", "little four winds"),
    51: ("四杠子", "sukantsu", "four quads", "four kans"),
    52: ("宝牌", "寶牌", "表ドラ", "懸賞牌"),
    53: ("里宝牌", "裡寶牌", "裏寶牌", "ウラドラ", "uradora", "ura"),
    54: ("红宝牌", "紅寶牌", "赤宝牌", "赤寶牌", "赤", "akadora", "aka dora", "red fives", "red dora", "aka"),
}
"""Names of yaku in other programs and languages, by Tenhou's yaku id."""

_SEAT_WIND: Final = ("自風", "自风", "門風", "门风", "seat wind", "jikaze", "own wind")
_ROUND_WIND: Final = ("場風", "场风", "圏風", "round wind", "prevalent wind", "prevailing wind", "bakaze", "field wind")
"""What begins the names of the yaku of winds; the wind follows, or is that of the seat or the round."""

_LONGEST: Final = 100
"""Characters of the longest name of a yaku, and of the longest value."""
_WINDS: Final = ("東东e", "南s", "西w", "北n")
_drop_filling: Final = re.compile(r"[\s・:_\-]+|牌$").sub
_BY_LENGTH: Final = sorted((word for words in _LIMIT_WORDS for word in words), key=len, reverse=True)
_limit: Final = re.compile(rf"(?:{'|'.join(_BEFORE_LIMITS)})?\s*({'|'.join(_BY_LENGTH)})").search
_fu: Final = re.compile(r"(\d{1,3})\s*(?:符|fu\b|fu(?=\d))").search
_han: Final = re.compile(r"(\d{1,3})\s*(?:飜|翻|番|han\b|han(?=\d))").search
_points: Final = re.compile(
    r"(\d{3,6})(?:\s*[-/]\s*(\d{3,6}))?\s*(?:点|點|points?\b|pts?\b)?\s*(∀|all\b|オール)?$"
).search
_is_yaku: Final = re.compile(
    r"(?P<name>.+?)\s*\(\s*(?:(?P<han>\d{1,3})\s*(?:飜|翻|番|han)?|[^()]*?(?:役満|役满|役滿|yakuman))\s*\)$"
).match


def _plain(name: str) -> str:
    return _drop_filling("", normalize("NFKC", name).lower())


_YAKU_IDS: Final = {
    _plain(name): yaku for yaku, names in enumerate(YAKU_NAMES) for name in (*names, *_OTHER_NAMES.get(yaku, ()))
}


def parse_score(
    value: str, yaku: Sequence[str], *, seat_wind: int | None = None, round_wind: int | None = None
) -> WinScore | WinClaim:
    """Parse the value and the yaku of a win: the score if everything is stated and known, or else what is.

    Limit hands are written without fu, which is then 0. A riichi hand without ura gets its ``(53, 0)``.

    Args:
        value: the value.
        yaku: each yaku with its han.
        seat_wind: ``tile34`` of the winner's wind, for names that do not say which is meant; None if not known.
        round_wind: ``tile34`` of the prevailing wind.
    """
    listed: list[tuple[int, int]] = []
    yakuman: list[int] = []
    unknown: list[str] = []
    for text in yaku:
        named = None if len(text) > _LONGEST else _is_yaku(normalize("NFKC", text).lower().strip())
        number = _yaku_id(named["name"], seat_wind, round_wind) if named else None
        if named is not None and named["han"] is not None and not int(named["han"]):
            continue
        if named is None or number is None:
            unknown.append(text)
        elif named["han"] is None:
            yakuman.append(number)
        else:
            listed.append((number, int(named["han"])))
    fu, han, points, limit, rest = _parse_value(value)
    if rest:
        unknown.append(value)
    counted = sum(each for _, each in listed)
    whole = points is not None and (bool(yakuman) != bool(listed)) and not unknown
    if whole and points is not None:
        if yakuman and limit in {None, 5}:
            return WinScore(fu or 0, points, 5, (), tuple(yakuman))
        if listed and han in {None, counted} and (limit is not None or fu is not None):
            return WinScore(fu or 0, points, limit_of(fu or 0, counted) if limit is None else limit, with_ura(listed))
    return WinClaim(fu, han, points, limit, tuple(listed), tuple(yakuman), tuple(unknown))


def _yaku_id(name: str, seat_wind: int | None, round_wind: int | None) -> int | None:
    """The yaku of a name, or None."""
    plain = _plain(name).removeprefix("役牌") if any(word in name for word in ("風", "风")) else _plain(name)
    if plain in _YAKU_IDS:
        return _YAKU_IDS[plain]
    for words, first, wind in ((_SEAT_WIND, 10, seat_wind), (_ROUND_WIND, 14, round_wind)):
        for begin in map(_plain, words):
            if plain.startswith(begin):
                said = plain.removeprefix(begin).removeprefix("牌").strip("()").removesuffix("牌")
                found = next((at for at, letters in enumerate(_WINDS) if said and said[0] in letters), None)
                if said:
                    return None if found is None else first + found
                return None if wind is None else first + wind - EAST
    return None


def _parse_value(value: str) -> tuple[int | None, int | None, int | None, int | None, str]:
    """Fu, han, points and limit, each None if not stated, and what is left of the text."""
    points = limit = None
    if len(value) > _LONGEST:
        return None, None, None, None, value
    rest = normalize("NFKC", value).lower().replace(",", "").strip()
    if found := _points(rest):
        points = int(found[1])
        if found[2]:
            points = 2 * points + int(found[2])
        elif found[3]:
            points = 3 * points
        rest = rest[: found.start()]
    numbers: list[int | None] = []
    for find in (_fu, _han):
        found = find(rest)
        numbers.append(int(found[1]) if found else None)
        rest = rest[: found.start()] + " " + rest[found.end() :] if found else rest
    if found := _limit(rest):
        limit = next(at for at, words in enumerate(_LIMIT_WORDS) if found[1] in words)
        rest = rest[: found.start()] + rest[found.end() :]
    return numbers[0], numbers[1], points, limit, rest.strip()


def is_rounded_up(value: str) -> bool:
    """Whether a value is that of a rounded-up mangan: 4 han 30 fu, or 3 han 60 fu."""
    plain = value[:_LONGEST].lower()
    return any(word in plain for word in _ROUNDED_UP)


def limit_of(fu: int, han: int) -> int:
    """The limit of a hand that is no yakuman, see :attr:`WinScore.limit`."""
    for limit, needed in ((5, 13), (4, 11), (3, 8), (2, 6), (1, 5)):
        if han >= needed:
            return limit
    return int(fu << (2 + han) >= 2_000)


def with_ura(listed: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The yaku of a win as :class:`WinScore` holds them: with ura dora, if only of 0 han, where there is a riichi."""
    ids = {yaku for yaku, _ in listed}
    no_ura = URA_DORA not in ids and not ids.isdisjoint((RIICHI, DOUBLE_RIICHI))
    return (*listed, (URA_DORA, 0)) if no_ura else tuple(listed)


def require_known(score: WinScore) -> None:
    """Refuse a score that cannot be put in words.

    Raises:
        LogError: Tenhou has no yaku of a number in it, or no such limit.
    """
    for yaku in (*(yaku for yaku, _ in score.yaku), *score.yakuman):
        if not 0 <= yaku < len(YAKU_NAMES):
            raise LogError(f"a win has yaku {yaku}, which Tenhou does not have")
    if not 0 <= score.limit < len(LIMITS):
        raise LogError(f"a win has limit {score.limit}, which Tenhou does not have")


def format_points(points: int, *, tsumo: bool, dealer: bool) -> str:
    """``'7700点'``, ``'2600点∀'`` of a dealer's self-draw, ``'500-1000点'`` of another's."""
    if not tsumo:
        return f"{points}点"
    if dealer:
        return f"{points // 3}点∀"
    # The dealer pays twice the base and the others once, each rounded up: the sum is 4 times the base, or 100 less.
    others = (points + 100) // 400 * 100
    return f"{others}-{points - 2 * others}点"


def format_score(score: WinScore, *, tsumo: bool, dealer: bool) -> list[str]:
    """Return the value, then the yaku.

    Raises:
        LogError: Tenhou has no word for the limit or for a yaku.
    """
    require_known(score)
    value = LIMITS[score.limit] or f"{score.fu}符{score.han}飜"
    value += format_points(score.points, tsumo=tsumo, dealer=dealer)
    names = [f"{YAKU_NAMES[yaku].tenhou}({han}飜)" for yaku, han in score.yaku if han]
    return [value, *names, *(f"{YAKU_NAMES[yaku].tenhou}(役満)" for yaku in score.yakuman)]
