"""A websocket proxy between clients and a lobby, which injects faults into what passes through."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from protocol.errors import RemoteProtocolError
from protocol.tenhou import client as messages
from protocol.tenhou.codec import parse_frame
from protocol.tenhou.schema import Sender
from tests.faults.plan import Break, FaultKind, FaultPlan, Faults, Line, Wait

HOST: Final = "127.0.0.1"
CLOSING: Final = 1.0
"""Seconds for either side to reply to a close frame."""
GONE: Final = 20.0
"""Seconds after which a half-open connection is broken for good; whoever waits for it has given it up by then."""
CODES: Final = range(3000, 5000)
"""Codes of closing that mean something to a client, besides a policy violation."""


class FaultProxy:
    """Passes frames on between clients and the lobby at an address, and injects the faults of a plan.

    Attributes:
        url: the address for clients.
    """

    def __init__(self, lobby: str, plan: FaultPlan) -> None:
        self.url = ""
        self._lobby = lobby
        self._faults = Faults(plan)

    @property
    def injected(self) -> Counter[FaultKind]:
        """Number of faults by kind."""
        return self._faults.injected

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[FaultProxy]:
        """Listen until the block ends."""
        async with serve(
            self._join, HOST, 0, compression=None, ping_interval=None, close_timeout=CLOSING, server_header=None
        ) as server:
            self.url = f"ws://{HOST}:{next(iter(server.sockets)).getsockname()[1]}/"
            yield self

    async def _join(self, client: ServerConnection) -> None:
        """Connect a client to the lobby until either side leaves or a fault cuts it off."""
        line = self._faults.line()
        options = {"compression": None, "ping_interval": None, "close_timeout": CLOSING, "proxy": None}
        async with connect(self._lobby, **options) as lobby:
            ways = [asyncio.ensure_future(_to_lobby(line, client, lobby))]
            ways.append(asyncio.ensure_future(_to_client(line, client, lobby)))
            try:
                ended, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
            for way in ended:
                way.result()  # raises what went wrong here
        if lobby.close_code == 1008 or lobby.close_code in CODES:
            await client.close(lobby.close_code, lobby.close_reason or "")


async def _to_lobby(line: Line, client: ServerConnection, lobby: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for frame in client:
            text = frame if isinstance(frame, str) else ""
            line.name = _login(text) or line.name
            late = line.incoming(text)
            if late is not None:
                await asyncio.sleep(late)
                await lobby.send(frame)


async def _to_client(line: Line, client: ServerConnection, lobby: ClientConnection) -> None:
    with suppress(ConnectionClosed):
        async for frame in lobby:
            for step in line.outgoing(str(frame)):
                if isinstance(step, Wait):
                    await asyncio.sleep(step.seconds)
                elif not isinstance(step, Break):
                    await client.send(step.text)
                else:
                    if step.half:
                        client.transport.pause_reading()
                        lobby.transport.pause_reading()
                        await asyncio.sleep(GONE)
                    client.transport.abort()
                    lobby.transport.abort()


def _login(text: str) -> str:
    """The name with which a frame logs in; empty if it does not."""
    if "HELO" not in text:
        return ""
    with suppress(RemoteProtocolError):
        for message in parse_frame(text, Sender.CLIENT):
            if isinstance(message, messages.Helo):
                return message.name
    return ""
