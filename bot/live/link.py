"""One connection: frames in as they come, frames out, keep-alives and pings; it ends in one of :data:`LOST`."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from bot.live.clock import RoundTrips
from bot.live.losses import LOST, SilentError
from bot.live.patience import Patience

ORIGIN: Final = Origin("https://tenhou.net")
LARGEST: Final = 1 << 20
"""Bytes of a frame; a larger one ends the connection."""
CLOSING: Final = 2.0
"""Seconds for the other side to agree that a connection is over."""
GRACE: Final = 0.05
"""Seconds to look once more before silence is called that: a stall of our own is no silence of theirs."""

_silent = logging.getLogger("oshihiki.websockets")
_silent.setLevel(logging.WARNING)
"""The library would write frames, keys and all, into a debug log."""


class Arrived(NamedTuple):
    """A frame, and when it came (monotonic seconds)."""

    frame: str
    at: float


class Link:
    """An open connection. Reading runs in the background: a frame's arrival is timed however busy its reader is.

    Attributes:
        heard_at: when the last frame came (monotonic seconds).
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._frames: asyncio.Queue[Arrived | Exception] = asyncio.Queue()
        self.heard_at = time.monotonic()

    async def receive(self) -> Arrived:
        """The next frame; raises one of :data:`LOST` once everything that came before the end was read."""
        item = await self._frames.get()
        if isinstance(item, Exception):
            self._frames.put_nowait(item)
            raise item
        return item

    async def send(self, frame: str) -> None:
        """Send. Where the connection has ended nothing is raised: what came before the end is still to be read."""
        with suppress(ConnectionClosed):
            await self._socket.send(frame)

    async def read(self) -> None:
        """Put what comes into the queue; bytes as text, which will be told as malformed."""
        try:
            while True:
                frame = await self._socket.recv()
                text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
                self.heard_at = time.monotonic()
                self._frames.put_nowait(Arrived(text, self.heard_at))
        except LOST as error:
            self._frames.put_nowait(error)

    async def beat(self, keep_alive: Callable[[], list[str]], trips: RoundTrips, patience: Patience) -> None:
        """Keep the connection alive, measure it, and end it where nothing comes back.

        A server that has never answered a ping may be one that does not; its silence is left to others to judge.
        """
        with suppress(ConnectionClosed):
            while True:
                started = time.monotonic()
                pong = asyncio.ensure_future(await self._socket.ping())
                await asyncio.wait((pong,), timeout=patience.pong)
                if not pong.done():
                    await asyncio.sleep(GRACE)
                if pong.done():
                    trips.add(await pong)
                elif trips.count and self.heard_at < started:
                    self._frames.put_nowait(SilentError(f"nothing comes, not even a pong, for {patience.pong:g} s"))
                    return
                await asyncio.sleep(max(patience.beat - (time.monotonic() - started), 0.0))
                for frame in keep_alive():
                    await self._socket.send(frame)

    def abort(self) -> None:
        """End the connection without a word."""
        self._socket.transport.abort()


@asynccontextmanager
async def open_link(
    url: str, keep_alive: Callable[[], list[str]], trips: RoundTrips, patience: Patience
) -> AsyncIterator[Link]:
    """Connect, and close at the end: politely after a finished block, at once after one that raised.

    Args:
        url: websocket address.
        keep_alive: the frames to say every ``patience.beat`` seconds.
        trips: round trips are added to it.
        patience: how long to wait for what.

    Raises:
        OSError, TimeoutError, WebSocketException: no connection (see :func:`bot.live.losses.retryable`).
    """
    async with connect(
        url,
        origin=ORIGIN,
        open_timeout=patience.open,
        ping_interval=None,
        close_timeout=CLOSING,
        max_size=LARGEST,
        logger=_silent,
    ) as socket:
        link = Link(socket)
        tasks = [asyncio.create_task(link.read()), asyncio.create_task(link.beat(keep_alive, trips, patience))]
        try:
            yield link
        except BaseException:
            link.abort()
            raise
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
