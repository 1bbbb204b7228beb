"""Secrets that must not leave the process in any spelling: account keys, and everything else that was read as one.

Everything that is shown, logged, recorded or stored passes :func:`hide`: shown text in :func:`bot.text.clean`, files in
:mod:`bot.record.writer`, :mod:`bot.results` and :mod:`bot.logs`. Secrets are found by value and where text leaves,
because a server knows the key that it was given, and may send it back as a name, a log id or anything else.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from protocol.tenhou.redaction import redact

SHORTEST: Final = 6
"""Minimum length of a secret; shorter ones are names, and would be found everywhere."""
_PART: Final = 8
"""Length of either half of a key; the halves are hidden too."""
_PASSING: Final = 64
"""Number of ``gpid`` that are remembered: more than the games that run at once."""


class Secrets:
    """Values that are hidden wherever they occur. Keys are never removed."""

    def __init__(self) -> None:
        self._keys: frozenset[str] = frozenset()
        self._passing: deque[str] = deque(maxlen=_PASSING)

    def add(self, values: Iterable[str]) -> None:
        """Hide these permanently, and the halves of those that are account keys."""
        wanted = {value.lower() for value in values if len(value) >= SHORTEST}
        wanted |= {part for value in wanted for part in value.removeprefix("id").split("-") if len(part) == _PART}
        self._keys |= wanted

    def add_passing(self, value: str) -> None:
        """Hide the secret of one game until :data:`_PASSING` others have been added."""
        if len(value) >= SHORTEST and value.lower() not in self._passing:
            self._passing.append(value.lower())

    def clear(self) -> None:
        """Forget everything; for tests."""
        self._keys = frozenset()
        self._passing.clear()

    def hide(self, text: str) -> str:
        """The text with every secret, and everything that looks like an account key, replaced."""
        return redact(text, (*self._keys, *self._passing))


SECRETS: Final = Secrets()
"""The secrets of this process. There is one list, because text leaves in many places that do not know each other."""


def hide(text: str) -> str:
    """A text without the secrets of this process."""
    return SECRETS.hide(text)
