"""Time limits: how long a client waits before it considers the connection or the game lost."""

from __future__ import annotations

from dataclasses import dataclass

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


PATIENCE = Patience()
