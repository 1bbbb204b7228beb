"""The websocket server."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Final, cast

import structlog
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Origin

from bot.lobby.connection import GOING_AWAY, Connection
from bot.lobby.dialogue import Dialogue
from bot.lobby.door import Door, LobbySocket
from bot.lobby.faults import Faults
from bot.lobby.hall import Hall
from bot.lobby.settings import LobbyConfig
from bot.lobby.table import TableResult
from bot.lobby.visitors import Place, Visitor
from bot.machine.sockets import LOG

log = structlog.get_logger(__name__)

CLOSING: Final = 1.0
"""Seconds for a client to reply to a close frame."""


class LobbyServer:
    """A lobby. ``async with LobbyServer(config).serve() as lobby: … lobby.url``.

    Attributes:
        config: as given.
        port: the port on which it listens.
        faults: the injected faults; None if there are none.
    """

    def __init__(self, config: LobbyConfig | None = None) -> None:
        self.config = config or LobbyConfig()
        self.port = self.config.port
        self.faults = Faults(self.config.faults) if self.config.faults is not None else None

        class Socket(LobbySocket):
            door = Door(self.config)

        self._socket = Socket
        self._hall = Hall(self.config, self.faults)

    @property
    def url(self) -> str:
        """The address for clients."""
        host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
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
            self.config.host,
            self.config.port,
            compression=None,
            close_timeout=CLOSING,
            max_size=4 * self.config.limits.frame,
            server_header=None,
            logger=LOG,
            origins=[None, *map(Origin, self.config.origins)],
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
        connection = Connection(
            cast("LobbySocket", socket), self.config.limits, self.faults.line() if self.faults else None
        )
        visitor = Visitor(connection)
        dialogue = Dialogue(visitor, self._hall)
        self._hall.visitors.add(visitor)
        watching = asyncio.ensure_future(self._watch(visitor))
        writing = asyncio.ensure_future(connection.write())
        try:
            async for message in connection:
                dialogue.hear(message)
        finally:
            watching.cancel()
            self._hall.visitors.discard(visitor)
            self._hall.leave(visitor)
            connection.close()
            await writing

    async def _watch(self, visitor: Visitor) -> None:
        """Drop a client that does not log in, or that stays too long without a table."""
        await asyncio.sleep(self.config.login)
        if visitor.place is Place.DOOR:
            visitor.connection.drop("does not log in")
        while True:
            games = visitor.games
            await asyncio.sleep(self.config.idle)
            if visitor.games == games and visitor.place is Place.LOBBY:
                visitor.connection.drop("seeks no table", GOING_AWAY)
