"""How long nothing has moved the game, and what was waited for: every wait of a client ends here."""

from __future__ import annotations

import time
from typing import Final

from bot.live.losses import GameLostError
from bot.live.patience import Patience
from engine.model.events import Disconnected, Event, Reconnected, Resume, StartGame, StartKyoku
from protocol.tenhou.session_table import State

MOST_EVENTS: Final = 500
"""Events of one hand; a hand has 70 draws, and no more than a few hundred events."""
_WAITS_FOR: Final = {
    State.OFFLINE: "the answer to the login",
    State.LOGIN: "the answer to the login",
    State.WAITING: "a table",
    State.SEATED: "the first hand",
    State.BETWEEN: "the next hand",
}
_NO_MOVE: Final = (StartGame, Resume, Disconnected, Reconnected)
"""Events that tell how things stand, or of somebody's line; a server could repeat them for ever."""


def moves(event: Event) -> bool:
    """Whether an event brings a game nearer to its end."""
    return not isinstance(event, _NO_MOVE)


class Watchdog:
    """Of one game, over all its connections.

    Attributes:
        moved_at: when something last moved the game, or the way to it (monotonic seconds).
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
        """A frame came at that time; ``moved``: it changed where the session stands, or how the hand stands."""
        if moved:
            self.moved_at, self._idle = at, 0
        else:
            self._idle += 1

    def followed(self, event: Event) -> None:
        """An event of the game came.

        Raises:
            GameLostError: no hand has so many.
        """
        self._events = 0 if isinstance(event, Resume | StartKyoku) else self._events + 1
        if self._events > MOST_EVENTS:
            raise GameLostError(f"the server has told {self._events} events of one hand, which no hand has", again=True)

    def until(self, state: State) -> float:
        """When patience ends if nothing moves (monotonic seconds)."""
        return min(self.moved_at + self._patience.silence(state), self._deadline()[0])

    def check(self) -> None:
        """See that neither the search nor the game has taken too long.

        Raises:
            GameLostError: it has.
        """
        deadline, text = self._deadline()
        if time.monotonic() >= deadline:
            raise GameLostError(text, again=True)

    def why(self, state: State) -> str:
        """What was waited for, in words, and what came in its place."""
        waited = time.monotonic() - self.moved_at
        what = _WAITS_FOR.get(state, "the next move of the game")
        came = f", though {self._idle} frames came" if self._idle else ""
        return f"waited {waited:.0f} s for {what}{came}"

    def _deadline(self) -> tuple[float, str]:
        patience = self._patience
        if self._seated_at is None:
            return self._sought_at + patience.seek, f"no table was found in {patience.seek:.0f} s"
        return self._seated_at + patience.game, f"the game had not ended after {patience.game:.0f} s"
