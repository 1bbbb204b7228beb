"""One client from HELO to BYE: login, lobby and waiting room; messages of a game are passed to its seat."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.lobby.connection import Connection
from bot.lobby.members import REFUSED, Member
from bot.machine.text import brief
from protocol.errors import RemoteProtocolError, UnsupportedGameError
from protocol.tenhou.game_type import GameType, Seek, parse_game_type, parse_seek
from protocol.tenhou.messages import Message, client, server

if TYPE_CHECKING:
    from bot.lobby.hall import Hall
    from bot.lobby.remote import RemoteSeat

UNSUPPORTED: Final = server.Err("1104")
"""Sent with a CHAT that says what is not supported."""
FULL: Final = "every table is taken; try again later"
_PLAY: Final = (client.Gok, client.NextReady, client.Discard, client.N, client.Reach)
_NO_RANKING: Final = "0,0,0,0"
_LOBBY_COMMAND: Final = "/lobby "
_MOTTO: Final = 100
"""Maximum length of chat that is repeated."""


class Place(Enum):
    """The state of a client."""

    DOOR = auto()
    LOBBY = auto()
    WAITING = auto()
    SEATED = auto()


class Visitor:
    """A client, and what it may send in its state.

    Attributes:
        connection: its connection.
        member: its account; None before the login.
        place: its state.
        seek: the table that it waits for.
        confirmed: set when it has answered REJOIN.
        seat: its seat while it plays.
        games: number of tables that it has joined.
    """

    def __init__(self, connection: Connection, hall: Hall) -> None:
        self.connection = connection
        self.member: Member | None = None
        self.place = Place.DOOR
        self.seek: Seek | None = None
        self.confirmed = asyncio.Event()
        self.seat: RemoteSeat | None = None
        self.games = 0
        self._played = False
        self._contesting = False
        """Its name is in use; whether by a live connection is being found out."""
        self._hall = hall
        self._log = structlog.get_logger(__name__)
        self._handlers: dict[type[Message], Callable[[Any], None]] = {
            client.Helo: self._helo,
            client.Pxr: self._pxr,
            client.Chat: self._chat,
            client.Lobby: self._lobby,
            client.Cs: self._tournament,
            client.Join: self._join,
            client.Echo: self._echo,
            client.Bye: self._bye,
            client.Auth: self._nothing,
            client.Date: self._nothing,
            client.KeepAlive: self._nothing,
        }

    def hear(self, message: Message) -> None:
        """Handle one message."""
        handler = self._handlers.get(type(message))
        if handler is not None:
            handler(message)
        elif isinstance(message, _PLAY) and self._played:
            pass  # sent before the client knew that the game had ended
        elif self.seat is None or not self.seat.hear(message):
            self._misplaced(message)

    def leave(self) -> None:
        """The connection has ended."""
        self._hall.waiting.remove(self)
        seat, self.seat = self.seat, None
        if self.member is not None and self.place is not Place.DOOR:
            self._hall.tell(self.member, "goes" if seat is None else "is gone from a table that plays on")
        if seat is not None:
            self._hall.lost(seat, self.connection)
        self.place = Place.DOOR

    def sit(self, seat: RemoteSeat) -> None:
        """Take a seat."""
        self.place, self.seat, self.seek, self._played = Place.SEATED, seat, None, False
        self.games += 1

    def stand_up(self) -> None:
        """Leave the seat: the game is over."""
        self.place, self.seat, self._played = Place.LOBBY, None, True

    # -- messages of the client -------------------------------------------------------------------------------------

    def _helo(self, message: client.Helo) -> None:
        if self.place in (Place.SEATED, Place.WAITING) or self._contesting:
            self._misplaced(message)
            return
        if self.connection.line is not None:
            self.connection.line.name = message.name
        holder = self._hall.holder(self, message.name)
        if holder is None:
            self.enter(message)
        else:
            self._contesting = True
            self._hall.contest(self, message, holder)

    def enter(self, message: client.Helo) -> None:
        """Log in, or return to the seat that was left."""
        self._contesting = False
        if self._hall.take_back(self, message):
            return
        member = self._hall.members.enter(message)
        if member is None:
            self.connection.send(REFUSED)
            self.connection.close()
            return
        again = self.member is member
        self._hall.displace(member, self)
        self.member, self.place = member, Place.LOBBY
        if not again:
            self._hall.tell(member, "comes")
        self.connection.send(server.Helo(member.name) if again else member.greeting())

    def _pxr(self, message: client.Pxr) -> None:
        if self._inside(message):
            self.connection.send(self._hall.counters())

    def _chat(self, message: client.Chat) -> None:
        if not self._inside(message):
            return
        name = self.member.name if self.member else ""
        text = brief(message.text, _MOTTO)
        number = text.removeprefix(_LOBBY_COMMAND)
        if text.startswith(_LOBBY_COMMAND) and not number.isdecimal():
            self.refuse(f"no lobby is called {number}: lobbies are numbers")
            return
        self.connection.send(server.Chat(name, text))

    def _lobby(self, message: client.Lobby) -> None:
        if self._inside(message):
            self.connection.send(server.Chat(lobby=str(message.id)))

    def _tournament(self, message: client.Cs) -> None:
        if self._inside(message):
            self.refuse("there are no tournaments here: JOIN a table")

    def _join(self, message: client.Join) -> None:
        if not self._inside(message):
            return
        if message.t is None:
            if self.place is Place.WAITING:
                self._hall.waiting.remove(self)
            return
        try:
            seek = parse_seek(message.t)
            game_type = parse_game_type(seek.type)
        except UnsupportedGameError as error:
            self.refuse(f"{error}; choose a four-player type, such as 9")
            return
        except RemoteProtocolError as error:
            self._not_understood(str(error))
            return
        if seek.again:
            self._confirm(seek)
        elif self.place is Place.SEATED:
            self._misplaced(message)
        elif self._hall.is_full(self):
            self.refuse(FULL)
        else:
            self._wait(seek, game_type)

    def _wait(self, seek: Seek, game_type: GameType) -> None:
        self._hall.waiting.remove(self)
        if game_type.other:
            self.refuse(f"game type {seek.type} has bits that this lobby does not know; choose one below 256")
            return
        self.seek = seek
        self.place = Place.WAITING
        if game_type.people:
            if seek.lobby == "0":
                self.connection.send(server.Ranking(_NO_RANKING))
            self._hall.waiting.add(self, seek)
        else:
            self._hall.seat([self], seek)

    def _confirm(self, seek: Seek) -> None:
        if self.seek is not None and (seek.lobby, seek.type) == (self.seek.lobby, self.seek.type):
            self.confirmed.set()
        # otherwise the search was cancelled in the meantime

    def _echo(self, _message: client.Echo) -> None:
        self.connection.send(server.Echo())

    def _bye(self, _message: client.Bye) -> None:
        self.connection.close()

    def _nothing(self, _message: Message) -> None:
        """Ignore a message that needs no answer: keep-alives, and AUTH and DATE of the older client."""

    # -- answers to the client -------------------------------------------------------------------------------------

    def refuse(self, reason: str) -> None:
        """Tell the client that something is not available; the connection stays open."""
        self._log.info("refused", reason=reason)
        self.connection.send(server.Chat(text=reason), UNSUPPORTED)

    def _inside(self, message: Message) -> bool:
        if self.place is Place.DOOR:
            self._misplaced(message)
            return False
        return True

    def _misplaced(self, message: Message) -> None:
        self._not_understood(f"{message} while {self.place.name.lower()}")

    def _not_understood(self, what: str) -> None:
        self.connection.not_understood(what)
