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
from tests.faults.plan import FaultKind, FaultPlan, Faults

HOST: Final = "127.0.0.1"
CLOSING: Final = 1.0
"""Seconds for either side to reply to a close frame."""
GONE: Final = 20.0
"""Seconds after which a half-open connection is broken for good; whoever waits for it has given it up by then."""
CODES: Final = range(3000, 5000)
"""Codes of closing that mean something to a client, besides a policy violation."""
_BROKEN: Final = ('{"tag":"T5', '{"tag":}', '{"tag":"AGARI","ba":"0,0","hai":"1,2', '{"hai"', '["tag","D5"]', "{}}")
_NEW: Final = ('{"tag":"XYZZY","a":"1"}', '{"tag":"NEWS","text":"%41"}', '{"tag":"t5x","who":"2"}')


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
        options = {"compression": None, "ping_interval": None, "close_timeout": CLOSING, "proxy": None}
        async with connect(self._lobby, **options) as lobby:
            line = _Line(self._faults, client, lobby)
            ways = [asyncio.ensure_future(line.to_lobby()), asyncio.ensure_future(line.to_client())]
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


class _Line:
    """One client's connection to the lobby, with its faults."""

    def __init__(self, faults: Faults, client: ServerConnection, lobby: ClientConnection) -> None:
        self._faults = faults
        self._client = client
        self._lobby = lobby
        self._name = ""
        """Name of the client, once it has logged in."""
        self._dead = False
        """Whether the connection is half-open: nothing passes any more."""

    async def to_lobby(self) -> None:
        """Pass on what the client says, late or not at all where the plan says so."""
        with suppress(ConnectionClosed):
            async for frame in self._client:
                self._name = _login(frame if isinstance(frame, str) else "") or self._name
                rules = self._faults.strikes(self._name, outgoing=False)
                if self._dead or FaultKind.FORGET in rules:
                    continue
                if slow := rules.get(FaultKind.SLOW_READER):
                    await asyncio.sleep(slow.seconds)
                await self._lobby.send(frame)

    async def to_client(self) -> None:
        """Pass on what the lobby says, with the faults of the plan, until one of them breaks the connection."""
        with suppress(ConnectionClosed):
            async for frame in self._lobby:
                if await self._breaks_at(str(frame)):
                    self._client.transport.abort()
                    self._lobby.transport.abort()
                    return

    async def _breaks_at(self, text: str) -> bool:
        """Send a text of the lobby with the faults that strike it; returns whether the connection breaks."""
        rng, say = self._faults.rng, self._client.send
        rules = self._faults.strikes(self._name, outgoing=True)
        if delay := rules.get(FaultKind.DELAY):
            await asyncio.sleep(delay.seconds)
        if jitter := rules.get(FaultKind.JITTER):
            await asyncio.sleep(rng.uniform(0.0, jitter.seconds))
        drop = rules.get(FaultKind.DROP)
        if drop is not None and drop.lost:
            return True
        if FaultKind.HALF_OPEN in rules:
            self._dead = True
            self._client.transport.pause_reading()
            self._lobby.transport.pause_reading()
            await asyncio.sleep(GONE)
            return True
        if FaultKind.MALFORMED in rules:
            await say(rng.choice(_BROKEN))
        if FaultKind.UNKNOWN in rules:
            await say(rng.choice(_NEW))
        await say(text[: rng.randrange(1, len(text))] if FaultKind.TRUNCATE in rules else text)
        if FaultKind.DUPLICATE in rules:
            await say(text)
        return drop is not None


def _login(text: str) -> str:
    """The name with which a frame logs in; empty if it does not."""
    if "HELO" not in text:
        return ""
    with suppress(RemoteProtocolError):
        for message in parse_frame(text, Sender.CLIENT):
            if isinstance(message, messages.Helo):
                return message.name
    return ""
