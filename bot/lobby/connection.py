"""One websocket of a client: frames in as messages, messages out in order. Incoming data never raises."""

import asyncio
from collections.abc import AsyncIterator

import structlog
from websockets.exceptions import ConnectionClosed

from bot.lobby.door import LobbySocket, network
from bot.lobby.settings import Limits
from bot.machine.sockets import Bucket
from bot.machine.text import brief, plural
from protocol.errors import RemoteProtocolError
from protocol.tenhou.codec import format_message, parse_frame
from protocol.tenhou.schema import Message, Sender

POLICY_VIOLATION = 1008
GOING_AWAY = 1001
LOGGED_IN_ELSEWHERE = 4001
"""The client logged in on another connection, which replaces this one."""


class Connection:
    """A client's connection.

    Attributes:
        address: where it comes from, as :func:`~bot.lobby.door.network` counts addresses.
        nonsense: number of messages that meant nothing.
        dropped: why the client was dropped; empty if it was not.
    """

    def __init__(self, socket: LobbySocket, limits: Limits) -> None:
        self._socket = socket
        self._limits = limits
        self.address = network(socket.remote_address)
        self._log = structlog.get_logger(__name__).bind(peer=str(socket.remote_address))
        self._out: asyncio.Queue[str | None] = asyncio.Queue()
        self._rate = Bucket(limits.rate, float(limits.burst))
        self._code = POLICY_VIOLATION
        self.nonsense = 0
        self.dropped = ""

    async def __aiter__(self) -> AsyncIterator[Message]:
        """The client's messages until it leaves or is dropped."""
        try:
            async for frame in self._socket:
                if self._rate.take(1.0):
                    self.drop("floods")
                if self.dropped:
                    continue  # keep reading, to receive the reply to our close frame
                for number, message in enumerate(self._read(frame)):
                    if number and self._rate.take(1.0):  # a frame of tags may contain many messages
                        self.drop("floods")
                    if not self.dropped:
                        yield message
        except ConnectionClosed:
            return

    def send(self, *messages: Message) -> None:
        """Queue messages, which are sent in this order. Never waits: a client that does not read is dropped."""
        if self.dropped:
            return
        for message in messages:
            self._out.put_nowait(format_message(message))
        if self._out.qsize() > self._limits.unsent:
            self.drop("does not read")

    def drop(self, reason: str, code: int = POLICY_VIOLATION) -> None:
        """Close the connection without sending anything further."""
        if not self.dropped:
            self.dropped, self._code = reason, code
            self._log.warning("client dropped", reason=reason)
            self._out.put_nowait(None)
            if code == POLICY_VIOLATION:
                self._socket.punish()

    async def is_alive(self, seconds: float) -> bool:
        """Whether the client's side answers a ping within ``seconds``."""
        try:
            async with asyncio.timeout(seconds):
                await (await self._socket.ping())
        except (TimeoutError, ConnectionClosed):
            return False
        return True

    def close(self) -> None:
        """Close after everything that is queued has been sent."""
        self._out.put_nowait(None)

    def not_understood(self, what: str) -> None:
        """Count a message that means nothing; after too many, the client is dropped."""
        self.nonsense += 1
        self._log.info("message not understood", what=brief(what), count=self.nonsense)
        if self.nonsense > self._limits.nonsense:
            self.drop("talks nonsense")

    async def write(self) -> None:
        """Send what is queued until the connection is closed; runs concurrently with reading."""
        try:
            while (text := await self._out.get()) is not None:
                await self._socket.send(text)
        except ConnectionClosed:
            return
        if self.dropped:
            await self._socket.close(self._code, self.dropped)
        else:
            await self._socket.close()

    def _read(self, frame: str | bytes) -> tuple[Message, ...]:
        if isinstance(frame, bytes):
            self.not_understood(f"a binary frame of {plural(len(frame), 'byte')}")
            return ()
        try:
            return parse_frame(frame, Sender.CLIENT)
        except RemoteProtocolError as error:
            self.not_understood(str(error))
            return ()

    def wanted(self) -> None:
        """Do not count the last message against the rate, because it was asked for."""
        self._rate.credit += 1.0
