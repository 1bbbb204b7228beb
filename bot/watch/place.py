"""The live page: tables as they are played, recorded games, and the seat of a person who plays.

A browser gets one page; everything it shows comes through its websocket. The game writes into a
:class:`~bot.page.history.History` and goes on, however slowly a browser reads.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from bot.config import Policy
from bot.machine.errors import InputError, writing_trouble
from bot.machine.files import replace_file
from bot.machine.text import brief
from bot.page.loopback import Asked, listen
from bot.page.server import Browser, PageServer, Place
from bot.page.table import COLUMNS
from bot.page.template import Design, render_page
from bot.play import results
from bot.review.wording import page_words
from bot.store.played import Entry
from bot.watch.reviews import Reviews
from bot.watch.shown import Shown
from bot.watch.stage import Stage
from bot.wording.languages import Lang
from bot.wording.troubles import trouble_words
from protocol.logs.formats import FORMATS

DESIGN: Final = Design(
    "bot.watch",
    "live.html.j2",
    ("door.js", "table.js", "ends.js", "pace.js", "motion.js", "seat.js", "live.js"),
    ("page.css", "screen.css", "live.css"),
    connects=True,
)
WORDS: Final = partial(page_words, "bot.watch", (
    "seat_", "wind_", "act_", "c_", "wall", "sticks", "dora", "furiten", "waits", "offered_by", "bot", "both",
    "turn", "mode", "unit_", "place_", "hanchan", "tonpu", "points", "result", "player", "resumed_table",
    "han_fu", "limit_", "grade_", "ver_", "played", "close", "keys_title", "danger_", "part_", "sum_", "grounds",
    "strength_",
))  # fmt: skip
"""The labels and sentences of the page in a language."""


@cache
def live_page(*, at_home: bool = False) -> str:
    """The page as HTML; ``at_home``: whether it is one of several places."""
    data = {"words": {lang.value: WORDS(lang) for lang in Lang}, "columns": COLUMNS}
    return render_page(DESIGN, Lang.EN, WORDS(Lang.EN), data, at_home=at_home)


class Watching(Place):
    """Shows a stage.

    Attributes:
        stage: what is shown.
        on_review: called when a review has been made, or could not be.
    """

    def __init__(self, stage: Stage, reviews: Reviews, *, at_home: bool = False) -> None:
        """Prepare.

        Args:
            stage: what is shown.
            reviews: makes reviews of finished games.
            at_home: whether the page is one of several places.
        """
        super().__init__()
        self.stage = stage
        self._reviews = reviews
        self._at_home = at_home
        self.on_review: Callable[[], None] = lambda: None

    def page(self, asked: Asked) -> str | None:
        """The live page, or a review."""
        if asked.path == "":
            return live_page(at_home=self._at_home)
        name = asked.path.removeprefix("review/")
        return self._reviews.page(name, asked.lang(Lang.EN)) if name != asked.path else None

    async def talk(self, browser: Browser) -> None:
        """Tell a browser what happens, and hear it."""
        async with browser.told(self.stage.history):
            async for said in browser.hear():
                self.hear(said)

    async def end(self) -> None:
        """Nothing more happens."""
        self.stage.end()
        await super().end()

    def hear(self, said: object) -> None:
        """Let everybody hear a browser's message; one that is nobody's is ignored."""
        for listener in (self.stage.hear, self._hear, *self.stage.listeners):
            if (work := listener(said)) is not None:
                self.start(work)

    def _hear(self, said: object) -> Coroutine[Any, Any, None] | None:
        """Make the review that is asked for."""
        match said:
            case {"do": "review", "game": int(game)}:
                return self._review(game)
        return None

    async def _review(self, game: int) -> None:
        stage, shown = self.stage, self.stage.find(game)
        if shown is None or not shown.over or not shown.reviewable or shown.review in {"making", "ready"}:
            return

        def progress(at: int, of: int) -> None:
            stage.history.tell(progress={"game": game, "at": at, "of": of})

        shown.review = "making"
        stage.list_games()
        try:
            log = await asyncio.to_thread(_file_of, shown, self._reviews.folder)
            seat = shown.view.seat if shown.view is not None and shown.view.whole else None
            made = await self._reviews.make(log, seat, progress)
        except OSError as error:
            why = f"the log could not be written: {error.strerror or error}"
            shown.review, shown.why = "failed", trouble_words(InputError(why, writing_trouble(error)))
        else:
            shown.page, shown.why, shown.review = made.name, made.why, "failed" if made.why else "ready"
            for row in await asyncio.to_thread(self._reviews.rows, made.name):
                stage.history.add(game, {"row": row})
        stage.history.tell(progress=None)
        stage.list_games()
        self.on_review()


def _file_of(shown: Shown, folder: Path) -> Path:
    """The file of a game; a log that lies nowhere is written into the folder.

    Raises:
        OSError: it cannot be written.
    """
    view = shown.view
    if view is None or view.path is not None:
        return (shown.record if view is None else view.path) or folder
    path = folder / f"log-{view.log}{FORMATS[view.file.format].suffix}"
    replace_file(path, view.file.data)
    return path


class Opened(NamedTuple):
    """A live page that is served."""

    link: str  # its address, secret included
    stage: Stage  # what it shows
    entered: asyncio.Event  # set once it has been opened


@asynccontextmanager
async def page_of(
    read: Callable[[], Iterable[Entry]], port: int | None = 0, policy: Policy | None = None, key: bytes | None = None
) -> AsyncIterator[Opened]:
    """Serve a live page until the block ends.

    Args:
        read: reads the results of all games.
        port: port to listen on, as :func:`bot.page.loopback.listen` takes it.
        policy: what judges in reviews, as :class:`bot.watch.reviews.Reviews` takes it.
        key: what the address is derived from, as :class:`bot.page.loopback.Door` takes it.

    Raises:
        InputError: the port cannot be used.
    """
    listening = listen(port)
    stage = Stage(lambda: today(read()))
    async with (
        Reviews(policy=policy) as reviews,
        PageServer({"": Watching(stage, reviews)}, listening, key).serve() as server,
    ):
        stage.show_results()
        yield Opened(server.link, stage, server.entered)


def today(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Today's results by account and policy, as JSON shows them."""
    now = datetime.now().astimezone().date()
    days = results.days(one for one in entries if one.day == now)
    return [{**day.fields(), "account": brief(", ".join(filter(None, (day.account, day.policy))), 48)} for day in days]
