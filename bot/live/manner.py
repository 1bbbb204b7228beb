"""How a client plays a game, the same for each of its connections: its time limits, settings and callbacks."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.live.dial import FLOW
from bot.machine.sockets import Flow
from protocol.tenhou.session_table import State


@dataclass(frozen=True, slots=True)
class Patience:
    """Time limits in seconds, all of them finite.

    Only progress of the game counts. Keep-alives, chat and other frames do not extend a limit.

    Attributes:
        open: to open a connection, including its handshake.
        login: for the reply to HELO.
        waiting: for a table on one connection; after that, login and search start again.
        seated: from GO to the first hand, or to the snapshot of a running one.
        playing: for the next event of a game while others are to act; longer than one player's whole clock.
        echo: for the immediate effect of an answer in our own turn; measured round trips are added.
        send: for the server to read what is sent.
        pong: for the reply to a ping; one goes with each keep-alive.
        beat: interval of the keep-alives.
        flood: how long a server may exceed its rate before the connection is ended.
        first_retry, longest_retry: delay before the second attempt to connect, and the longest delay; the first
            attempt is immediate.
        doubt: between two logins while the server greets as if no game were running.
        give_up: without a connection; after that, the game is lost.
        seek: for a table, over all connections; after that, the search is given up.
        game: from GO to the end of the game, over all connections; after that, the game is lost.
    """

    open: float = 10.0
    login: float = 20.0
    waiting: float = 600.0
    seated: float = 60.0
    playing: float = 90.0
    echo: float = 3.0
    send: float = 10.0
    pong: float = 15.0
    beat: float = 10.0
    flood: float = 20.0
    first_retry: float = 0.5
    longest_retry: float = 30.0
    doubt: float = 5.0
    give_up: float = 900.0
    seek: float = 7_200.0
    game: float = 14_400.0

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
    """How a client plays a game.

    Attributes:
        pace: seconds to wait before each answer, for people who watch.
        patience: time limits.
        flow: how much the server may send.
        stop: once set, no new table is joined.
        reached: whether the server was reached before, so that it is worth waiting for; otherwise it must respond now.
        keep_gpid: called with the ``gpid`` that resumes a guest's game, and with None when the game is over.
        rest: awaited after a hand, before the next one is asked for; None: it is asked for at once.
        rng: random numbers for the jitter between attempts to connect.
    """

    pace: float = 0.0
    patience: Patience = Patience()
    flow: Flow = FLOW
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    reached: bool = False
    keep_gpid: Callable[[str | None], None] = lambda _: None
    rest: Callable[[], Awaitable[None]] | None = None
    rng: random.Random = field(default_factory=random.Random)
