"""Text from outside, made safe for a terminal, a log line or an error."""

from __future__ import annotations

import unicodedata
from typing import Final

_UNSAFE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that move the cursor, hide or reorder text, or are no characters at all."""
SHOWN: Final = 200
"""Characters of a peer's text that are worth showing."""


def clean(text: str) -> str:
    """``text`` without anything that could steer a terminal: control, format and unassigned characters.

    Player names, chat and whatever else a peer sends come through here before they are shown or logged.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if unicodedata.category(char) not in _UNSAFE)


def brief(text: str, limit: int = SHOWN) -> str:
    """:func:`clean` text, cut to ``limit`` characters."""
    cleaned = clean(text[: 4 * limit])
    return cleaned if len(cleaned) <= limit else cleaned[: limit - 1] + "…"
