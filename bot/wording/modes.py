"""The word for the mode of a decision, at the terminal."""

from __future__ import annotations

from typing import Final

_WORDS: Final = {"attack": "push"}


def mode_word(mode: object) -> str:
    """The word that people read: records and JSON say ``attack`` for what every page and text calls a push."""
    return _WORDS.get(str(mode), str(mode))
