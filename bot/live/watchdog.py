"""Measures how long a game has made no progress, and says what was waited for; every wait of a client ends here."""

import time
from typing import Final

from bot.live.losses import GameLostError
from bot.live.manner import Patience
from bot.machine.text import plural
from engine.model.events import Disconnected, Event, Reconnected, Resume, StartGame, StartKyoku
from protocol.tenhou.session_table import State

MOST_EVENTS: Final = 500
"""Maximum number of events in a hand; with 70 draws, a hand has at most a few hundred."""
_WAITS_FOR: Final = {
    State.OFFLINE: "the answer to the login",
    State.LOGIN: "the answer to the login",
    State.WAITING: "a table",
    State.SEATED: "the first hand",
    State.BETWEEN: "the next hand",
}
_NO_MOVE: Final = (StartGame, Resume, Disconnected, Reconnected)
"""Events that only describe the state or someone's connection; a server could repeat them without limit."""


def moves(event: Event) -> bool:
    """Whether an event is progress towards the end of the game."""
    return not isinstance(event, _NO_MOVE)


class Watchdog:
    """Watches one game over all its connections.

    Attributes:
        moved_at: time of the last progress, in the game or towards it (monotonic seconds).
    """

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._sought_at = time.monotonic()
        self._seated_at: float | None = None
        self._idle = 0
        self._events = 0
        self.moved_at = self._sought_at

    def opened(self) -> None:
        """A connection was opened."""
        self.moved_at = time.monotonic()
        self._idle = 0

    def seated(self) -> None:
        """A table was found."""
        self._seated_at = self._seated_at or time.monotonic()

    def heard(self, at: float, *, moved: bool) -> None:
        """A frame arrived at that time; ``moved``: whether it changed the state of the session or of the hand."""
        if moved:
            self.moved_at, self._idle = at, 0
        else:
            self._idle += 1

    def followed(self, event: Event) -> None:
        """An event of the game arrived.

        Raises:
            GameLostError: the hand has more events than any hand can have.
        """
        self._events = 0 if isinstance(event, Resume | StartKyoku) else self._events + 1
        if self._events > MOST_EVENTS:
            raise GameLostError(
                f"the server sent {self._events} events of one hand, more than any hand has", again=True
            )

    def until(self, state: State) -> float:
        """The time at which waiting ends if there is no progress (monotonic seconds)."""
        return min(self.moved_at + self._patience.silence(state), self._deadline()[0])

    def check(self) -> None:
        """Check that neither the search nor the game has taken too long.

        Raises:
            GameLostError: it has.
        """
        deadline, text = self._deadline()
        if time.monotonic() >= deadline:
            raise GameLostError(text, again=True)

    def why(self, state: State) -> str:
        """What was waited for, in words, and what arrived instead."""
        waited = time.monotonic() - self.moved_at
        what = _WAITS_FOR.get(state, "the next move of the game")
        came = f", though {plural(self._idle, 'frame')} arrived" if self._idle else ""
        return f"waited {waited:.0f} s for {what}{came}"

    def _deadline(self) -> tuple[float, str]:
        patience = self._patience
        if self._seated_at is None:
            return self._sought_at + patience.seek, f"no table was found in {patience.seek:.0f} s"
        return self._seated_at + patience.game, f"the game had not ended after {patience.game:.0f} s"
