"""What a win is worth, in words. Numbers that Tenhou does not use are named as such: logs may hold anything."""

from __future__ import annotations

from typing import Final

from engine.model.yaku import YAKU_NAMES, YakuName

LIMITS: Final = ("", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
"""By :attr:`~engine.model.events.WinScore.limit`."""


def yaku_name(number: int) -> YakuName:
    """The names of a yaku by Tenhou's id; ``'yaku 60'`` for an id that is not in use."""
    return YAKU_NAMES[number] if 0 <= number < len(YAKU_NAMES) else YakuName(f"yaku {number}", f"yaku {number}")


def limit_words(limit: int) -> str:
    """``'mangan'``; empty below the limits."""
    return LIMITS[limit] if 0 <= limit < len(LIMITS) else f"limit {limit}"
