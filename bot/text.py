"""Untrusted text made safe for a terminal, a log line or an error."""

from __future__ import annotations

import unicodedata
from typing import Final

_UNSAFE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that move the cursor, hide or reorder text, or are not characters."""
SHOWN: Final = 200
"""Maximum length of a peer's text that is shown."""


def clean(text: str) -> str:
    """``text`` without anything that could control a terminal: control, format and unassigned characters.

    Player names, chat and everything else that a peer sends pass through here before being shown or logged.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if unicodedata.category(char) not in _UNSAFE)


def brief(text: str, limit: int = SHOWN) -> str:
    """:func:`clean` text, shortened to ``limit`` characters."""
    cleaned = clean(text[: 4 * limit])
    return cleaned if len(cleaned) <= limit else cleaned[: limit - 1] + "…"
