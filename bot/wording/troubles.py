"""What went wrong, by language: English is the message itself, others say its kind, its file and the place in it."""

import re
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable

from bot.machine.errors import RunError
from bot.machine.text import brief
from bot.wording.events import hand_words
from bot.wording.languages import Lang, table

_PART: Final = re.compile(r"(line|column|byte|event) ([0-9]+)").fullmatch
_HAND: Final = re.compile(r"[ESWN][1-4](-[0-9]+)?").fullmatch
_NAME: Final = 120
"""Characters of a file's name that a sentence shows."""


@runtime_checkable
class Told(Protocol):
    """An error that says its kind: of a log, or of something else that was given."""

    trouble: StrEnum  # the kind
    source: str  # the file or game that it is about; empty if it is about none


def trouble_words(error: Exception, message: str = "") -> dict[str, str]:
    """An error by language.

    Args:
        error: the error; one that is neither of what was given nor of the run is a bug.
        message: how English says it; empty: as the error does.
    """
    words = table("bot.wording", "troubles", Lang.JA)
    source, kind = "", "stopped" if isinstance(error, RunError | OSError) else "bug"
    if isinstance(error, Told):
        source, kind = error.source, error.trouble.value
    position = str(getattr(error, "position", "")).split(", ")
    place = str(words["and"]).join(filter(None, map(_placed, position)))
    shape = "_".join(name for name, part in (("source", source), ("place", place)) if part)
    said = str(words[f"at_{shape}"]).format(source=brief(source, _NAME), place=place, why=words[kind])
    return {Lang.EN.value: message or str(error), Lang.JA.value: said}


def _placed(part: str) -> str:
    """A part of a place in a log: ``'line 3'`` or ``'E1-2'``; empty if there are no words for it."""
    words = table("bot.wording", "troubles", Lang.JA)
    if found := _PART(part):
        return str(words[found[1]]).format(n=found[2])
    return hand_words(part, Lang.JA) if _HAND(part) else ""
