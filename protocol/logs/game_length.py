"""Whether a game was a hanchan or east-only: by the titles that programs give it, or by its course."""

import re
from collections.abc import Iterable, Sequence
from typing import Final
from unicodedata import normalize

from engine.model import events as ev
from engine.model.rules import HANCHAN, RIICHI_STICK, TONPU

_SOUTH: Final = re.compile(r"南|半[荘莊庄]|\bsouth|hanchan|hanchang|half[- ]?game|tonnan|남풍|반장")
_EAST: Final = re.compile(r"[東东]|\beast\b|\beast[- ]?only|to[nm]p[uo]u?|\bton\b|\b1[- ]?wind\b|동풍|동장")
_no_length: Final = re.compile(
    # the name of a hand or a place: E1, East 1, 東1局, 東場, Tokyo, Kanto
    r"[東东南西北]\s*(?:[0-9一二三四]\s*局|[0-9]|場|场|家)|\b(?:east|south)\s*[1-4](?![0-9])"
    r"|[関关]東|東[京海北西亜大方都日本洋宝]|(?:far|middle|north|south)[- ]?east(?:ern)?|east coast"
).sub


def length_of_title(texts: Iterable[str]) -> bool | None:
    """Whether a title names a hanchan (True) or an east-only game (False); None if it names neither.

    The first text that names either decides. One with both, such as ``東南戦``, is of a hanchan.
    """
    for text in texts:
        plain = _no_length(" ", normalize("NFKC", text).lower().replace("_", " "))
        if _SOUTH.search(plain):
            return True
        if _EAST.search(plain):
            return False
    return None


def length_of_course(events: Sequence[ev.Event], points: ev.Points4) -> bool | None:
    """Whether a game can only have been a hanchan (True) or an east-only game (False); None if it may be either.

    An east-only game goes on into the south round only while nobody has the points to return, and a hanchan ends
    before its last hand only when somebody falls below zero.

    Args:
        events: the game.
        points: the points after its last hand.
    """
    deals = [event for event in events if isinstance(event, ev.StartKyoku)]
    if not deals:
        return None
    last = deals[-1].kyoku
    usual = sum(deals[0].scores) + RIICHI_STICK * deals[0].riichi_sticks == 4 * HANCHAN.start_points
    reached = usual and any(
        deal.kyoku > TONPU.last_kyoku and deal.kyoku > before and max(deal.scores) >= HANCHAN.return_points
        for deal, before in zip(deals, (-1, *(deal.kyoku for deal in deals)), strict=False)
    )
    if last > HANCHAN.last_kyoku or reached:
        return True
    ended = isinstance(events[-1], ev.EndGame) and min(points) >= 0
    return False if ended and TONPU.last_kyoku <= last < HANCHAN.last_kyoku else None


def ends_as_east_only(events: Sequence[ev.Event], points: ev.Points4) -> bool:
    """Whether a log without an end of the game begins with its first hand and ends where an east-only game must.

    That is after E4, which the dealer lost, with somebody at the points to return and nobody below zero.
    """
    deals = [event for event in events if isinstance(event, ev.StartKyoku)]
    if len(deals) <= TONPU.last_kyoku or (deals[0].kyoku, deals[0].honba, deals[-1].kyoku) != (0, 0, TONPU.last_kyoku):
        return False
    dealer = deals[-1].dealer
    stays = any(
        event.seat == dealer if isinstance(event, ev.Win) else event.hands[dealer] is not None
        for event in events[-3:]
        if isinstance(event, ev.Win | ev.Ryuukyoku)
    )
    return not stays and max(points) >= HANCHAN.return_points and min(points) >= 0
