"""The server of the live page: loopback only, behind a secret link, never in the way of a game.

A browser gets one page, which opens one websocket; everything it shows comes through that. A browser that does not read
is left behind and, in the end, dropped: the game writes into a :class:`~bot.watch.history.History` and goes on.
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import cache
from http import HTTPStatus
from typing import Any, Final

import structlog
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from bot.audit.wording import words
from bot.machine.sockets import LOG, Bounded, Flow
from bot.machine.text import brief
from bot.page.loopback import Asked, Door, foreign, listen, response
from bot.page.template import Design, render_page
from bot.play import results
from bot.play.results import Entry
from bot.watch.feed import Stage
from bot.watch.reviews import Reviews
from bot.wording.languages import Lang, table
from engine.model.seats import SEATS

DESIGN: Final = Design(
    "bot.watch", "live.html.j2", ("table.js", "ends.js", "seat.js", "live.js"), ("page.css", "live.css"), connects=True
)
_OF_THE_REPORT: Final = (
    "seat_", "wind_", "act_", "c_", "wall", "honba", "sticks", "dora", "furiten", "waits", "offered_by", "bot", "both",
    "turn", "mode_", "unit_", "place_", "hanchan", "tonpu", "points", "result", "player", "resumed_table",
    "han_fu", "limit_", "grade_", "ver_", "played", "close", "keys_title",
)  # fmt: skip
"""Beginnings of the keys of words that the page has in common with the report."""
log = structlog.get_logger()
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


@cache
def live_page() -> str:
    """The page as HTML."""
    return render_page(DESIGN, Lang.EN, page_words(Lang.EN), {"words": {lang.value: page_words(lang) for lang in Lang}})


def page_words(lang: Lang) -> dict[str, Any]:
    """The labels and sentences of the page in a language."""
    shared = {key: text for key, text in words(lang).items() if key.startswith(_OF_THE_REPORT)}
    return {**shared, **table("bot.watch", "assets/words", lang)}


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
            listening: a socket that listens on the loopback, from :func:`bot.page.loopback.listen`.
        """
        self.stage = stage
        self._reviews = reviews
        self._listening = listening
        self._door = Door(listening)
        self.link = self._door.link
        self._tasks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def serve(self) -> "AsyncIterator[WatchServer]":
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
            logger=LOG,
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
        asked = self._door.enter(request)
        if isinstance(asked, Response):
            return asked
        rest = asked.path
        if rest == "live":
            return self._admit(asked, request)
        if rest == "":
            return response(HTTPStatus.OK, live_page(), "text/html")
        if rest.startswith("review/"):
            text = self._reviews.page(rest.removeprefix("review/"))
            if text is not None:
                return response(HTTPStatus.OK, text, "text/html")
        return response(HTTPStatus.NOT_FOUND, "There is no such page.\n")

    def _admit(self, asked: Asked, request: Request) -> Response | None:
        if (refused := foreign(asked, request)) is not None:
            return refused
        if self.stage.history.readers >= MOST:
            return response(HTTPStatus.SERVICE_UNAVAILABLE, "Too many browsers are watching.\n")
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
        """What a browser asks for; anything else is ignored."""
        try:
            said = json.loads(message)
        except (ValueError, RecursionError):
            return
        match said:
            case {"do": "answer", "game": int(game), "number": int(number), "choice": int(choice)}:
                if (feed := self.stage.feeds.get(game)) is not None:
                    feed.answer(number, choice)
            case {"do": "looked", "game": int(game)}:
                if (feed := self.stage.feeds.get(game)) is not None:
                    feed.looked()
            case {"do": "hints", "wanted": bool(wanted)}:
                self.stage.want_hints(wanted=wanted)
            case {"do": "again"}:
                self.stage.again.set()
            case {"do": "open", "log": int(number), "seat": int() | None as seat}:
                if self.stage.open_log is not None and seat in {None, *SEATS}:
                    self._start(self.stage.open_log(number, seat))
            case {"do": "review", "game": int(game), "lang": str(lang)} if lang in list(Lang):
                self._start(self._review(game, Lang(lang)))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _review(self, game: int, lang: Lang) -> None:
        shown = self.stage.find(game)
        if shown is None or not shown.over or not shown.reviewable or shown.review in {"making", "ready"}:
            return
        shown.review = "making"
        self.stage.list_games()
        shown.review = await self._reviews.make(str(game), shown.record, shown.view, lang)
        for row in self._reviews.rows(str(game)):
            self.stage.history.add(game, {"row": row})
        self.stage.list_games()


@asynccontextmanager
async def page_of(read: Callable[[], Iterable[Entry]], port: int = 0) -> AsyncIterator[WatchServer]:
    """Serve a live page until the block ends.

    Args:
        read: reads the results of all games.
        port: port to listen on; 0: any free one.

    Raises:
        InputError: the port cannot be used.
    """
    listening = listen(port)
    stage = Stage(lambda: today(read()))
    with Reviews() as reviews:
        async with WatchServer(stage, reviews, listening).serve() as server:
            stage.show_results()
            yield server


def today(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Today's results by account and policy, as JSON shows them."""
    now = datetime.now().astimezone().date()
    days = results.days(one for one in entries if one.day == now)
    return [{**day.fields(), "account": brief(", ".join(filter(None, (day.account, day.policy))), 48)} for day in days]
