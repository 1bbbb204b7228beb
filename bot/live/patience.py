"""How long a client waits for what, before it takes the server, or the connection, for gone."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.tenhou.session_table import State


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds, all of them finite: nothing ever waits for ever.

    What counts is what moves the game. Keep-alives, chat and whatever else a server may say in its place do not.

    Attributes:
        open: for a connection to open, its handshake included.
        login: for the answer to HELO.
        waiting: for a table on one connection; then login and search begin again.
        seated: between GO and the first hand, or the snapshot of a running one.
        playing: for the next event of a game while others are to act: more than one player's whole clock.
        echo: for what must come at once of an answer in one's own turn; measured round trips are added.
        send: for the server to read what is sent.
        pong: for the answer to a ping, of which one goes with each keep-alive.
        beat: between keep-alives.
        flood: of a server that sends faster than it may.
        first_retry, longest_retry: before the second attempt to connect, and at most; the first attempt is at once.
        give_up: without a connection; then the game is lost.
        seek: for a table, over all connections; then the search is given up.
        game: from GO to the end of the game, over all connections; then it is lost.
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
        """How long nothing may move in that state."""
        return {
            State.OFFLINE: self.login,
            State.LOGIN: self.login,
            State.WAITING: self.waiting,
            State.SEATED: self.seated,
        }.get(state, self.playing)


PATIENCE = Patience()
