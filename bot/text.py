"""Untrusted text made safe for a terminal, a log line or an error."""

from __future__ import annotations

import unicodedata
from typing import Final

from bot.secrecy import hide

_UNSAFE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that move the cursor, hide or reorder text, or are not characters."""
_READ: Final = 1 << 17
"""Maximum length of a peer's text that is looked at."""
SHOWN: Final = 200
"""Maximum length of a peer's text that is shown."""


def clean(text: str) -> str:
    """``text`` without secrets, and without anything that could control a terminal: control and unassigned characters.

    Player names, chat and everything else that a peer sends pass through here before being shown or logged.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(char for char in text if unicodedata.category(char) not in _UNSAFE)
    return hide(text)


def plural(number: int, noun: str, several: str = "") -> str:
    """``1 hand``, ``2 hands``; ``several`` is the plural of a noun that takes more than an s."""
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def brief(text: str, limit: int = SHOWN) -> str:
    """:func:`clean` text, cut to ``limit`` characters."""
    cleaned = clean(text[:_READ])  # more than is shown: a secret that the limit cuts in two is found whole
    return cleaned if len(cleaned) <= limit else cleaned[: limit - 1] + "…"
