"""The websocket server, and what a client says from HELO to BYE; messages of a game are passed to its seat."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, cast

import structlog
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Origin

from bot.lobby.connection import GOING_AWAY
from bot.lobby.door import Door, LobbySocket
from bot.lobby.hall import FULL, Hall
from bot.lobby.members import REFUSED
from bot.lobby.settings import LobbyConfig
from bot.lobby.table import TableResult
from bot.lobby.visitors import Place, Visitor
from bot.machine.sockets import LOG
from bot.machine.text import brief
from protocol.errors import RemoteProtocolError, UnsupportedGameError
from protocol.tenhou import client, server
from protocol.tenhou.game_type import GameType, Seek, parse_game_type, parse_seek
from protocol.tenhou.schema import Message

_PLAY: Final = (client.Gok, client.NextReady, client.Discard, client.N, client.Reach)
_NO_RANKING: Final = "0,0,0,0"
_LOBBY_COMMAND: Final = "/lobby "
_MOTTO: Final = 100
"""Maximum length of chat that is repeated."""


class Dialogue:
    """The dialogue with one client: each of its messages, and the lobby's response."""

    def __init__(self, visitor: Visitor, hall: Hall) -> None:
        """Listen to a client.

        Args:
            visitor: the client.
            hall: where it is.
        """
        self._visitor = visitor
        self._hall = hall
        self._contesting = False
        """The client's name is in use; whether by a live connection is being found out."""
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
        elif isinstance(message, _PLAY) and self._visitor.played:
            pass  # sent before the client knew that the game had ended
        elif self._visitor.seat is None or not self._visitor.seat.hear(message):
            self._misplaced(message)

    # -- messages of the client -------------------------------------------------------------------------------------

    def _helo(self, message: client.Helo) -> None:
        if self._visitor.place in (Place.SEATED, Place.WAITING) or self._contesting:
            self._misplaced(message)
            return
        holder = self._hall.holder(self._visitor, message.name)
        if holder is None:
            self.enter(message)
        else:
            self._contesting = True
            self._hall.contest(self._visitor, message, holder, self.enter)

    def enter(self, message: client.Helo) -> None:
        """Log in, or return to the seat that was left."""
        self._contesting = False
        if self._hall.take_back(self._visitor, message):
            return
        member = self._hall.members.enter(message)
        if member is None:
            self._visitor.send(REFUSED)
            self._visitor.close()
            return
        again = self._visitor.member is member
        self._hall.displace(member, self._visitor)
        self._visitor.member, self._visitor.place = member, Place.LOBBY
        if not again:
            self._hall.tell(member, "comes")
        self._visitor.send(server.Helo(member.name) if again else member.greeting())

    def _pxr(self, message: client.Pxr) -> None:
        if self._inside(message):
            self._visitor.send(self._hall.counters())

    def _chat(self, message: client.Chat) -> None:
        if not self._inside(message):
            return
        name = self._visitor.member.name if self._visitor.member else ""
        text = brief(message.text, _MOTTO)
        number = text.removeprefix(_LOBBY_COMMAND)
        if text.startswith(_LOBBY_COMMAND) and not number.isdecimal():
            self._visitor.refuse(f"no lobby is called {number}: lobbies are numbers")
            return
        self._visitor.send(server.Chat(name, text))

    def _lobby(self, message: client.Lobby) -> None:
        if self._inside(message):
            self._visitor.send(server.Chat(lobby=str(message.id)))

    def _tournament(self, message: client.Cs) -> None:
        if self._inside(message):
            self._visitor.refuse("there are no tournaments here: JOIN a table")

    def _join(self, message: client.Join) -> None:
        if not self._inside(message):
            return
        if message.t is None:
            if self._visitor.place is Place.WAITING:
                self._hall.waiting.remove(self._visitor)
            return
        try:
            seek = parse_seek(message.t)
            game_type = parse_game_type(seek.type)
        except UnsupportedGameError as error:
            self._visitor.refuse(f"{error}; choose a four-player type, such as 9")
            return
        except RemoteProtocolError as error:
            self._visitor.not_understood(str(error))
            return
        if seek.again:
            self._confirm(seek)
        elif self._visitor.place is Place.SEATED:
            self._misplaced(message)
        elif self._hall.is_full(self._visitor):
            self._visitor.refuse(FULL)
        else:
            self._wait(seek, game_type)

    def _wait(self, seek: Seek, game_type: GameType) -> None:
        self._hall.waiting.remove(self._visitor)
        if game_type.other:
            self._visitor.refuse(f"game type {seek.type} has bits that this lobby does not know; choose one below 256")
            return
        self._visitor.seek = seek
        self._visitor.place = Place.WAITING
        if game_type.people:
            if seek.lobby == "0":
                self._visitor.send(server.Ranking(_NO_RANKING))
            self._hall.waiting.add(self._visitor, seek)
        else:
            self._hall.seat([self._visitor], seek)

    def _confirm(self, seek: Seek) -> None:
        if self._visitor.seek is not None and (seek.lobby, seek.type) == (
            self._visitor.seek.lobby,
            self._visitor.seek.type,
        ):
            self._visitor.confirmed.set()
        # otherwise the search was cancelled in the meantime

    def _echo(self, _message: client.Echo) -> None:
        self._visitor.send(server.Echo())

    def _bye(self, _message: client.Bye) -> None:
        self._visitor.close()

    def _nothing(self, _message: Message) -> None:
        """Ignore a message that needs no answer: keep-alives, and AUTH and DATE of the older client."""

    # -- answers to the client -------------------------------------------------------------------------------------

    def _inside(self, message: Message) -> bool:
        """Whether the client has logged in; a message that comes before that counts as misplaced."""
        if self._visitor.place is Place.DOOR:
            self._misplaced(message)
            return False
        return True

    def _misplaced(self, message: Message) -> None:
        self._visitor.not_understood(f"{message} while {self._visitor.place.name.lower()}")


log = structlog.get_logger(__name__)

CLOSING: Final = 1.0
"""Seconds for a client to reply to a close frame."""


class LobbyServer:
    """A lobby. ``async with LobbyServer(config).serve() as lobby: … lobby.url``.

    Attributes:
        config: as given.
        port: the port on which it listens.
    """

    def __init__(self, config: LobbyConfig | None = None) -> None:
        self.config = config or LobbyConfig()
        self.port = self.config.settings.port

        class Socket(LobbySocket):
            door = Door(self.config.settings)

        self._socket = Socket
        self._hall = Hall(self.config)

    @property
    def url(self) -> str:
        """The address for clients."""
        name = self.config.settings.host
        host = f"[{name}]" if ":" in name else name
        return f"ws://{host}:{self.port}/"

    @property
    def results(self) -> Sequence[TableResult]:
        """The last finished games (``config.keep`` of them), oldest first."""
        return self._hall.results

    async def ended(self, games: int = 1) -> TableResult:
        """The result of the ``games``-th game since the lobby opened, once it has ended.

        Raises:
            IndexError: it ended so long ago that it is no longer kept.
        """
        return await self._hall.ended(games)

    @asynccontextmanager
    async def serve(self) -> "AsyncIterator[LobbyServer]":
        """Listen until the block ends; running tables are then stopped.

        Raises:
            OSError: the address cannot be used.
        """
        async with serve(
            self._welcome,
            self.config.settings.host,
            self.config.settings.port,
            compression=None,
            close_timeout=CLOSING,
            max_size=4 * self.config.limits.frame,
            server_header=None,
            logger=LOG,
            origins=[None, *map(Origin, self.config.settings.origins)],
            create_connection=self._socket,
        ) as server:
            self.port = next(iter(server.sockets)).getsockname()[1]
            log.info("lobby opens", url=self.url, seed=self.config.seed)
            try:
                yield self
            finally:
                await self._hall.close()
        log.info("lobby closes", games=len(self.results))

    async def _welcome(self, socket: ServerConnection) -> None:
        """Serve one client until it leaves."""
        visitor = Visitor(cast("LobbySocket", socket), self.config.limits)
        dialogue = Dialogue(visitor, self._hall)
        self._hall.visitors.add(visitor)
        watching = asyncio.ensure_future(self._watch(visitor))
        writing = asyncio.ensure_future(visitor.write())
        try:
            async for message in visitor:
                dialogue.hear(message)
        finally:
            watching.cancel()
            self._hall.visitors.discard(visitor)
            self._hall.leave(visitor)
            visitor.close()
            await writing

    async def _watch(self, visitor: Visitor) -> None:
        """Drop a client that does not log in, or that stays too long without a table."""
        await asyncio.sleep(self.config.settings.login)
        if visitor.place is Place.DOOR:
            visitor.drop("does not log in")
        while True:
            games = visitor.games
            await asyncio.sleep(self.config.settings.idle)
            if visitor.games == games and visitor.place is Place.LOBBY:
                visitor.drop("seeks no table", GOING_AWAY)
