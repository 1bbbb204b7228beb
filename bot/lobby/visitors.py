"""The clients of a lobby: each with its account and its place, and the waiting room for those who seek a table.

The room opens a table when enough clients want the same one and confirm it, or when time runs out.
"""

import asyncio
from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Final

import structlog

from bot.lobby.connection import Connection
from bot.lobby.door import LobbySocket
from bot.lobby.members import Member
from bot.lobby.remote import RemoteSeat
from bot.lobby.settings import Limits, LobbyConfig
from protocol.tenhou import server
from protocol.tenhou.game_type import Seek, format_seek

log = structlog.get_logger(__name__)

UNSUPPORTED: Final = server.Err("1104")
"""Sent with a CHAT that says what is not supported."""
_MOST: Final = 4
"""Number of clients at a table."""


class Place(Enum):
    """The state of a client."""

    DOOR = auto()
    LOBBY = auto()
    WAITING = auto()
    SEATED = auto()


class Visitor(Connection):
    """A client of the lobby: its connection, and where it is.

    Attributes:
        member: its account; None before the login.
        place: its state.
        seek: the table that it waits for.
        confirmed: set when it has answered REJOIN.
        seat: its seat while it plays.
        played: whether its last game is over and none has begun since.
        games: number of tables that it has joined.
    """

    def __init__(self, socket: LobbySocket, limits: Limits) -> None:
        super().__init__(socket, limits)
        self.member: Member | None = None
        self.place = Place.DOOR
        self.seek: Seek | None = None
        self.confirmed = asyncio.Event()
        self.seat: RemoteSeat | None = None
        self.played = False
        self.games = 0

    def sit(self, seat: RemoteSeat) -> None:
        """Take a seat."""
        self.place, self.seat, self.seek, self.played = Place.SEATED, seat, None, False
        self.games += 1

    def stand_up(self) -> None:
        """Leave the seat: the game is over."""
        self.place, self.seat, self.played = Place.LOBBY, None, True

    def refuse(self, reason: str) -> None:
        """Tell the client that something is not available; the connection stays open."""
        log.info("refused", reason=reason)
        self.send(server.Chat(text=reason), UNSUPPORTED)


Group = list[Visitor]


class WaitingRoom:
    """Clients grouped by the table that they want."""

    def __init__(
        self,
        config: LobbyConfig,
        spawn: Callable[[asyncio.Future[None]], None],
        seat: Callable[[Sequence[Visitor], Seek], None],
    ) -> None:
        """Open the room.

        Args:
            config: settings of the lobby.
            spawn: called with each new task, which it keeps.
            seat: called with the clients of a new table.
        """
        self._config = config
        self._spawn = spawn
        self._seat = seat
        self._groups: dict[Seek, Group] = {}

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def add(self, visitor: Visitor, seek: Seek) -> None:
        """Add a waiting client."""
        group = self._groups.setdefault(seek, [])
        group.append(visitor)
        if len(group) >= self._config.people:
            self._gather(seek)
        elif len(group) == 1:
            asyncio.get_running_loop().call_later(self._config.patience, self._out_of_patience, seek, group)

    def remove(self, visitor: Visitor) -> None:
        """Remove a client that no longer waits."""
        for seek, group in list(self._groups.items()):
            if visitor in group:
                group.remove(visitor)
                if not group:
                    del self._groups[seek]
        if visitor.place is Place.WAITING:
            visitor.place = Place.LOBBY
        visitor.seek = None

    def _out_of_patience(self, seek: Seek, group: Group) -> None:
        if group and self._groups.get(seek) is group:
            self._gather(seek)

    def _gather(self, seek: Seek) -> None:
        group = self._groups.pop(seek)
        self._spawn(asyncio.ensure_future(self._confirm(group[:_MOST], seek)))

    async def _confirm(self, group: Group, seek: Seek) -> None:
        """Send REJOIN to all. Those who answer play; the others are removed."""
        question = server.Rejoin(format_seek(seek._replace(again=True)))
        for visitor in group:
            visitor.confirmed.clear()
            visitor.send(question)
        waits = [asyncio.ensure_future(visitor.confirmed.wait()) for visitor in group]
        try:
            await asyncio.wait(waits, timeout=self._config.confirm)
        finally:
            for wait in waits:
                wait.cancel()
        there = [v for v in group if v.confirmed.is_set() and v.place is Place.WAITING and v.seek == seek]
        for visitor in group:
            if visitor not in there:
                self.remove(visitor)
        if len(there) < len(group) and len(there) < self._config.people:
            for visitor in there:
                self.add(visitor, seek)  # wait for others instead of those who did not answer
        elif there:
            self._seat(there, seek)
