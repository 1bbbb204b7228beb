"""Conversion of the lines of a running game to events, one after another.

The next line is not known, so an indicator is turned when its line arrives. The end of a hand only changes the scores,
because programs leave out the winner's tiles.
"""

from __future__ import annotations

import json
from typing import Any, Final

from engine.model import events as ev
from protocol.errors import LogError, RemoteProtocolError
from protocol.logs.mjai_reader import MjaiReader

Message = dict[str, Any]

SHOWN: Final = 120
"""Number of characters of a bad line that an error quotes."""


def parse_message(text: str) -> list[Message]:
    """The messages of one line: one object, or a JSON list of several, oldest first.

    Raises:
        RemoteProtocolError: the line is neither a JSON object with a ``type`` nor a list of such objects.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise RemoteProtocolError("is not JSON; mjai has one JSON object per line", text) from None
    messages = value if isinstance(value, list) else [value]
    for message in messages:
        if not isinstance(message, dict) or not isinstance(message.get("type"), str):
            raise RemoteProtocolError(f'has no "type": {str(message)[:SHOWN]}', text)
    return messages


class Feed(MjaiReader):
    """One game as one player receives it.

    Attributes:
        seat: the player's seat, from ``start_game``.
        events: events so far, without the ends of hands.
    """

    def __init__(self, start: Message, seat: int | None = None) -> None:
        """Start from the first line.

        Args:
            start: the ``start_game`` line.
            seat: the player's seat, if the line does not contain it.

        Raises:
            LogError: the game is not supported, or the seat is not known.
        """
        if seat is None and "id" not in start:
            raise LogError('"start_game" does not say whose seat it is: it should have an "id", 0 to 3')
        super().__init__(start, shows_red=start.get("aka_flag", True) is not False)
        self._handlers.update(
            {
                "dora": self._dora,
                "hora": self._ended,
                "ryukyoku": self._ended,
                "end_game": self._nothing,
            }
        )
        self._line = start if seat is None else {"id": seat}
        self.seat: Final = self._seat("id")
        self._taken = 0

    def take(self) -> list[ev.Event]:
        """The events since the last call."""
        new = self.events[self._taken :]
        self._taken = len(self.events)
        return new

    def _dora(self) -> None:
        self._playing().turn_dora(self._tile("dora_marker"))

    def _ended(self) -> None:
        if "scores" in self._line:
            self._scores = self._points("scores")
        elif "deltas" in self._line:
            self._playing().pay(self._points("deltas"))
            self._scores = self._table.points

    def _nothing(self) -> None:
        """Ignore a message without an event."""
