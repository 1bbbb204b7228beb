"""Hands that end without a win: the kind by the word that a program writes, or by what the hand shows."""

import re
from collections.abc import Sequence
from typing import Final

from engine.model import events as ev
from engine.model.events import RyuukyokuKind
from engine.model.rules import NOTEN_POINTS
from engine.model.seats import SEATS
from engine.model.tiles import EAST, HAKU
from protocol.logs.game_builder import GameBuilder

_WORDS: Final = {
    RyuukyokuKind.EXHAUSTIVE: (
        *("fanpai", "howanpai", "kohai", "exhaustive", "exhaustion", "wallexhausted", "normal", "nomoretiles"),
        *("流局", "荒牌", "荒牌平局", "荒牌流局", "全員聴牌", "全員不聴", "全员听牌", "全员未听"),
    ),
    RyuukyokuKind.NINE_TERMINALS: (
        *("yao9", "kyushukyuhai", "kyushu", "nineterminal", "nineterminals", "nineterminalsandhonors"),
        *("ninekinds", "ninetiles", "9terminals", "9shu9hai", "九種九牌", "九种九牌", "九種幺九牌"),
    ),
    RyuukyokuKind.FOUR_RIICHI: (
        *("reach4", "suchareach", "suchariichi", "sucharichi", "fourriichi", "fourreach", "riichi4", "4riichi"),
        *("四家立直", "四人立直", "四家リーチ", "四人リーチ"),
    ),
    RyuukyokuKind.TRIPLE_RON: (
        *("ron3", "sanchaho", "sanchahora", "sancharon", "tripleron", "threeron", "threerons", "3ron"),
        *("三家和", "三家和了", "三人和", "三家和流局"),
    ),
    RyuukyokuKind.FOUR_KANS: (
        *("kan4", "sukaikan", "sukansanra", "sukansansen", "sukannagare", "fourkan", "fourkans", "4kan", "4kans"),
        *("四槓散了", "四開槓", "四槓流れ", "四槓", "四杠散了", "四开杠"),
    ),
    RyuukyokuKind.FOUR_WINDS: (
        *("kaze4", "sufonrenta", "sufonrenda", "sufurenta", "sufurenda", "sufontsurenda", "fourwind", "fourwinds"),
        *("samewind", "4winds", "四風連打", "四風子連打", "四风连打", "四风子连打"),
    ),
    RyuukyokuKind.NAGASHI_MANGAN: (
        *("nm", "nagashimangan", "nagashi", "manganat", "流し満貫", "流局満貫", "流し满贯", "流局满贯"),
    ),
}
_KINDS: Final = {word: kind for kind, words in _WORDS.items() for word in words}
_drop_filling: Final = re.compile(r"[\W_]+|abortive|abortion|draw").sub


def _plain(word: str) -> str:
    return _drop_filling("", word.lower())


def _short(word: str) -> str:
    """Romaji without long vowels; ``ryukyoku`` says only that it is a draw."""
    return word.replace("uu", "u").replace("ou", "o").replace("ryukyoku", "")


def names_no_kind(word: str) -> bool:
    """Whether a word says only that the hand is drawn: ``ryukyoku``, ``draw``, or nothing."""
    return not _short(_plain(word))


def kind_of_word(word: str) -> RyuukyokuKind | None:
    """The kind of draw that a word means, in Tenhou's words or those of other programs; None if it is not known.

    Romaji are read with and without long vowels and separators, English with and without "abortive draw".
    """
    plain = _plain(word)
    return _KINDS.get(plain, _KINDS.get(_short(plain)))


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


def seats_shown(builder: GameBuilder, kind: RyuukyokuKind, deltas: Sequence[int]) -> Sequence[int]:
    """The seats that show their hands at a draw, by its payments.

    Nobody pays when all or none are tenpai; a seat in riichi is tenpai, so with one all are.
    """
    if kind is not RyuukyokuKind.EXHAUSTIVE:
        return builder.shows(kind)
    if any(deltas):
        return [seat for seat in SEATS if deltas[seat] > 0]
    return SEATS if builder.in_riichi else ()
