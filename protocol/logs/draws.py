"""Hands that end without a win: the kind by the word that a program writes, or by what the hand shows."""

import re
from collections.abc import Sequence
from typing import Final
from unicodedata import normalize

from engine.model import events as ev
from engine.model.events import RyuukyokuKind
from engine.model.rules import NOTEN_POINTS
from engine.model.seats import SEATS, four
from engine.model.tiles import EAST, HAKU, HONOURS, KINDS
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


_no_end: Final = re.compile(
    r"不明|途中(?!流局)|中断|中止|未了|unknown|unfinished|interrupted|suspended|incomplete|paused"
).search


def says_no_end(word: str) -> bool:
    """Whether a word says that it is not known how the hand ended, or that it was not played to its end."""
    return _no_end(_plain(word)) is not None


def kind_shown(builder: GameBuilder, deltas: Sequence[int]) -> RyuukyokuKind | None:
    """The one kind of draw that the rules allow after the play so far, by its payments; None if that is not certain.

    Three rons cannot be told from a hand that breaks off after a discard.
    """
    hands = builder.hands
    paid = sum(delta for delta in deltas if delta > 0)
    if builder.wall_exhausted:
        return RyuukyokuKind.EXHAUSTIVE if paid in {0, NOTEN_POINTS} else RyuukyokuKind.NAGASHI_MANGAN
    if paid:
        return None
    if isinstance(hands.last, ev.Draw):
        seat = hands.last.seat
        held = {tile >> 2 for tile in hands.concealed[seat] or ()}
        first = hands.draws <= len(SEATS) and not any(hands.melds)
        return RyuukyokuKind.NINE_TERMINALS if first and len(held & _TERMINALS) >= _NINE else None
    kans = [sum(meld.kind.is_kan for meld in melds) for melds in hands.melds]
    if len(hands.riichi) == len(SEATS):
        return RyuukyokuKind.FOUR_RIICHI
    if sum(kans) == 4 and max(kans) < 4:
        return RyuukyokuKind.FOUR_KANS
    discards = [event.tile >> 2 for event in builder.hand_events if isinstance(event, ev.Discard)]
    if len(discards) == 4 and len(set(discards)) == 1 and EAST <= discards[0] < HAKU and not any(hands.melds):
        return RyuukyokuKind.FOUR_WINDS
    return None


_ANY_DRAW: Final = "流局"
"""Tenhou's word for the end of the wall, and other programs' for any draw."""
_NINE: Final = 9
_TERMINALS: Final = frozenset((*(9 * suit + at for suit in range(3) for at in (0, 8)), *range(HONOURS, KINDS)))
"""The ``tile34`` of terminals and honours."""


def kind_of_draw(
    builder: GameBuilder, word: str, deltas: Sequence[int], notes: Notes
) -> tuple[RyuukyokuKind | None, bool]:
    """The kind of a draw by its word, or else by the play, and whether the word says it; None if it is not certain.

    A word for the end of the wall stands for any draw where the wall is not exhausted and nobody pays, or where a
    nagashi mangan is paid. An unknown word is noted.
    """
    stated, shown = kind_of_word(word), kind_shown(builder, deltas)
    if _plain(word) == _ANY_DRAW:
        stated = shown if shown is RyuukyokuKind.EXHAUSTIVE else None
    if stated is not None and not (stated is RyuukyokuKind.EXHAUSTIVE and shown is not None):
        return stated, True
    if stated is None:
        meant = "how the hand ended is left open" if shown is None else f"by the play it is {TITLES[shown]}"
        if not names_no_kind(word) and _plain(word) != _ANY_DRAW:
            notes.add(f"the draw {quoted(word)} is not known; {meant}", builder.position)
        elif shown is None:
            notes.add(f"the draw {quoted(word)} names no kind; {meant}", builder.position)
    return shown, shown is stated


def seats_shown(
    builder: GameBuilder, kind: RyuukyokuKind, deltas: Sequence[int], all_tenpai: bool | None = None
) -> Sequence[int]:
    """The seats that certainly show their hands at a draw.

    At the end of the wall the payments say it. Nobody pays when all or none are tenpai: then what is said of it (see
    :func:`says_all_tenpai`); a seat in riichi is tenpai, so with one all are.
    """
    hands = builder.hands
    if kind is RyuukyokuKind.NINE_TERMINALS:
        return (hands.last.seat,) if isinstance(hands.last, ev.Draw) else ()
    if kind is RyuukyokuKind.FOUR_RIICHI:
        return SEATS
    if kind is RyuukyokuKind.NAGASHI_MANGAN:
        return sorted(hands.riichi)
    if kind is not RyuukyokuKind.EXHAUSTIVE:
        return ()
    if all_tenpai is not None and not any(deltas):
        return SEATS if all_tenpai else ()
    return hands.tenpai_by(four(deltas))
