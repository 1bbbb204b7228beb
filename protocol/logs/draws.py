"""Hands that end without a win: the kind by the word that a program writes, or by what the hand shows."""

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from engine.model import events as ev
from engine.model.events import RyuukyokuKind
from engine.model.rules import NOTEN_POINTS
from engine.model.seats import SEATS
from engine.model.tiles import EAST, HAKU
from protocol.logs.game_builder import GameBuilder
from protocol.logs.game_log import Notes
from protocol.logs.json_text import quoted

_PATTERNS: Final = {
    RyuukyokuKind.NAGASHI_MANGAN: (r"nagashi|manganat|^nm$", r"流し|流局(?:[満满滿]|マンガン)|유국만관"),
    RyuukyokuKind.NINE_TERMINALS: (
        r"(?<![a-z])nine|9(?:shu|kind|type|terminal|tile|yao)|yao9|kyushu|kushu|jiuzhong",
        r"[九9][種种幺么]|구종",
    ),
    RyuukyokuKind.FOUR_RIICHI: (
        r"(?:fou?r|4|all|quad\w*?)(?:players?|people)?(?:in)?(?:riichi|richi|reach)|(?:riichi|reach)4|sucha",
        r"[四4全][家人員员]?(?:立直|リーチ)|사가리치|sijializhi",
    ),
    RyuukyokuKind.FOUR_KANS: (
        r"(?:fou?r|4)(?:kan|quad|kong)|kan4|suka(?:n|ikan)|sigang",
        r"[四4](?:[開开]?[槓杠]|カン|カイカン)|사개?깡",
    ),
    RyuukyokuKind.FOUR_WINDS: (
        r"(?:fou?r|4)\w{0,14}?wind|samewind|kaze4|suf[ou]|sifeng",
        r"[四4][風风]|スーフ|사풍",
    ),
    RyuukyokuKind.TRIPLE_RON: (
        r"(?:three|triple|3)\w{0,8}?(?:ron|win|hora)|ron3|sancha|sanjia",
        r"三[家人]?(?:和|胡|ロン|響)",
        r"トリプルロン|삼가화",
    ),
    RyuukyokuKind.EXHAUSTIVE: (
        r"exhaust|fanpai|howanpai|kohai|normal|nomoretiles|washou?t|nowinner|te[nm]pai|noten|huang",
        r"^流局$",
        r"荒牌|[荒黄黃][牌庄莊]|全[員员家]|[聴聽听]牌|テンパイ|ノーテン|황패",
    ),
}
_KINDS: Final = tuple((kind, re.compile("|".join(each)).search) for kind, each in _PATTERNS.items())
"""What the word of each kind contains, without separators and long vowels; the first that is found is meant.

Tenhou's and mjai's words, Japanese, romaji, English, and some Chinese and Korean.
"""

_drop_marks: Final = re.compile("[\u0300-\u036f]").sub
_drop_filling: Final = re.compile(r"[\W_]+|abort(?:ive|ion|ed)?|drawn?|game").sub
_LONGEST: Final = 100
"""Characters of the longest word that is looked at."""


def _plain(word: str) -> str:
    """A word without separators, long vowels and ``draw``, with romaji in one spelling."""
    plain = normalize("NFKC", _drop_marks("", normalize("NFKD", word[:_LONGEST]))).lower()
    plain = _drop_filling("", plain).replace("uu", "u").replace("ou", "o").replace("sy", "sh").replace("ty", "ch")
    return plain.replace("ryukyoku", "")


def names_no_kind(word: str) -> bool:
    """Whether a word says only that the hand is drawn: ``ryukyoku``, ``draw``, or nothing."""
    return not _plain(word)


def kind_of_word(word: str) -> RyuukyokuKind | None:
    """The kind of draw that a word means, in Tenhou's words or those of other programs; None if it is not known.

    Romaji are read with and without long vowels and separators, English with and without "abortive draw".
    """
    plain = _plain(word)
    return next((kind for kind, is_said in _KINDS if is_said(plain)), None)


_all_tenpai: Final = re.compile(r"(?:all|every\w*|全[員员家])\w*?(?:te[nm]pai|[聴聽听]牌|テンパイ)").search
_all_noten: Final = re.compile(
    r"(?:all|every\w*)\w*?noten|no(?:body|one)?(?:is|in)?te[nm]pai|全[員员家](?:不[聴聽听]|未听|没听|ノーテン)"
).search


def says_all_tenpai(word: str) -> bool | None:
    """Whether a word says that all four are tenpai (True) or nobody is (False); None if it says neither."""
    plain = _plain(word)
    return False if _all_noten(plain) else True if _all_tenpai(plain) else None


TITLES: Final = {
    RyuukyokuKind.EXHAUSTIVE: "the end of the wall",
    RyuukyokuKind.NINE_TERMINALS: "nine terminals",
    RyuukyokuKind.FOUR_RIICHI: "four riichi",
    RyuukyokuKind.TRIPLE_RON: "three rons",
    RyuukyokuKind.FOUR_KANS: "four kans",
    RyuukyokuKind.FOUR_WINDS: "four winds",
    RyuukyokuKind.NAGASHI_MANGAN: "nagashi mangan",
}
"""Each kind, as notes name it."""


def kind_shown(builder: GameBuilder, deltas: Sequence[int]) -> RyuukyokuKind:
    """The kind of a draw by the play so far and its payments.

    Three rons cannot be told from an excerpt that breaks off after a discard, and are what is left.
    """
    paid = sum(delta for delta in deltas if delta > 0)
    if builder.wall_exhausted or paid:
        return RyuukyokuKind.EXHAUSTIVE if paid in {0, NOTEN_POINTS} else RyuukyokuKind.NAGASHI_MANGAN
    if isinstance(builder.last, ev.Draw):
        return RyuukyokuKind.NINE_TERMINALS
    if len(builder.in_riichi) == len(SEATS):
        return RyuukyokuKind.FOUR_RIICHI
    if sum(meld.kind.is_kan for melds in builder.melds for meld in melds) == 4:
        return RyuukyokuKind.FOUR_KANS
    discards = [event.tile >> 2 for event in builder.hand_events if isinstance(event, ev.Discard)]
    if len(discards) == 4 and len(set(discards)) == 1 and EAST <= discards[0] < HAKU:
        return RyuukyokuKind.FOUR_WINDS
    return RyuukyokuKind.TRIPLE_RON


def kind_of_draw(builder: GameBuilder, word: str, deltas: Sequence[int], notes: Notes) -> tuple[RyuukyokuKind, bool]:
    """The kind of a draw by its word, or else by the play; and whether the word says it.

    A word for the end of the wall stands for any draw where the wall is not exhausted and nobody pays, or where a
    nagashi mangan is paid. An unknown word is noted.
    """
    stated, kind = kind_of_word(word), kind_shown(builder, deltas)
    if stated is None and not names_no_kind(word):
        notes.add(f"the draw {quoted(word)} is not known; by the play it is {TITLES[kind]}", builder.position)
    any_draw = stated is RyuukyokuKind.EXHAUSTIVE and kind is not RyuukyokuKind.TRIPLE_RON
    if stated is not None and not any_draw:
        kind = stated
    return kind, kind is stated


def seats_shown(
    builder: GameBuilder, kind: RyuukyokuKind, deltas: Sequence[int], all_tenpai: bool | None = None
) -> Sequence[int]:
    """The seats that show their hands at a draw, by its payments.

    Nobody pays when all or none are tenpai: then by what is said of it (see :func:`says_all_tenpai`); a seat in riichi
    is tenpai, so with one all are.
    """
    if kind is not RyuukyokuKind.EXHAUSTIVE:
        return builder.shows(kind)
    if any(deltas):
        return [seat for seat in SEATS if deltas[seat] > 0]
    if all_tenpai is not None:
        return SEATS if all_tenpai else ()
    return SEATS if builder.in_riichi else ()
