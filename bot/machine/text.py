"""Text made safe to leave the process: untrusted text for a terminal, a log line or an error, and secrets in any text.

Everything that is shown, logged, recorded or stored passes :func:`hide`: shown text in :func:`clean`, files in
:mod:`bot.play.record`, :mod:`bot.store.played` and :mod:`bot.machine.logs`. Secrets (account keys, and everything
else that was read as one) are found by value and where text leaves, because a server knows the key that it was given,
and may send it back as a name, a log id or anything else.
"""

import unicodedata
from collections import deque
from collections.abc import Iterable
from string import Formatter
from typing import Any, Final

from engine.model.plural import plural as plural  # noqa: PLC0414 - found beside the others
from protocol.tenhou.redaction import redact

_UNSAFE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories that move the cursor, hide or reorder text, or are not characters."""
_READ: Final = 1 << 17
"""Maximum length of a peer's text that is looked at."""
SHOWN: Final = 200
"""Maximum length of a peer's text that is shown."""
SHORTEST: Final = 6
"""Minimum length of a secret; shorter ones are names, and would be found everywhere."""
_PART: Final = 8
"""Length of either half of a key; the halves are hidden too."""
_PASSING: Final = 64
"""Number of ``gpid`` that are remembered: more than the games that run at once."""


def clean(text: str) -> str:
    """``text`` without secrets, and without anything that could control a terminal: control and unassigned characters.

    Player names, chat and everything else that a peer sends pass through here before being shown or logged.
    """
    if not (text.isascii() and text.isprintable()):
        text = "".join(char for char in text if unicodedata.category(char) not in _UNSAFE)
    return hide(text)


class _Agreeing(Formatter):
    """Reads what follows a colon as the noun of a number."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if not format_spec:
            return str(value)
        noun, _, several = format_spec.partition("/")
        one = str(value).lstrip("+-\N{MINUS SIGN}") == "1"
        return f"{value} {noun if one else several or f'{noun}s'}"


_AGREEING: Final = _Agreeing()


def fill(template: str, **parts: Any) -> str:
    """A template with its places filled: ``{name}``, or a number with its noun.

    ``{n:game}`` becomes ``1 game`` or ``2 games``, ``{n:mismatch/mismatches}`` states the plural.
    """
    return _AGREEING.vformat(template, (), parts)


def brief(text: str, limit: int = SHOWN) -> str:
    """:func:`clean` text, cut to ``limit`` characters."""
    cleaned = clean(text[:_READ])  # more than is shown: a secret that the limit cuts in two is found whole
    return cleaned if len(cleaned) <= limit else cleaned[: limit - 1] + "…"


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
