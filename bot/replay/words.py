"""What verification compares, in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from bot.wording.events import limit_words, yaku_name
from engine.model.events import Event, WinScore
from engine.model.melds import Meld
from engine.model.seats import kyoku_name
from engine.model.tiles import format_tiles
from engine.state import event_words, meld_words
from protocol.tenhou.actions import PROMPT_FLAGS


def tiles_words(tiles: Iterable[int]) -> str:
    """``'123m55z'``, ``'none'``."""
    return format_tiles(tiles) or "none"


def yes_or_no(fact: bool) -> str:
    """``'yes'`` or ``'no'``."""
    return "yes" if fact else "no"


def melds_words(melds: Iterable[Meld]) -> str:
    """``'pon 555z, chi 123m'``, ``'none'``."""
    return ", ".join(map(meld_words, melds)) or "none"


def seat_words(seat: int | None) -> str:
    """``'seat 2'``, ``'nobody'``."""
    return "nobody" if seat is None else f"seat {seat}"


def score_words(score: WinScore | None) -> str:
    """``'40 fu, 8,000 points, mangan: riichi 1, dora 3'``."""
    if score is None:
        return "not stated"
    value = ", ".join(filter(None, (f"{score.fu} fu", f"{score.points:,} points", limit_words(score.limit))))
    yaku = [f"{yaku_name(number).english} {han}" for number, han in score.yaku]
    yaku += [yaku_name(number).english for number in score.yakuman]
    return f"{value}: {', '.join(yaku) or 'no yaku'}"


def next_words(after: tuple[int, int] | bool | None) -> str:
    """``'E2-1'`` of the (kyoku, honba) that follows a hand, ``'the end of the game'`` of None."""
    return kyoku_name(*after) if isinstance(after, tuple) else "the end of the game"


def flags_words(flags: int) -> str:
    """``'pon, chi'`` of the flags of a prompt, ``'nothing'`` of none."""
    words = [kind.name.lower().replace("_", " ") for kind, bit in PROMPT_FLAGS.items() if flags & bit]
    return ", ".join(words) or "nothing"


def change_words(before: Event | None, after: Event | None) -> str:
    """What became of an event: ``'seat 1 discards 5m: tile was 16, is 17'``."""
    if before is None or after is None or type(before) is not type(after):
        was, is_ = ("nothing" if event is None else event_words(event) for event in (before, after))
        return f"{was} became {is_}"
    changed = [
        f"{each.name} was {getattr(before, each.name)}, is {getattr(after, each.name)}"
        for each in fields(before)
        if getattr(before, each.name) != getattr(after, each.name)
    ]
    return f"{event_words(before)}: {'; '.join(changed)}"
