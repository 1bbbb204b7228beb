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
