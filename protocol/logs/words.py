"""The words of all log formats: yaku and limits, the ways in which a hand is drawn, the length of a game.

Tenhou writes ``'30符4飜7700点'``, ``'立直(1飜)'``, ``'役満16000点∀'`` and ``'九種九牌'``, mjai ``'reach'`` and
``'kyushukyuhai'``. Other programs that write these formats use words of their own, such as ``'Mangan 2000-4000点'``,
``'Half Flush(2飜)'``, ``'役牌:自風牌(1飜)'`` or ``'Nine Terminal Abortion'``, and these are read too.
"""

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple
from unicodedata import normalize

from engine.model.events import RyuukyokuKind
from engine.model.tiles import EAST
from engine.model.yaku import YAKU_NAMES

LONGEST: Final = 100
"""Characters of the longest word that is looked at."""
_ONE_FORM: Final = str.maketrans(
    "门斷么发發搶枪抢杠岭开捞鱼两兩双雙对對带帶气氣贯顺头纯单單骑绿綠莲連灯寶國无杯红紅里裡风场东满滿點计數翻番员听聽黃莊庄种关",
    "門断幺発発槍槍槍槓嶺開撈魚両両両両対対帯帯気気貫順頭純単単騎緑緑蓮蓮燈宝国無盃赤赤裏裏風場東満満点計数飜飜員聴聴黄荘荘種関",
)
"""Other forms of the characters that Tenhou uses."""


def in_one_form(text: str) -> str:
    """A text in lower case, with one width and one form of each character."""
    return normalize("NFKC", text).lower().translate(_ONE_FORM)


# ---------------------------------------------------------------------- yaku

_YAKU_WORDS: Final = (
    (
        *("menzenchin_tsumoho", "門前清自摸", "門前自摸", "門清自摸", "自摸", "ツモ"),
        *("fully concealed hand", "tsumo", "self draw"),
    ),
    ("reach", "リーチ", "ready hand"),
    ("ippatsu", "イッパツ", "one shot"),
    ("chankan", "robbing a kan", "robbing a quad", "チャンカン"),
    ("rinshankaiho", "rinshan", "after a kan", "dead wall draw", "リンシャン"),
    ("haiteiraoyue", "海底撈月", "under the sea", "ハイテイ"),
    ("hoteiraoyui", "houtei raoyui", "under the river", "ホウテイ"),
    ("pinfu", "all sequences", "no points hand", "ピンフ"),
    ("tanyaochu", "断ヤオ", "タンヤオ", "all simples", "tanyaochuu"),
    ("ipeko", "イーペーコー", "iipeiko", "pure double sequence", "pure double chi"),
    *[("jikaze",)] * 4,
    *[("bakaze",)] * 4,
    ("sangenpai", "白", "翻牌 白", "white dragon", "yakuhai haku"),
    ("sangenpai", "發", "翻牌 發", "green dragon", "yakuhai hatsu"),
    ("sangenpai", "中", "翻牌 中", "red dragon", "yakuhai chun"),
    ("double_reach", "ダブル立直", "ダブルリーチ", "ダブリー", "daburu riichi", "wriichi"),
    ("chitoitsu", "チートイツ", "seven pairs"),
    ("honchantaiyao", "チャンタ", "half outside hand", "outside hand", "chantaiyao"),
    ("ikkitsukan", "イッツー", "一通", "ittsu", "ikkitsuukan", "pure straight", "straight"),
    ("sanshokudojun", "三色", "sanshoku", "mixed triple sequence", "three color straight", "three colour straight"),
    ("sanshokudoko", "triple triplets", "three color triplets", "three colour triplets"),
    ("sankantsu", "three quads", "three kans"),
    ("toitoiho", "対対和", "トイトイ", "toitoihou", "all triplets", "all pungs"),
    ("sananko", "three concealed triplets", "three concealed pungs"),
    ("shosangen", "little three dragons", "three little dragons"),
    ("honroto", "all terminals and honors", "all terminals and honours"),
    ("ryanpeko", "両盃口", "twice pure double sequence", "リャンペーコー"),
    ("junchantaiyao", "ジュンチャン", "fully outside hand", "pure outside hand"),
    ("honiso", "ホンイツ", "honiisou", "half flush"),
    ("chiniso", "チンイツ", "chiniisou", "full flush"),
    ("renho", "blessing of man", "hand of man"),
    ("tenho", "blessing of heaven", "hand of heaven"),
    ("chiho", "chiihou", "blessing of earth", "hand of earth"),
    ("daisangen", "big three dragons", "three big dragons"),
    ("suanko", "four concealed triplets", "four concealed pungs"),
    ("suanko_tanki", "四暗刻単騎待ち", "single wait four concealed triplets"),
    ("tsuiso", "tsuuiiso", "all honors", "all honours"),
    ("ryuiso", "ryuuiiso", "all green", "all greens"),
    ("chinroto", "all terminals"),
    ("churenpoton", "churen poto", "chuuren", "nine gates"),
    ("junsei_churenpoton", "true nine gates", "junsei chuuren"),
    ("kokushimuso", "kokushi", "thirteen orphans"),
    (
        *("kokushimuso_jusanmen", "国士無双十三面待ち", "国士無双十三面", "国士無双13面待ち"),
        *("thirteen wait thirteen orphans", "kokushi musou jusanmen", "kokushi juusanmen"),
    ),
    ("daisushi", "daisushii", "four big winds", "big four winds"),
    ("shosushi", "shousushii", "four little winds", "little four winds"),
    ("sukantsu", "four quads", "four kans"),
    ("dora", "宝牌", "表ドラ", "懸賞牌"),
    ("uradora", "裏宝牌", "ウラドラ", "ura"),
    ("akadora", "赤宝牌", "赤", "red fives", "red dora", "aka"),
)
"""Words for each yaku by Tenhou's id, besides :data:`YAKU_NAMES`: mjai's, then those of other programs.

In mjai winds and dragons share a word, and dragons are counted in one entry.
"""
MJAI_YAKU: Final = tuple(words[0] for words in _YAKU_WORDS)
"""mjai's word for each yaku."""
_SEAT_WINDS, _ROUND_WINDS, DRAGONS = range(10, 14), range(14, 18), range(18, 21)
"""The ids of the yaku of a seat's wind, of the round's wind, and of dragons, in the order of the tiles."""

_SEAT_WIND: Final = ("自風", "門風", "seat wind", "jikaze", "own wind")
_ROUND_WIND: Final = ("場風", "圏風", "round wind", "prevalent wind", "prevailing wind", "bakaze", "field wind")
"""What begins the names of the yaku of winds; the wind follows, or is that of the seat or the round."""
_WIND_LETTERS: Final = ("東e", "南s", "西w", "北n")
_drop_filling: Final = re.compile(r"[\s・:_\-]+|牌$").sub


def _plain_yaku(name: str) -> str:
    return _drop_filling("", in_one_form(name))


_SHARED: Final = frozenset(("jikaze", "bakaze", "sangenpai"))
_YAKU_IDS: Final = {
    _plain_yaku(name): yaku
    for yaku, (names, words) in enumerate(zip(YAKU_NAMES, _YAKU_WORDS, strict=True))
    for name in (*names, *words)
    if name not in _SHARED
}


def yaku_of(name: str, seat_wind: int | None, round_wind: int | None) -> int | None:
    """The yaku of a name in any program's words; None if it is not known.

    Args:
        name: the name.
        seat_wind: ``tile34`` of the winner's wind, for names that do not say which is meant; None if not known.
        round_wind: ``tile34`` of the prevailing wind.
    """
    plain = _plain_yaku(name)
    plain = plain.removeprefix("役牌") if "風" in plain else plain
    if plain in _YAKU_IDS:
        return _YAKU_IDS[plain]
    for words, yaku, wind in ((_SEAT_WIND, _SEAT_WINDS, seat_wind), (_ROUND_WIND, _ROUND_WINDS, round_wind)):
        for begin in map(_plain_yaku, words):
            if plain.startswith(begin):
                said = plain.removeprefix(begin).removeprefix("牌").strip("()").removesuffix("牌")
                if said:
                    return next((yaku[at] for at, letters in enumerate(_WIND_LETTERS) if said[0] in letters), None)
                return None if wind is None else yaku[wind - EAST]
    return None


_is_yaku: Final = re.compile(
    r"(?P<name>.+?)\s*\(\s*(?:(?P<han>\d{1,3})\s*(?:飜|han)?|[^()]*?(?:役満|yakuman))\s*\)$"
).match


def yaku_and_han(text: str) -> tuple[str, int | None] | None:
    """The name and the han of ``'立直(1飜)'``; the han of a yakuman is None. None if it is not written so."""
    found = None if len(text) > LONGEST else _is_yaku(in_one_form(text).strip())
    return None if found is None else (found["name"], None if found["han"] is None else int(found["han"]))


# ---------------------------------------------------------------------- values and limits

LIMITS: Final = ("", "満貫", "跳満", "倍満", "三倍満", "役満")
"""Names of limits, indexed by :attr:`WinScore.limit`."""
_LIMIT_WORDS: Final = dict(zip(("mangan", "haneman", "baiman", "sanbaiman", "yakuman"), range(1, 6), strict=True)) | {
    name: limit for limit, name in enumerate(LIMITS) if name
}
_ROUNDED_UP: Final = ("切り上げ", "切上", "kiriage", "rounded")
_BEFORE_LIMITS: Final = (
    *(*_ROUNDED_UP, "数え", "累計", "kazoe", "counted"),
    *("ダブル", "トリプル", "double", "triple", "[2-6]倍", "[二三四五六]倍"),
)
"""What may stand before the word of a limit, as patterns: rounded up, counted, several yakuman."""

_by_length: Final = sorted(_LIMIT_WORDS, key=len, reverse=True)
_limit: Final = re.compile(rf"(?:{'|'.join(_BEFORE_LIMITS)})?\s*({'|'.join(_by_length)})").search
_fu: Final = re.compile(r"(\d{1,3})\s*(?:符|fu\b|fu(?=\d))").search
_han: Final = re.compile(r"(\d{1,3})\s*(?:飜|han\b|han(?=\d))").search
_points: Final = re.compile(r"(\d{3,6})(?:\s*[-/]\s*(\d{3,6}))?\s*(?:点|points?\b|pts?\b)?\s*(∀|all\b|オール)?$").search


class Value(NamedTuple):
    """The value of a win in words; None for what is not stated."""

    fu: int | None = None
    han: int | None = None
    points: int | None = None
    limit: int | None = None  # see :attr:`WinScore.limit`
    rest: str = ""  # what is left of the text


def parse_value(text: str) -> Value:
    """Parse ``'30符4飜7700点'``, ``'満貫2000-4000点'``, ``'Haneman 6000 all'`` and the like."""
    if len(text) > LONGEST:
        return Value(rest=text)
    points = limit = None
    rest = in_one_form(text).replace(",", "").strip()
    if found := _points(rest):
        points = int(found[1])
        if found[2]:
            points = 2 * points + int(found[2])
        elif found[3]:
            points = 3 * points
        rest = rest[: found.start()]
    fu, rest = _number(_fu, rest)
    han, rest = _number(_han, rest)
    if found := _limit(rest):
        limit = _LIMIT_WORDS[found[1]]
        rest = rest[: found.start()] + rest[found.end() :]
    return Value(fu, han, points, limit, rest.strip())


def _number(find: Callable[[str], re.Match[str] | None], text: str) -> tuple[int | None, str]:
    """The number that a pattern finds in a text, and the text without it."""
    found = find(text)
    return (int(found[1]), f"{text[: found.start()]} {text[found.end() :]}") if found else (None, text)


def is_rounded_up(value: str) -> bool:
    """Whether a value is that of a rounded-up mangan: 4 han 30 fu, or 3 han 60 fu."""
    plain = value[:LONGEST].lower()
    return any(word in plain for word in _ROUNDED_UP)


# ---------------------------------------------------------------------- draws


class DrawWords(NamedTuple):
    """Words for one kind of draw."""

    tenhou: str
    mjai: str
    title: str  # as notes name it
    pattern: str  # what every word for it contains, by :func:`_plain_draw`


DRAWS: Final = {
    RyuukyokuKind.NAGASHI_MANGAN: DrawWords(
        *("流し満貫", "nagashimangan", "nagashi mangan"),
        r"nagashi|manganat|^nm$|流し|流局(?:満貫|マンガン)|유국만관",
    ),
    RyuukyokuKind.NINE_TERMINALS: DrawWords(
        *("九種九牌", "kyushukyuhai", "nine terminals"),
        r"(?<![a-z])nine|9(?:shu|kind|type|terminal|tile|yao)|yao9|kyushu|kushu|jiuzhong|[九9][種幺]|구종",
    ),
    RyuukyokuKind.FOUR_RIICHI: DrawWords(
        *("四家立直", "suchareach", "four riichi"),
        r"(?:fou?r|4|all|quad\w*?)(?:players?|people)?(?:in)?(?:riichi|richi|reach)|(?:riichi|reach)4|sucha"
        r"|[四4全][家人員]?(?:立直|リーチ)|사가리치|sijializhi",
    ),
    RyuukyokuKind.FOUR_KANS: DrawWords(
        *("四槓散了", "sukaikan", "four kans"),
        r"(?:fou?r|4)(?:kan|quad|kong)|kan4|suka(?:n|ikan)|sigang|[四4](?:開?槓|カン|カイカン)|사개?깡",
    ),
    RyuukyokuKind.FOUR_WINDS: DrawWords(
        *("四風連打", "sufonrenta", "four winds"),
        r"(?:fou?r|4)\w{0,14}?wind|samewind|kaze4|suf[ou]|sifeng|[四4]風|スーフ|사풍",
    ),
    RyuukyokuKind.TRIPLE_RON: DrawWords(
        *("三家和了", "sanchaho", "three rons"),
        r"(?:three|triple|3)\w{0,8}?(?:ron|win|hora)|ron3|sancha|sanjia|三[家人]?(?:和|胡|ロン|響)|トリプルロン|삼가화",
    ),
    RyuukyokuKind.EXHAUSTIVE: DrawWords(
        *("流局", "fanpai", "the end of the wall"),
        r"exhaust|fanpai|howanpai|kohai|normal|nomoretiles|washou?t|nowinner|te[nm]pai|noten|huang"
        r"|^流局$|荒牌|[荒黄][牌荘]|全[員家]|聴牌|テンパイ|ノーテン|황패",
    ),
}
"""Each kind of draw; of those whose pattern a word contains, the first is meant.

The patterns are of Japanese, romaji and English, and some Chinese and Korean.
"""
_KINDS: Final = tuple((kind, re.compile(words.pattern).search) for kind, words in DRAWS.items())
ALL_TENPAI, ALL_NOTEN = "全員聴牌", "全員不聴"
"""Tenhou's words for the end of the wall where nobody pays."""
UNFINISHED: Final = "不明"
"""Tenhou's editor writes this for a hand whose end is not given, such as a position to discuss."""
WIN: Final = "和了"

_drop_marks: Final = re.compile("[\u0300-\u036f]").sub
_drop_draw: Final = re.compile(r"[\W_]+|abort(?:ive|ion|ed)?|drawn?|game").sub
_all_tenpai: Final = re.compile(r"(?:all|every\w*|全[員家])\w*?(?:te[nm]pai|聴牌|テンパイ)").search
_all_noten: Final = re.compile(
    r"(?:all|every\w*)\w*?noten|no(?:body|one)?(?:is|in)?te[nm]pai|全[員家](?:不聴|未聴|没聴|ノーテン)"
).search
_ryuukyoku: Final = re.compile(r"ryu+[\W_]?kyo+ku|流局|유국").search
_no_end: Final = re.compile(
    r"^$|不[明詳详定]|未[了完知定確決終]|途中(?!流局)|[中切]断|中止|^(?:none|null|na|nan)$"
    r"|un(?:known|finished|defined|decided|determined|specified)|notfinished|interrupted|suspended|incomplete|paused"
).search
_is_won: Final = re.compile(
    "(?:[和胡荣榮](?:了|牌|り)?|ロン|ツモ|自摸|アガリ|agari|hou?ra|ron|tsumo|win|won)", re.IGNORECASE
).fullmatch


def _unmarked(word: str) -> str:
    """A word in one form, without the marks of long vowels."""
    return in_one_form(_drop_marks("", normalize("NFKD", word[:LONGEST])))


def _plain_draw(word: str) -> str:
    """A word without separators, long vowels and ``draw``, with romaji in one spelling."""
    plain = _drop_draw("", _unmarked(word))
    plain = plain.replace("uu", "u").replace("ou", "o").replace("sy", "sh").replace("ty", "ch")
    return plain.replace("ryukyoku", "")


def kind_of_word(word: str) -> RyuukyokuKind | None:
    """The kind of draw that a word means, in Tenhou's words or those of other programs; None if it is not known.

    Romaji are read with and without long vowels and separators, English with and without "abortive draw".
    """
    plain = _plain_draw(word)
    return next((kind for kind, is_said in _KINDS if is_said(plain)), None)


def says_draw(word: str) -> bool:
    """Whether a word says that the hand is drawn: it names a kind, or says only that: ``draw``, ``途中流局``."""
    unmarked = _unmarked(word)
    only_drawn = "draw" in unmarked and not _plain_draw(word)
    return only_drawn or _ryuukyoku(unmarked) is not None or kind_of_word(word) is not None


def says_any_draw(word: str) -> bool:
    """Whether a word is Tenhou's for the end of the wall, which other programs write for any draw."""
    return _plain_draw(word) == DRAWS[RyuukyokuKind.EXHAUSTIVE].tenhou


def says_all_tenpai(word: str) -> bool | None:
    """Whether a word says that all four are tenpai (True) or nobody is (False); None if it says neither."""
    plain = _plain_draw(word)
    return False if _all_noten(plain) else True if _all_tenpai(plain) else None


def says_no_end(word: str) -> bool:
    """Whether a word says that it is not known how the hand ended, or that it was not played to its end.

    A mark without a letter, such as ``?``, says so too.
    """
    return not says_draw(word) and _no_end(_plain_draw(word)) is not None


def says_win(word: str) -> bool:
    """Whether a word says that the hand was won."""
    return _is_won(word.strip()) is not None


# ---------------------------------------------------------------------- games

_SOUTH: Final = re.compile(r"南|半荘|\bsouth|hanchan|hanchang|half[- ]?game|tonnan|남풍|반장")
_EAST: Final = re.compile(r"東|\beast\b|\beast[- ]?only|to[nm]p[uo]u?|\bton\b|\b1[- ]?wind\b|동풍|동장")
_no_length: Final = re.compile(
    # the name of a hand or a place: E1, East 1, 東1局, 東場, Tokyo, Kanto
    r"[東南西北]\s*(?:[0-9一二三四]\s*局|[0-9]|場|家)|\b(?:east|south)\s*[1-4](?![0-9])"
    r"|関東|東[京海北西亜大方都日本洋宝]|(?:far|middle|north|south)[- ]?east(?:ern)?|east coast"
).sub


def length_of_title(texts: Iterable[str]) -> bool | None:
    """Whether a title names a hanchan (True) or an east-only game (False); None if it names neither.

    The first text that names either decides. One with both, such as ``東南戦``, is of a hanchan.
    """
    for text in texts:
        plain = _no_length(" ", in_one_form(text).replace("_", " "))
        if _SOUTH.search(plain):
            return True
        if _EAST.search(plain):
            return False
    return None
