"""One server for every page: behind its door stand places, each with pages and a conversation with every browser.

A place has a path of its own behind that of the pages. What a browser sends is bounded before it is read, and a browser
that does not read is left behind and, in the end, dropped: nobody waits for it.
"""

import asyncio
import json
import socket
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any, ClassVar, Final

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from bot.machine.sockets import LOG, Bounded, Flow
from bot.page.history import History, as_message
from bot.page.loopback import Asked, Door, foreign, response
from bot.page.template import in_colours
from bot.wording.languages import Lang

LONGEST: Final = 1 << 17
"""Bytes of the longest message that any place hears."""
BATCH: Final = 200
"""Number of messages sent at once."""
PAUSE: Final = 0.03
"""Seconds between two batches, so that many events in a row become one message."""
UNREAD: Final = 20.0
"""Seconds after which a browser that does not read is dropped."""


class Place(ABC):
    """A path behind the door."""

    flow: ClassVar[Flow] = Flow(rate=16e3, burst=64e3, unsent=1 << 20)
    """Bounds of what a browser sends, and of what it leaves unread."""
    most: ClassVar[int] = 16
    """Maximum number of browsers at once."""
    longest: ClassVar[int] = 4_096
    """Bytes of the longest message of a browser; at most :data:`LONGEST`."""

    def __init__(self) -> None:
        """Prepare."""
        self.tasks: set[asyncio.Task[None]] = set()  # what is being done

    @abstractmethod
    def page(self, asked: Asked) -> str | None:
        """The page at a path, as HTML; None if there is none. It may take time, and is called in a thread."""

    @abstractmethod
    async def talk(self, browser: "Browser") -> None:
        """Serve one browser until it leaves."""

    def start(self, work: Awaitable[None]) -> None:
        """Do something until the server ends; nobody waits for it."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def end(self) -> None:
        """Stop: the server ends, and browsers still hear what is said now."""
        tasks = list(self.tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Browser(Bounded, ServerConnection):
    """The connection of a browser that has been let in, bounded in both directions."""

    flow = Place.flow
    place: Place  # where it is
    asked: Asked  # what it asked for

    async def hear(self) -> AsyncIterator[Any]:
        """What it says: bytes, or what JSON stands for; anything else is ignored, and too long a message ends it."""
        async for message in self:
            if len(message) > self.place.longest:
                await self.close(1009, "too long")
                return
            if isinstance(message, bytes):
                yield message
                continue
            with suppress(ValueError, RecursionError):
                yield json.loads(message)

    async def send_json(self, fields: Mapping[str, Any]) -> None:
        """Say something to this browser alone; secrets are hidden."""
        await self.send(as_message(fields))

    @asynccontextmanager
    async def told(self, history: History) -> AsyncIterator[None]:
        """Tell it everything that a history holds and will hold until the block ends, as fast as it reads."""
        reader = history.reader()

        async def tell() -> None:
            try:
                while True:
                    await reader.news.wait()
                    batch = reader.read(BATCH)
                    if batch != "[]":
                        async with asyncio.timeout(UNREAD):
                            await self.send(batch)
                    await asyncio.sleep(PAUSE)
            except ConnectionClosed:
                return
            except TimeoutError:
                self.transport.abort()

        telling = asyncio.ensure_future(tell())
        try:
            yield
        finally:
            history.leave(reader)
            telling.cancel()
            with suppress(asyncio.CancelledError):
                await telling


class PageServer:
    """Serves places to browsers on this machine.

    Attributes:
        link: the address that lets a browser in to the place at the path ``""``; the paths of others may follow it.
        address: the address of that place for browsers that have been let in, which keeps in a bookmark.
        entered: set once a page has been opened.
        lang: language of the pages whose address names none; None: that of the place.
        theme: colours of the pages, ``light`` or ``dark``; empty: those of the browser.
    """

    def __init__(self, places: Mapping[str, Place], listening: socket.socket, key: bytes | None = None) -> None:
        """Prepare.

        Args:
            places: by their paths, of which one may be empty.
            listening: a socket that listens on the loopback, from :func:`bot.page.loopback.listen`.
            key: what addresses are derived from, as :class:`bot.page.loopback.Door` takes it.
        """
        self._places = places
        self._listening = listening
        self._door = Door(listening, key)
        self._browsers: Counter[Place] = Counter()
        self._talking: set[asyncio.Task[None]] = set()
        self.entered = asyncio.Event()
        self.lang: Lang | None = None
        self.theme = ""
        self.link, self.address = self._door.link, self._door.address

    @asynccontextmanager
    async def serve(self) -> AsyncIterator["PageServer"]:
        """Answer until the block ends."""
        async with serve(
            self._welcome,
            sock=self._listening,
            process_request=self.answer,
            compression=None,
            close_timeout=0.5,
            max_size=LONGEST,
            max_queue=4,
            server_header=None,
            logger=LOG,
            create_connection=Browser,
        ):
            try:
                yield self
            finally:
                try:
                    for place in self._places.values():
                        await place.end()
                    await asyncio.sleep(2 * PAUSE)  # so that browsers still read that it has ended
                finally:
                    for task in self._talking:
                        task.cancel()  # what is being done for a browser is not waited for

    async def answer(self, browser: ServerConnection, request: Request) -> Response | None:
        """The response to a request; None for a websocket that may open."""
        asked = self._door.enter(request)
        if isinstance(asked, Response):
            return asked
        first, slash, rest = asked.path.partition("/")
        named = slash and first in self._places
        place = self._places.get(first if named else "")
        asked = asked._replace(path=rest) if named else asked
        if place is None:
            return response(HTTPStatus.NOT_FOUND, "There is no such page.\nページが見つかりません。\n")
        if asked.path == "live":
            if (refused := foreign(asked, request)) is not None:
                return refused
            if self._browsers[place] >= place.most:
                return response(
                    HTTPStatus.SERVICE_UNAVAILABLE, "Too many browsers are open.\n開いているブラウザが多すぎます。\n"
                )
            if isinstance(browser, Browser):
                browser.place, browser.asked = place, asked
                browser.bound(place.flow)
            return None
        text = await asyncio.to_thread(place.page, asked._replace(remembered=self.lang))  # a report takes half a second
        if text is None:
            return response(HTTPStatus.NOT_FOUND, "There is no such page.\nページが見つかりません。\n")
        self.entered.set()
        return response(HTTPStatus.OK, in_colours(text, self.theme), "text/html")

    async def _welcome(self, browser: ServerConnection) -> None:
        if not isinstance(browser, Browser):
            return
        self._browsers[browser.place] += 1
        talking = asyncio.ensure_future(browser.place.talk(browser))
        self._talking.add(talking)
        try:
            with suppress(ConnectionClosed, asyncio.CancelledError):
                await talking
        finally:
            self._talking.discard(talking)
            self._browsers[browser.place] -= 1
