"""The rules that a log states in words or flags: ``'般南喰赤'``, ``'四人東 喰断あり 赤なし'``, ``'no red fives'``.

Tenhou names the rules of a table by one character each: 喰 for open tanyao, 赤 for red fives, 速 for the fast clock.
Other programs put more before such a name, or write of each rule whether a table has it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

from engine.model.rules import Rules
from protocol.logs.json_text import whole
from protocol.logs.words import LONGEST, in_one_form
from protocol.tenhou.game_type import (
    FAST,
    HANCHAN,
    NO_OPEN_TANYAO,
    NO_RED_FIVES,
    PEOPLE,
    ROOM_A,
    ROOM_B,
    THREE_PLAYERS,
)

ROOMS: Final = {"般": PEOPLE, "上": PEOPLE | ROOM_B, "特": PEOPLE | ROOM_A, "鳳": PEOPLE | ROOM_A | ROOM_B}
"""The game type bits of each room, by its name in Tenhou's name of the rules."""
_type_in_figures: Final = re.compile(r"[0-9a-f]{4}").fullmatch
_whole_name: Final = re.compile(r"(?<!\w)([三四]?)([般上特鳳])([東南])(喰?)(赤?)(速?)(?!\w)").search
"""Tenhou's name of the rules: players, room, length, open tanyao, red fives, fast clock."""
_end_of_name: Final = re.compile(r"[東南](?:(喰)(赤?)|(赤))速?(?!\w)").search
"""The end of such a name; one that has neither 喰 nor 赤 may leave both out."""


def type_of_name(text: str) -> int | None:
    """Tenhou's game type bits by its name of the rules, or by the bits in four figures; None if it is neither."""
    plain = in_one_form(text[:LONGEST])
    if _type_in_figures(plain):
        return int(plain, 16)
    found = _whole_name(plain)
    if found is None:
        return None
    sanma, room, length, tanyao, red, fast = found.groups()
    bits = {THREE_PLAYERS: sanma == "三", NO_OPEN_TANYAO: not tanyao, NO_RED_FIVES: not red, FAST: fast}
    return ROOMS[room] | HANCHAN * (length == "南") | sum(bit for bit, is_set in bits.items() if is_set)


class StatedRules(NamedTuple):
    """The rules that a text states; None for a rule that it does not state."""

    red_fives: bool | None = None
    open_tanyao: bool | None = None
    kiriage: bool | None = None
    ippatsu: bool | None = None
    ura_dora: bool | None = None

    def over(self, rules: Rules) -> Rules:
        """The rules with what is stated."""
        stated = {name: value for name, value in self._asdict().items() if value is not None}
        return replace(rules, **stated) if stated else rules

    def otherwise(self, other: "StatedRules") -> "StatedRules":
        """These, and of the rules that they do not state what the other text states."""
        return StatedRules(*(later if mine is None else mine for mine, later in zip(self, other, strict=True)))


_BEGIN: Final = r"(?:\b|(?<=\bno))"
_RED: Final = (
    r"赤(?:ドラ|宝牌|五|5|牌)?"
    rf"|{_BEGIN}(?:red[ -]?(?:fives?|doras?|5s?)|reds?\b|aka(?:[ -]?doras?)?\b)"
)
_SUBJECTS: Final = {
    "red_fives": _RED,
    "open_tanyao": (
        r"[喰食]い?(?:断|タン)(?:ヤオ|么|幺)?|クイ(?:断|タン)|喰(?!い?[替か変])"
        rf"|{_BEGIN}(?:open[ -]?tanyao|kui[ -]?tan)"
    ),
    "kiriage": r"切り?上げ?(?:満貫)?|\bkiriage(?:[ -]?mangan)?",
    "ippatsu": r"一発|\bippatsu",
    "ura_dora": r"裏(?:ドラ|宝牌)?|\bura(?:[ -]?doras?)?\b",
}
"""What names each rule, as patterns of texts in one form."""
_ALONE: Final = frozenset(("open_tanyao", "kiriage"))
"""Rules that a table has where they are named without more; so it is with red fives, except within a word."""
_NO: Final = r"なし|ナシ|無し?|抜き|\boff\b|\bno(?:ne)?\b|\bfalse\b|0枚?|\u00d7"
_YES: Final = r"あり|アリ|有り?|\bon\b|\byes\b|\btrue\b|[1-9]枚?|[○◯]"
_BEFORE: Final = r"(?:(\bno[ -]?|\bwithout |無|ノー)|有)\s*"
_BOTH: Final = {
    True: re.compile("アリアリ|ありあり|有有|有り有り|ari[ -]?ari").search,
    False: re.compile("ナシナシ|なしなし|無無|無し無し|nashi[ -]?nashi").search,
}
"""Words for open tanyao together with a yaku that is only chosen at the end."""
_IPPATSU_AND_URA: Final = re.compile(rf"一発[・/&、,と]?\s?裏(?:ドラ)?[\s:=・]*(?:({_NO})|{_YES})").search
_after: Final = {
    name: re.compile(rf"(?:{subject})[\s:=・]*(?:({_NO})|{_YES})").search for name, subject in _SUBJECTS.items()
}
_before: Final = {
    name: re.compile(rf"{_BEFORE}(?:{subject})(?!{_NO}|{_YES})").search for name, subject in _SUBJECTS.items()
}
_named: Final = {
    name: re.compile(subject if name in _ALONE else rf"(?<!\w)(?:{subject})(?!\w)").search
    for name, subject in _SUBJECTS.items()
    if name in {*_ALONE, "red_fives"}
}


def stated_rules(text: str) -> StatedRules:
    """The rules that a text states."""
    plain = in_one_form(text[:LONGEST]).replace("_", " ")
    bits = type_of_name(text)
    if bits is not None:
        return StatedRules(not bits & NO_RED_FIVES, not bits & NO_OPEN_TANYAO).otherwise(_in_words(plain))
    if found := _end_of_name(plain):
        return StatedRules(bool(found[2] or found[3]), bool(found[1])).otherwise(_in_words(plain))
    return _in_words(plain)


def _in_words(plain: str) -> StatedRules:
    """The rules of which a text in one form says whether a table has them."""
    said: dict[str, bool] = {}
    for name in _SUBJECTS:
        if found := _before[name](plain) or _after[name](plain):
            said[name] = found[1] is None
        elif name in _named and _named[name](plain):
            said[name] = True
    if found := _IPPATSU_AND_URA(plain):
        said["ippatsu"] = said["ura_dora"] = found[1] is None
    for has, is_said in _BOTH.items():
        if is_said(plain):
            said.setdefault("open_tanyao", has)
    return StatedRules(**said)


def stated_by(texts: Iterable[str]) -> StatedRules:
    """The rules that texts state; of each rule the first that states it decides."""
    found = StatedRules()
    for text in texts:
        found = found.otherwise(stated_rules(text))
    return found


# ---------------------------------------------------------------------- what is not played

_yaku_at_the_end: Final = re.compile(
    r"(?:完全)?先付け|後付け?[\s:=・]*(?:なし|ナシ|無)|ナシナシ|なしなし|アリナシ|ありなし|nashi[ -]?nashi"
).search
_red_number: Final = re.compile(rf"(?:{_RED})[\s:=・]*([0-9])枚").search
_RED_FIVES: Final = 3
_rule: Final = re.compile(r"([\w・]*?[^\W\d])[\s:=]*(?:なし|ナシ|無し|あり|アリ|有り)(?!\w)").finditer
_is_read: Final = re.compile("|".join(_SUBJECTS.values())).search


def unplayed(text: str) -> list[str]:
    """The rules that a text states and that we do not play, in its words."""
    plain = in_one_form(text[:LONGEST])
    number = _red_number(plain)
    found = [number[0]] if number and int(number[1]) not in {0, _RED_FIVES} else []
    if late := _yaku_at_the_end(plain):
        found.append(late[0])
    has_both = any(is_said(plain) for is_said in _BOTH.values())
    others = [each[0] for each in _rule(plain) if not _is_read(each[1]) and not has_both]
    return found + [each for each in others if late is None or each not in late[0]]


# ---------------------------------------------------------------------- flags

RED_FLAGS: Final = ("aka", "aka51", "aka52", "aka53")
"""Fields of tenhou.net/6 that say whether there are red fives, of all suits or of one."""
_FALSE: Final = frozenset(("0", "false", "no", "off", "none", "なし", "無し", "無", "ナシ"))
_TRUE: Final = frozenset(("1", "3", "true", "yes", "on", "あり", "有り", "有", "アリ"))


def flag(value: Any) -> bool | None:
    """Whether a field of JSON is true, also where it is a number or a text; None if it does not say."""
    if isinstance(value, str):
        word = in_one_form(value[:LONGEST]).strip()
        return True if word in _TRUE else False if word in _FALSE else None
    if isinstance(value, bool):
        return value
    number = whole(value)
    return None if number is None else number != 0


def flags(fields: dict[str, Any], names: Iterable[str]) -> Iterator[bool]:
    """The flags of these names that fields state."""
    yield from (said for name in names if (said := flag(fields.get(name))) is not None)
