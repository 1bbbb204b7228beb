"""The server of the live page: loopback only, behind a secret link, never in the way of a game.

A browser gets one page, which opens one websocket; everything it shows comes through that. A browser that does not read
is left behind and, in the end, dropped: the game writes into a :class:`~bot.watch.history.History` and goes on.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlsplit

import structlog
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from bot.sockets import Bounded, Flow
from bot.watch.feed import Stage
from bot.watch.page import live_page
from bot.watch.reviews import Reviews

log = structlog.get_logger()

HOST: Final = "127.0.0.1"
LOCAL: Final = frozenset((HOST, "localhost"))
"""Names by which a browser may ask for the page; others may be names of elsewhere that lead here."""
MOST: Final = 16
"""Maximum number of browsers at once."""
BATCH: Final = 200
"""Number of messages sent at once."""
PAUSE: Final = 0.03
"""Seconds between two batches, so that many events in a row become one message."""
UNREAD: Final = 20.0
"""Seconds after which a browser that does not read is dropped."""
_ASKED: Final = 4_096
"""Maximum size in bytes of what a browser sends."""
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def listen(port: int) -> socket.socket:
    """A socket that listens on the loopback; port 0: any free one.

    Raises:
        OSError: the port cannot be used.
    """
    return socket.create_server((HOST, port))


class WatchSocket(Bounded, ServerConnection):
    """The connection of a browser, bounded in both directions."""

    flow = Flow(rate=16e3, burst=64e3, unsent=1 << 20)


class WatchServer:
    """Serves a stage to browsers on this machine.

    Attributes:
        stage: what is shown.
        link: the address of the page, secret included.
    """

    def __init__(self, stage: Stage, reviews: Reviews, listening: socket.socket) -> None:
        """Prepare.

        Args:
            stage: what is shown.
            reviews: makes reviews of finished games.
            listening: a socket that listens on the loopback, from :func:`listen`.
        """
        self.stage = stage
        self._reviews = reviews
        self._listening = listening
        self._secret = secrets.token_urlsafe(16)
        self.link = f"http://{HOST}:{listening.getsockname()[1]}/{self._secret}/"
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[WatchServer]:
        """Answer until the block ends."""
        async with serve(
            self._welcome,
            sock=self._listening,
            process_request=self._answer,
            compression=None,
            close_timeout=1.0,
            max_size=_ASKED,
            max_queue=4,
            server_header=None,
            create_connection=WatchSocket,
        ):
            try:
                yield self
            finally:
                for task in self._tasks:
                    task.cancel()
                self.stage.end()
                await asyncio.sleep(2 * PAUSE)  # so that browsers still read that it has ended

    def _answer(self, _connection: ServerConnection, request: Request) -> Response | None:
        """The response to a request; None for a websocket that may open."""
        host = request.headers.get("Host", "")
        if urlsplit(f"//{host}").hostname not in LOCAL:
            return _response(HTTPStatus.FORBIDDEN, "This page is for this machine only.\n")
        secret, _, rest = request.path.partition("?")[0].removeprefix("/").partition("/")
        if not secrets.compare_digest(secret.encode(), self._secret.encode()):
            return _response(HTTPStatus.NOT_FOUND, "Open the link that the program has shown; it ends with a slash.\n")
        if rest == "live":
            return self._admit(host, request)
        if rest == "":
            return _response(HTTPStatus.OK, live_page(), "text/html")
        if rest.startswith("review/"):
            text = self._reviews.page(rest.removeprefix("review/"))
            if text is not None:
                return _response(HTTPStatus.OK, text, "text/html")
        return _response(HTTPStatus.NOT_FOUND, "There is no such page.\n")

    def _admit(self, host: str, request: Request) -> Response | None:
        if request.headers.get("Origin") != f"http://{host}":
            return _response(HTTPStatus.FORBIDDEN, "This connection is for the page itself.\n")
        if self.stage.history.readers >= MOST:
            return _response(HTTPStatus.SERVICE_UNAVAILABLE, "Too many browsers are watching.\n")
        return None

    async def _welcome(self, browser: ServerConnection) -> None:
        """Serve one browser until it leaves."""
        reader = self.stage.history.reader()
        sending = asyncio.ensure_future(self._send(browser, reader.news, reader.read))
        try:
            async for message in browser:
                self._hear(message)
        except ConnectionClosed:
            return
        finally:
            self.stage.history.leave(reader)
            sending.cancel()
            with suppress(asyncio.CancelledError):
                await sending

    async def _send(self, browser: ServerConnection, news: asyncio.Event, read: Callable[[int], str]) -> None:
        """Send what happens, as fast as the browser reads it."""
        try:
            while True:
                await news.wait()
                batch = read(BATCH)
                if batch != "[]":
                    async with asyncio.timeout(UNREAD):
                        await browser.send(batch)
                await asyncio.sleep(PAUSE)
        except ConnectionClosed:
            return
        except TimeoutError:
            browser.transport.abort()

    def _hear(self, message: str | bytes) -> None:
        """An answer of a person, or the request for a review; anything else is ignored."""
        try:
            said = json.loads(message)
            game, wanted = said["game"], said["do"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return
        if not isinstance(game, int):
            return
        if wanted == "answer":
            feed = self.stage.feeds.get(game)
            number, choice = said.get("number"), said.get("choice")
            if feed is not None and isinstance(number, int) and isinstance(choice, int):
                feed.answer(number, choice)
        elif wanted == "review":
            task = asyncio.ensure_future(self._review(game, said.get("lang")))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _review(self, game: int, lang: Any) -> None:
        shown = self.stage.find(game)
        if shown is None or not shown.over or shown.record is None or shown.review in {"making", "ready"}:
            return
        shown.review = "making"
        self.stage.list_games()
        shown.review = await self._reviews.make(str(game), shown.record, lang if lang in {"en", "ja"} else "en")
        self.stage.list_games()


def _response(status: HTTPStatus, text: str, kind: str = "text/plain") -> Response:
    body = text.encode()
    headers = Headers({**_HEADERS, "Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))})
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, headers, body)
