"""One connection: frames in as they come, frames out, keep-alives and pings; it ends in one of :data:`LOST`."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NamedTuple, cast

from websockets.exceptions import ConnectionClosed

from bot.live.clock import RoundTrips
from bot.live.dial import FLOW, ClientSocket, dial
from bot.live.gate import Route
from bot.live.losses import LOST, FloodError, SilentError
from bot.live.patience import Patience
from bot.sockets import Bucket, Flow, cost

UNREAD: Final = 64
"""Frames that may wait to be heard; while there are so many the server is not read from."""
GRACE: Final = 0.05
"""Seconds to look once more before silence is called that: a stall of our own is no silence of theirs."""


class Arrived(NamedTuple):
    """A frame, and when it came (monotonic seconds)."""

    frame: str
    at: float


class Link:
    """An open connection. Reading runs in the background: a frame's arrival is timed however busy its reader is.

    Attributes:
        heard_at: when the last frame came (monotonic seconds).
    """

    def __init__(self, socket: ClientSocket, patience: Patience) -> None:
        self._socket = socket
        self._patience = patience
        self._frames: asyncio.Queue[Arrived | Exception] = asyncio.Queue(UNREAD)
        self.heard_at = time.monotonic()

    @property
    def unread(self) -> bool:
        """Frames have come that nobody has taken yet."""
        return not self._frames.empty()

    async def receive(self) -> Arrived:
        """The next frame; raises one of :data:`LOST` once everything that came before the end was read."""
        item = await self._frames.get()
        if isinstance(item, Exception):
            self._frames.put_nowait(item)
            raise item
        return item

    async def send(self, frame: str) -> None:
        """Send. Where the connection has ended nothing is raised: what came before the end is still to be read.

        Raises:
            SilentError: the server does not take in what is sent.
        """
        try:
            async with asyncio.timeout(self._patience.send):
                with suppress(ConnectionClosed):
                    await self._socket.send(frame)
        except TimeoutError:
            raise _unread(self._patience.send) from None

    async def read(self, flow: Flow) -> None:
        """Queue what comes, as text; bytes become text that is malformed.

        A server that sends faster than ``flow`` allows is read from more slowly, and left if it does not stop.
        """
        bucket = Bucket(flow.rate, flow.burst)
        too_fast_since = None
        try:
            while True:
                frame = await self._socket.recv()
                text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
                self.heard_at = time.monotonic()
                await self._frames.put(Arrived(text, self.heard_at))
                wait = bucket.take(cost(text))
                if not wait:
                    too_fast_since = None if bucket.credit > flow.burst / 2 else too_fast_since
                    continue
                too_fast_since = too_fast_since or self.heard_at
                if self.heard_at - too_fast_since > self._patience.flood:
                    raise FloodError(_flooded(flow, self._patience.flood))
                await asyncio.sleep(wait)
        except LOST as error:
            await self._frames.put(FloodError(f"the server {self._socket.ended}") if self._socket.ended else error)

    async def beat(self, keep_alive: Callable[[], list[str]], trips: RoundTrips) -> None:
        """Keep the connection alive, measure it, and end it where nothing comes back.

        A server that has never answered a ping may be one that does not; its silence is left to others to judge.
        """
        patience = self._patience
        try:
            while True:
                started = time.monotonic()
                async with asyncio.timeout(patience.send):
                    pong = asyncio.ensure_future(await self._socket.ping())
                await asyncio.wait((pong,), timeout=patience.pong)
                if not pong.done():
                    await asyncio.sleep(GRACE)
                if pong.done():
                    trips.add(await pong)
                elif trips.count and self.heard_at < started:
                    await self._frames.put(SilentError(f"nothing comes, not even a pong, for {patience.pong:g} s"))
                    return
                await asyncio.sleep(max(patience.beat - (time.monotonic() - started), 0.0))
                for frame in keep_alive():
                    await self.send(frame)
        except ConnectionClosed:
            return
        except TimeoutError:
            await self._frames.put(_unread(patience.send))
        except SilentError as error:
            await self._frames.put(error)

    def abort(self) -> None:
        """End the connection without a word."""
        self._socket.transport.abort()


@asynccontextmanager
async def open_link(
    route: Route,
    keep_alive: Callable[[], list[str]],
    trips: RoundTrips,
    patience: Patience,
    flow: Flow = FLOW,
    stop: asyncio.Event | None = None,
) -> AsyncIterator[Link]:
    """Connect, and close at the end: politely after a finished block, at once after one that raised.

    Args:
        route: to the server, from :func:`bot.live.gate.route`.
        keep_alive: the frames to say every ``patience.beat`` seconds.
        trips: round trips are added to it.
        patience: how long to wait for what.
        flow: how much the server may send.
        stop: once set, no connection is opened.

    Raises:
        OSError, TimeoutError, WebSocketException: no connection (see :func:`bot.live.losses.retryable`).
    """
    async with await _unless(stop or asyncio.Event(), dial(route, patience.open, flow)) as socket:
        link = Link(socket, patience)
        tasks = [asyncio.create_task(link.read(flow)), asyncio.create_task(link.beat(keep_alive, trips))]
        try:
            yield link
        except BaseException:
            link.abort()
            raise
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


async def _unless(stop: asyncio.Event, opening: Coroutine[Any, Any, ClientSocket]) -> ClientSocket:
    """The socket that is being opened, or an OSError once ``stop`` is set."""
    tasks = [asyncio.create_task(opening), asyncio.create_task(stop.wait())]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if not tasks[0].done():
            raise ConnectionAbortedError("stopped")
        return cast("ClientSocket", tasks[0].result())
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _unread(seconds: float) -> SilentError:
    return SilentError(f"the server has read nothing of what was sent for {seconds:g} s")


def _flooded(flow: Flow, seconds: float) -> str:
    return f"the server has sent more than {flow.rate / 1000:g} kB a second for {seconds:g} s"
