"""How a client plays a game, over all its connections: its time limits, its settings, and every wait for progress."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.machine.sockets import Flow
from bot.machine.text import plural
from bot.play.dial import FLOW
from bot.play.losses import GameLostError
from engine.model.events import Disconnected, Reconnected, Resume, StartGame, StartKyoku
from protocol.tenhou.session import Received, Session, State


@dataclass(frozen=True, slots=True)
class Patience:
    """Time limits in seconds, all of them finite.

    Only progress of the game counts. Keep-alives, chat and other frames do not extend a limit.
    """

    open: float = 10.0  # to open a connection, including its handshake
    login: float = 20.0  # for the reply to HELO
    waiting: float = 600.0  # for a table on one connection; after that, login and search start again
    seated: float = 60.0  # from GO to the first hand, or to the snapshot of a running one
    playing: float = 90.0  # for the next event of a game while others are to act; longer than one player's whole clock
    echo: float = 3.0  # for the immediate effect of an answer in our own turn; measured round trips are added
    send: float = 10.0  # for the server to read what is sent
    pong: float = 15.0  # for the reply to a ping; one goes with each keep-alive
    beat: float = 10.0  # interval of the keep-alives
    flood: float = 20.0  # how long a server may exceed its rate before the connection is ended
    # first_retry, longest_retry: delay before the second attempt to connect, and the longest delay; the first attempt
    # is immediate
    first_retry: float = 0.5
    longest_retry: float = 30.0
    doubt: float = 5.0  # between two logins while the server greets as if no game were running
    give_up: float = 900.0  # without a connection; after that, the game is lost
    seek: float = 7_200.0  # for a table, over all connections; after that, the search is given up
    game: float = 14_400.0  # from GO to the end of the game, over all connections; after that, the game is lost

    def silence(self, state: State) -> float:
        """The limit for a wait without progress in that state."""
        return {
            State.OFFLINE: self.login,
            State.LOGIN: self.login,
            State.WAITING: self.waiting,
            State.SEATED: self.seated,
        }.get(state, self.playing)


@dataclass(frozen=True, slots=True)
class Manner:
    """How a client plays a game."""

    pace: float = 0.0  # seconds to wait before each answer, for people who watch
    patience: Patience = Patience()  # time limits
    flow: Flow = FLOW  # how much the server may send
    stop: asyncio.Event = field(default_factory=asyncio.Event)  # once set, no new table is joined
    # whether the server was reached before, so that it is worth waiting for; otherwise it must respond now
    reached: bool = False
    # called with the ``gpid`` that resumes a guest's game, and with None when the game is over
    keep_gpid: Callable[[str | None], None] = lambda _: None
    # awaited after a hand, before the next one is asked for; None: it is asked for at once
    rest: Callable[[], Awaitable[None]] | None = None
    # random numbers for the jitter between attempts to connect
    rng: random.Random = field(default_factory=random.Random)


def delays(patience: Patience, rng: random.Random) -> Iterator[float]:
    """Seconds to wait before each attempt after a loss: 0, then doubling, each multiplied by a random 0.5 to 1.

    The jitter prevents clients that lost a server together from reconnecting together.
    """
    yield 0.0
    longest = patience.first_retry
    while True:
        yield longest * rng.uniform(0.5, 1.0)
        longest = min(2 * longest, patience.longest_retry)


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


@dataclass(frozen=True, slots=True)
class Heard:
    """A frame that was processed, for everybody who observes a connection."""

    at: float  # time at which it arrived (monotonic seconds)
    received: Received  # what it led to
    session: Session  # the session, after the frame
    before: State  # the state of the session before it

    @property
    def progress(self) -> bool:
        """Whether the game came closer to its end."""
        return any(not isinstance(event, _NO_MOVE) for event in self.received.events)

    @property
    def moved(self) -> bool:
        """Whether the session or the hand is in another state."""
        return self.session.state is not self.before or self.progress


Observer = Callable[[Heard], None]
"""Observes the frames of a connection; the player is the first."""


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

    def begin(self) -> None:
        """Begin to wait: a connection was opened, or the server had nothing to do until now."""
        self.moved_at = time.monotonic()
        self._idle = 0

    def heard(self, heard: Heard) -> None:
        """A frame has arrived.

        Raises:
            GameLostError: the hand has more events than any hand can have.
        """
        for event in heard.received.events:
            self._events = 0 if isinstance(event, Resume | StartKyoku) else self._events + 1
            if self._events > MOST_EVENTS:
                raise GameLostError(
                    f"the server sent {self._events} events of one hand, more than any hand has", again=True
                )
        if heard.session.playing:
            self._seated_at = self._seated_at or time.monotonic()
        if heard.moved:
            self.moved_at, self._idle = heard.at, 0
        else:
            self._idle += 1

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
        """A sentence about the wait: what it was for, and what arrived instead."""
        waited = time.monotonic() - self.moved_at
        what = _WAITS_FOR.get(state, "the next move of the game")
        came = f", though {plural(self._idle, 'frame')} arrived" if self._idle else ""
        return f"waited {waited:.0f} s for {what}{came}"

    def _deadline(self) -> tuple[float, str]:
        patience = self._patience
        if self._seated_at is None:
            return self._sought_at + patience.seek, f"no table was found in {patience.seek:.0f} s"
        return self._seated_at + patience.game, f"the game had not ended after {patience.game:.0f} s"
