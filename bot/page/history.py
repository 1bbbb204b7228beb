"""The history of a page: each browser reads it at its own pace, and nobody waits for a browser."""

import asyncio
import json
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

from bot.machine.text import hide

KEPT: Final = 8
"""Number of games whose moments are kept; the results of earlier ones remain."""
MOST: Final = 8_000
"""Maximum number of messages of one game; a hanchan has about 2,000."""


class History:
    """The messages of the last games, and the state of the run. Writers append and go on."""

    def __init__(self) -> None:
        self.games: dict[int, list[str]] = {}
        self.run: dict[str, Any] = {}
        self.version = 0
        """Changes with :attr:`run`."""
        self.changed: dict[str, int] = {}
        """By each name in :attr:`run`, the version that changed it last."""
        self._readers: set[Reader] = set()
        self._last = 0

    def open(self) -> int:
        """Begin a game; returns its key. The messages of the oldest one are dropped if there are too many."""
        self._last += 1
        self.games[self._last] = []
        for key in list(self.games)[:-KEPT]:
            del self.games[key]
        return self._last

    def add(self, key: int, fields: dict[str, Any]) -> None:
        """Append a message to a game, unless the game has been dropped or has too many."""
        messages = self.games.get(key)
        if messages is not None and len(messages) < MOST:
            messages.append(as_message({"game": key, **fields}))
            self._wake()

    def tell(self, **fields: Any) -> None:
        """Change what is said of the run as a whole; what stays as it was is not said again."""
        self.version += 1
        self.run |= fields
        self.changed |= dict.fromkeys(fields, self.version)
        self._wake()

    def reader(self) -> "Reader":
        """A new reader, which gets everything from the beginning."""
        reader = Reader(self)
        self._readers.add(reader)
        return reader

    def leave(self, reader: "Reader") -> None:
        """Forget a reader."""
        self._readers.discard(reader)

    @property
    def readers(self) -> int:
        """Number of readers."""
        return len(self._readers)

    def _wake(self) -> None:
        for reader in self._readers:
            reader.news.set()


class Reader:
    """A place in the history.

    Attributes:
        news: set when there may be something to read.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._version = -1
        self._read: dict[int, int] = {}
        self._whole = False
        self.news = asyncio.Event()
        self.news.set()

    def read(self, most: int) -> str:
        """The next messages, up to about the number given, as a JSON array; ``'[]'`` if there are none.

        What has changed of the run comes first and then the newest game, so that it is on the screen at once. A message
        ``whole`` follows once everything that happened before has been read.
        """
        found: list[str] = []
        history = self._history
        if self._version != history.version:
            known, self._version = self._version, history.version
            new = {name: value for name, value in history.run.items() if history.changed[name] > known}
            found.append(as_message({"run": new}))
        self._read = {key: at for key, at in self._read.items() if key in history.games}
        for key in sorted(history.games, reverse=True):
            at = self._read.get(key, 0)
            more = history.games[key][at : at + most - len(found)]
            self._read[key] = at + len(more)
            found += more
            if len(found) >= most:
                break
        else:
            self.news.clear()
            if not self._whole:
                self._whole = True
                found.append(as_message({"whole": True}))
        return f"[{','.join(found)}]"


def as_message(fields: Mapping[str, Any]) -> str:
    """A message to a browser as JSON, without secrets; a number that JSON does not have, such as NaN, is null."""
    try:
        return hide(_ENCODER.encode(fields))
    except ValueError:
        return hide(_ENCODER.encode(_finite(fields)))


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
