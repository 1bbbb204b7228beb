"""One connection: incoming and outgoing frames, keep-alives and pings. It ends with one of :data:`LOST`."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from itertools import count
from typing import Any, Final, NamedTuple, cast

from websockets.exceptions import ConnectionClosed

from bot.machine.gate import Route
from bot.machine.sockets import Bucket, Flow, cost
from bot.play.clock import RoundTrips
from bot.play.dial import FLOW, ClientSocket, dial
from bot.play.losses import LOST, FloodError, SilentError
from bot.play.patience import Patience

UNREAD: Final = 64
"""Maximum number of queued frames; while the queue is full, nothing is read from the server."""
GRACE: Final = 0.05
"""Seconds to check once more before the server is considered silent: the delay may have been our own."""


class Arrived(NamedTuple):
    """A frame and the time of its arrival (monotonic seconds)."""

    frame: str
    at: float


Item = Arrived | Exception | asyncio.Task[Any]


class Inbox:
    """Everything that the consumer of a connection waits for, in one queue: frames and their end, then its tasks.

    At most :data:`UNREAD` frames are queued.
    """

    def __init__(self) -> None:
        self._items: asyncio.PriorityQueue[tuple[bool, int, Item]] = asyncio.PriorityQueue()
        self._numbers = count()
        self._room = asyncio.Semaphore(UNREAD)

    def __len__(self) -> int:
        return self._items.qsize()

    async def put(self, item: Arrived | Exception) -> None:
        """Queue a frame, or the error with which the connection ends, once there is room."""
        await self._room.acquire()
        self._items.put_nowait((False, next(self._numbers), item))

    def expect(self, task: asyncio.Task[Any]) -> None:
        """Queue a task of the consumer once it is done, or was cancelled."""
        task.add_done_callback(lambda done: self._items.put_nowait((True, next(self._numbers), done)))

    async def get(self, seconds: float | None = None) -> Arrived | asyncio.Task[Any] | None:
        """The next item; None if none comes in time. An item that is there is returned even if no time is left.

        Raises one of :data:`LOST` after the last frame before the end of the connection.
        """
        await asyncio.sleep(0)  # a flood of frames leaves the other tasks their turn
        try:
            async with asyncio.timeout(seconds):
                own, _, item = await self._items.get()
        except TimeoutError:
            return None
        if not own:
            self._room.release()
        if isinstance(item, Exception):
            raise item
        return item


class Link:
    """An open connection. It reads in the background, so that arrival times are right even if the consumer is busy.

    Attributes:
        heard_at: time at which the last frame arrived (monotonic seconds).
        inbox: what has arrived.
    """

    def __init__(self, socket: ClientSocket, patience: Patience) -> None:
        self._socket = socket
        self._patience = patience
        self.inbox = Inbox()
        self.heard_at = time.monotonic()

    async def send(self, frame: str) -> None:
        """Send a frame. If the connection has ended, nothing is raised: earlier frames are still to be read.

        Raises:
            SilentError: the server does not read what is sent.
        """
        try:
            async with asyncio.timeout(self._patience.send):
                with suppress(ConnectionClosed):
                    await self._socket.send(frame)
        except TimeoutError:
            raise _unread(self._patience.send) from None

    async def read(self, flow: Flow) -> None:
        """Queue incoming frames as text; bytes become malformed text.

        A server that sends faster than ``flow`` allows is read more slowly. If it does not stop, the connection ends.
        """
        bucket = Bucket(flow.rate, flow.burst)
        too_fast_since = None
        try:
            while True:
                frame = await self._socket.recv()
                text = frame if isinstance(frame, str) else frame.decode("utf-8", "replace")
                self.heard_at = time.monotonic()
                await self.inbox.put(Arrived(text, self.heard_at))
                wait = bucket.take(cost(text))
                if not wait:
                    too_fast_since = None if bucket.credit > flow.burst / 2 else too_fast_since
                    continue
                too_fast_since = too_fast_since or self.heard_at
                if self.heard_at - too_fast_since > self._patience.flood:
                    raise FloodError(
                        f"the server has sent more than {flow.rate / 1000:g} kB a second for {self._patience.flood:g} s"
                    )
                await asyncio.sleep(wait)
        except LOST as error:
            await self.inbox.put(FloodError(f"the server {self._socket.ended}") if self._socket.ended else error)

    async def beat(self, keep_alive: Callable[[], list[str]], trips: RoundTrips) -> None:
        """Send keep-alives and pings, measure round trips, and end the connection if no reply comes.

        A server that has never answered a ping may not support them; other limits apply to its silence.
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
                    await self.inbox.put(SilentError(f"nothing received, not even a pong, for {patience.pong:g} s"))
                    return
                await asyncio.sleep(max(patience.beat - (time.monotonic() - started), 0.0))
                for frame in keep_alive():
                    await self.send(frame)
        except ConnectionClosed:
            return
        except TimeoutError:
            await self.inbox.put(_unread(patience.send))
        except SilentError as error:
            await self.inbox.put(error)

    def abort(self) -> None:
        """End the connection without a closing handshake."""
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
    """Connect, and close at the end: with a closing handshake, or at once if the block raised.

    Args:
        route: to the server, from :func:`bot.machine.gate.route`.
        keep_alive: the frames to send every ``patience.beat`` seconds.
        trips: measured round trips are added to it.
        patience: time limits.
        flow: how much the server may send.
        stop: once set, no connection is opened.

    Raises:
        OSError, TimeoutError, WebSocketException: no connection (see :func:`bot.play.losses.retryable`).
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
    return SilentError(f"the server has not read what was sent for {seconds:g} s")
