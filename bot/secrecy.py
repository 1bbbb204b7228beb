"""What must not leave the process, in whatever spelling: account keys, and whatever else was read as a secret.

Everything that is shown, logged, recorded or kept goes through :func:`hide`: shown text by way of
:func:`bot.text.clean`, files by way of :mod:`bot.record.writer`, :mod:`bot.results` and :mod:`bot.logs`. A server knows
the key that it was given and may say it again anywhere, as a name or as the id of a log; hence by value, and at the
exits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from protocol.tenhou.redaction import redact

SHORTEST: Final = 6
"""Characters of a secret; a shorter one is a name, and would be found in everything."""
_PART: Final = 8
"""Characters of either half of a key, which are not shown alone either."""
_PASSING: Final = 64
"""Games whose ``gpid`` is remembered: as many as may run at once, and more."""


class Secrets:
    """Values that are hidden wherever they stand. Keys are only ever added: what was secret once stays so."""

    def __init__(self) -> None:
        self._keys: frozenset[str] = frozenset()
        self._passing: deque[str] = deque(maxlen=_PASSING)

    def add(self, values: Iterable[str]) -> None:
        """Hide these for good, and the halves of account keys among them."""
        wanted = {value.lower() for value in values if len(value) >= SHORTEST}
        wanted |= {part for value in wanted for part in value.removeprefix("id").split("-") if len(part) == _PART}
        self._keys |= wanted

    def add_passing(self, value: str) -> None:
        """Hide what is a secret for one game, until many others have come."""
        if len(value) >= SHORTEST and value.lower() not in self._passing:
            self._passing.append(value.lower())

    def clear(self) -> None:
        """Forget all; for tests."""
        self._keys = frozenset()
        self._passing.clear()

    def hide(self, text: str) -> str:
        """The text with every secret, and everything that looks like an account key, replaced."""
        return redact(text, (*self._keys, *self._passing))


SECRETS: Final = Secrets()
"""Those of this process. There is one list, since text leaves through many doors that know nothing of each other."""


def hide(text: str) -> str:
    """A text without the secrets of this process."""
    return SECRETS.hide(text)
