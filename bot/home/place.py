"""The page with five places: play, review, practice, watch, results. It lists what there is, and leads there."""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Coroutine, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from socket import socket
from typing import Any, Final

import structlog

from bot.config import Config
from bot.evaluate.by_hand import ByHand
from bot.home.drops import Dropping
from bot.home.games import FIGURES, Games
from bot.home.library import LOGS, Library, picture
from bot.home.table import CHOSEN, CLOCKS, LENGTHS, OPPONENTS, Table
from bot.logs.sources import open_logs
from bot.machine.errors import InputError, Trouble
from bot.machine.fetch import TENHOU, Archive
from bot.machine.sockets import Flow
from bot.machine.text import brief
from bot.page.history import History
from bot.page.loopback import Asked
from bot.page.server import Browser, PageServer, Place
from bot.page.template import Design, asset, render_page
from bot.play import results, wiring
from bot.play.record import SUFFIX
from bot.review.learner import Learner
from bot.review.practice import Practising, unread
from bot.review.wording import page_words
from bot.store import choices, played
from bot.watch.library import Follower
from bot.watch.library import Library as Shelf
from bot.watch.place import Watching, today
from bot.watch.reviews import Reviews
from bot.watch.stage import Stage
from bot.wording.languages import Lang
from bot.wording.opponents import PEOPLE
from bot.wording.troubles import trouble_words
from engine.model.seats import SEATS
from protocol.errors import LogError
from protocol.logs.formats import LogFile

log = structlog.get_logger()
DESIGN: Final = Design(
    "bot.home", "home.html.j2", ("door.js", "table.js", "home.js"), ("page.css", "home.css"), connects=True
)
WORDS: Final = partial(
    page_words, "bot.home", ("place_", "habit_", "sit_", "room_short_", "wind_", "seat_", "wall", "act_", "strength_")
)
"""The labels and sentences of the page in a language."""
LOOK: Final = 2.0
"""Seconds between two looks at the disk while somebody looks at the page."""
ROUND: Final = 10
"""Number of questions in a round of practice."""
_BRAND: Final = '<p class="brand">Oshihiki'
_JOBS: Final = 1_000
"""Number of reviews that may wait."""


@cache
def home_page(lang: Lang) -> str:
    """The page as HTML."""
    data = {
        "words": {each.value: WORDS(each) for each in Lang},
        "opponents": OPPONENTS,
        "people": PEOPLE[: len(SEATS) - 1],
        "clocks": CLOCKS,
        "lengths": LENGTHS,
        "address": TENHOU.address("ID"),
        "figures": FIGURES,
        "rooms": json.loads(asset("bot.home", "rooms.json")),
    }
    return render_page(DESIGN, lang, WORDS(lang), data)


def leading_back(page: str | None, home: str) -> str | None:
    """A review in whose head the program's name leads back to the list of reviews; a saved one leads nowhere."""
    if page is None:
        return None
    lang = Lang.JA if '<html lang="ja">' in page[:100] else Lang.EN
    return page.replace(_BRAND, _BRAND.replace("Oshihiki", f'<a href="{home}?lang={lang.value}#review">Oshihiki</a>'))


@dataclass(slots=True)
class Job:
    """A review that was asked for."""

    key: str  # name of the log
    seat: int | None  # the seat; None: as the log says
    game: Mapping[str, Any]  # the game as it was dropped; empty if that is not known any more
    at: int = 0  # number of decisions judged
    of: int = 0  # number of all
    state: str = "waiting"  # ``waiting``, ``making``, ``ready`` or ``failed``
    why: Mapping[str, str] = field(default_factory=dict)  # by language, why it has failed
    page: str = ""  # name of the review

    def fields(self) -> dict[str, Any]:
        """As the page shows it."""
        found = {name: getattr(self, name) for name in ("key", "at", "of", "state", "why", "page")}
        found |= {name: self.game.get(name) for name in ("called", "places")}
        return found | {"seat": self.game.get("seat") if self.seat is None else self.seat}


class Home(Place):
    """The page, and what it leads to.

    Attributes:
        library: the reviews that are kept.
        practising: the place of practice.
        watching: the place of tables and recorded games.
        dropping: where files are dropped.
    """

    flow = Flow(rate=64e3, burst=1 << 18, unsent=1 << 23)

    def __init__(self, config: Config, folder: Path, archive: Archive = TENHOU, fetched: Path | None = None) -> None:
        """Prepare.

        Args:
            config: the configuration.
            folder: where reviews are kept.
            archive: the server that is asked for logs.
            fetched: where its logs are kept; None: where all commands keep them, so that none is asked for twice.
        """
        super().__init__()
        self._records = wiring.record_folder(config)
        self.library = Library(folder, self._records)
        self.history = History()
        stage = Stage(lambda: today(played.read(self._records)))
        self._reviews = Reviews(folder, config.policy)
        self._shelf = Shelf((), None, stage)
        self._followers: dict[Path, Follower] = {}
        self._table = Table(config, stage, self.history, self._changed)
        self._jobs: deque[Job] = deque(maxlen=_JOBS)
        self._games = Games((folder / LOGS, self._records))
        self._all: dict[Lang, str] = {}
        self._one = asyncio.Lock()
        self._wake = asyncio.Event()
        self._results: tuple[object, list[dict[str, Any]]] = (None, [])
        learner = Learner(folder)  # answers that cannot be read are said on the page
        self.practising = Practising(self.library.questions, learner, ROUND, Lang.EN, at_home=True)
        self.watching = Watching(stage, self._reviews, at_home=True)
        self.watching.on_review = self._changed
        self.dropping = Dropping(self.library, self._read, archive, fetched)
        self._learner, self._stage = learner, stage
        self._choices = choices.Choices()
        self._server: PageServer | None = None
        self._keeping, self._keeps = asyncio.Lock(), set[asyncio.Task[None]]()
        stage.listeners.append(self._hear_stage)

    @asynccontextmanager
    async def serve(self, listening: socket, key: bytes | None = None) -> AsyncIterator[PageServer]:
        """Serve all places until the block ends; the arguments are those of :class:`~bot.page.server.PageServer`."""
        places: Mapping[str, Place] = {
            "": self,
            "watch": self.watching,
            "practice": self.practising,
            "drop": self.dropping,
            "hand": ByHand(),
        }
        async with self._reviews, PageServer(places, listening, key).serve() as server:
            self._changed()  # so that practice has its questions, whichever page is opened first
            self._stage.show_results()
            self._remember()
            self._server = server
            self._show_as_chosen()
            self.start(self._look())
            self.start(self._review())
            yield server

    async def end(self) -> None:
        """Nothing more happens."""
        await self._table.leave()
        self.history.tell(ended=True)
        await asyncio.gather(*self._keeps)
        await super().end()

    def page(self, asked: Asked) -> str | None:
        """The page, a review, or all of them together."""
        lang = asked.lang(Lang.EN)
        if asked.path == "":
            return home_page(lang)
        if asked.path == "all":
            return leading_back(self._all.get(lang), "./")
        name = asked.path.removeprefix("review/")
        return leading_back(self._reviews.page(name, lang), "../") if name != asked.path else None

    async def talk(self, browser: Browser) -> None:
        """Tell a browser what there is, and do what it asks for."""
        self._changed()
        async with browser.told(self.history):
            async for said in browser.hear():
                try:
                    await self._hear(browser, said)
                    trouble = {}
                except (InputError, LogError) as error:
                    trouble = trouble_words(error, brief(str(error), 300))
                if trouble:
                    await browser.send_json({"trouble": trouble})

    def _remember(self) -> None:
        """Begin with what was chosen last; what cannot be read is said where the program runs."""
        try:
            found = choices.read(self._records)
            gone = {key: each[0] for key, each in CHOSEN.items() if getattr(found, key) not in each}
            self._choices = found.model_copy(update=gone)
        except InputError as error:
            log.warning("choices are not remembered", reason=str(error))
        self._stage.choose(pace=self._choices.pace, sound=self._choices.sound, sort=self._choices.sort)
        self.history.tell(choices=self._choices.model_dump())

    def _choose(self, **changes: Any) -> None:
        """Remember what a person has chosen on a page; a value that cannot be chosen changes nothing."""
        found = self._choices.changed(changes)
        if found is None or found == self._choices:
            return
        self._choices = found
        self._show_as_chosen()
        self.history.tell(choices=found.model_dump())
        self._changed()
        task = asyncio.ensure_future(self._keep(changes))
        self._keeps.add(task)
        task.add_done_callback(self._keeps.discard)

    def _show_as_chosen(self) -> None:
        """Serve all pages in the colours that are chosen, and in the language unless an address names another."""
        if self._server is not None:
            self._server.theme = self._choices.theme
            self._server.lang = Lang(self._choices.lang) if self._choices.lang else None

    async def _keep(self, changes: dict[str, Any]) -> None:
        async with self._keeping:  # in the order in which they were chosen
            try:
                await asyncio.to_thread(choices.keep, self._records, changes)
            except InputError as error:
                log.warning("choices are not remembered", reason=str(error))

    def _hear_stage(self, said: object) -> Coroutine[Any, Any, None] | None:
        """Do what a browser asks for at the live page: remember a choice, or show a game that is kept."""
        match said:
            case {"do": "choose", "what": "hints" | "sound" | "sort" | "pace" as what, "wanted": wanted}:
                self._choose(**{what: wanted})
            case {"do": "show", "kept": str(name), "seat": int() | None as seat} if seat in {None, *SEATS}:
                return self._open(name, seat)
        return None

    async def _hear(self, browser: Browser, said: object) -> None:
        """Do what a browser asks for; anything else is ignored."""
        match said:
            case {
                "do": "play", "against": str(against), "length": str(length), "clock": str(clock), "name": str(name),
                "hints": bool(hints),
            }:  # fmt: skip
                self._table.start(against, length, clock, name.strip(), hints=hints)
                self._choose(against=against, length=length, clock=clock, name=name.strip(), hints=hints)
            case {"do": "speak", "lang": str(lang)} if lang in list(Lang):
                self._choose(lang=lang)
            case {"do": "theme", "wanted": "" | "light" | "dark" as theme}:
                self._choose(theme=theme)
            case {"do": "me", "name": str(name), "wanted": bool(wanted)}:
                others = [one for one in self._choices.me if one != name]
                self._choose(me=[*others, name] if wanted else others)
            case {"do": "everyone", "wanted": bool(wanted)}:
                self._choose(everyone=wanted)
            case {"do": "leave"}:
                await self._table.leave()
            case {"do": "review", "key": str(key), "seat": int() | None as seat}:
                if seat in {None, *SEATS}:
                    self._ask(key, None if seat is None else int(seat))  # true is no seat, but equals one
            case {"do": "review", "name": str(name)}:
                for one in list(self.dropping.dropped.games.values()):  # a thread may be adding to them
                    if one["names"].count(name) == 1 or one["only"]:
                        self._ask(one["key"], one["seat"] if one["only"] else one["names"].index(name))
            case {"do": "fetch"}:
                self.dropping.fetch()
            case {"do": "clear"}:
                self.dropping.clear()
            case {"do": "delete", "page": str(name)}:
                await self._delete(name)
            case {"do": "all", "lang": str(lang)} if lang in list(Lang):
                async with self._one:
                    page = await asyncio.to_thread(self.library.page_of_all, Lang(lang))
                if page is not None:
                    self._all[Lang(lang)] = page
                    await browser.send_json({"go": f"all?lang={lang}"})

    # -- reviews ------------------------------------------------------------------------------------------------------

    def _ask(self, key: str, seat: int | None) -> None:
        known = self.dropping.dropped.games.get(key)
        open_jobs = self._open_jobs()
        if self.library.log(key) is None or len(open_jobs) >= _JOBS:
            shown, full = brief(key, 60), len(open_jobs) >= _JOBS
            why = f"{shown}: there is no such game, or too many reviews wait"
            raise InputError(why, Trouble.MANY_WAIT if full else Trouble.GONE, shown)
        if any((job.key, job.seat) == (key, seat) for job in open_jobs):
            return
        self._jobs.append(Job(key, None if known and known["only"] else seat, known or {}))
        self._tell_jobs()
        self._wake.set()

    def _open_jobs(self) -> list[Job]:
        return [job for job in self._jobs if job.state in {"waiting", "making"}]

    def _needed(self) -> set[str]:
        """Names of the logs that may be chosen on the page, or of which reviews are being made or wait for it."""
        making = {log.stem for log, count in list(self._reviews.needed.items()) if count}
        return making | {job.key for job in self._open_jobs()} | set(self.dropping.dropped.games)

    def _tell_jobs(self) -> None:
        self.history.tell(jobs=[job.fields() for job in self._jobs])

    async def _review(self) -> None:
        """Make the reviews that were asked for, one after another."""
        while True:
            job = next((each for each in self._jobs if each.state == "waiting"), None)
            if job is None:
                self._wake.clear()
                await self._wake.wait()
                continue
            job.state = "making"
            self._tell_jobs()
            path = self.library.log(job.key)
            if path is None:
                gone = InputError("the log is gone", Trouble.GONE)
                job.state, job.why = "failed", trouble_words(gone)
            else:
                made = await self._reviews.make(path, job.seat, partial(self._progress, job))
                job.page, job.why, job.state = made.name, made.why, "failed" if made.why else "ready"
            self._tell_jobs()
            self._changed()

    def _progress(self, job: Job, at: int, of: int) -> None:
        job.at, job.of = at, of
        self._tell_jobs()

    async def _delete(self, name: str) -> None:
        """Delete a review; jobs no longer lead to it."""
        try:
            async with self._one:
                await asyncio.to_thread(self.library.delete, name, self._needed)
        finally:
            gone = [job for job in self._jobs if job.page and not self.library.has_page(job.page)]
            for job in gone:
                self._jobs.remove(job)
            self._all.clear()
            self._tell_jobs()
            self._changed()

    def _read(self, reading: str) -> None:
        self.history.tell(reading=reading, dropped=self.dropping.dropped.fields())
        if not reading and self.dropping.dropped.games:
            self.start(self._reviews.get_ready())  # who drops a log will have it reviewed

    # -- what there is ------------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self.start(self._tell())

    async def _tell(self) -> None:
        """Tell what there is now; at first without the games, because reading them may take a minute of compiling."""
        async with self._one:
            if "games" in self.history.run:
                await asyncio.to_thread(self._games.read)
            found = await asyncio.to_thread(self._found)
        self.history.tell(**{name: value for name, value in found.items() if self.history.run.get(name) != value})

    def _found(self) -> dict[str, Any]:
        self.library.read()
        games = self._games.rows()
        names = set(self._choices.me) | ({self._choices.name} - {""} if self._choices.me else set())
        mine = frozenset() if self._choices.everyone else frozenset(names)
        self.library.choose(mine, frozenset(one["key"] for one in games if one["person"]))
        return {
            "table": self._table.fields(),
            "reviews": self.library.rows(),
            "failed": self.library.failed,
            "sums": self.library.sums(),
            "last": self.library.last(),
            "me": (self._choices.me or [self.library.me()])[0],
            "practice": self._practised(),
            "results": self._played(),
            "games": games,
            "counted": self._games.whole,
        }

    def _practised(self) -> dict[str, Any]:
        """How far practice is; ``why`` says what is wrong with what is kept of it."""
        why = unread(self._learner)
        questions = self.library.questions()
        summary = self._learner.summary(questions)
        question = None if why else self._learner.next(questions)
        shown = None if question is None else picture(question)
        return {name: value for name, value in summary.items() if name != "state"} | {"why": why, "shown": shown}

    def _played(self) -> list[dict[str, Any]]:
        """The results of the games that were played here, read again if there are more."""
        try:
            state = played.state(self._records)
            if state != self._results[0]:
                self._results = state, _results(self._records)
        except InputError:  # practice, whose answers are in the same file, says why
            return []
        return self._results[1]

    async def _look(self) -> None:
        """While somebody looks at the page, see what has changed on the disk; follow records that are shown."""
        while True:
            await asyncio.sleep(LOOK)
            for path, follower in list(self._followers.items()):
                try:
                    await follower.look()
                except (OSError, LogError):
                    del self._followers[path]
            if self.history.readers:
                await self._tell()
                while not self._games.whole:
                    await self._tell()

    async def _open(self, name: str, seat: int | None) -> None:
        """Show a log or a record on the live page, which says what is wrong with it."""
        try:
            await self._show(name, seat)
            trouble = {}
        except (InputError, LogError) as error:
            trouble = trouble_words(error, brief(str(error), 400))
        except OSError:
            trouble = trouble_words(InputError("the log is gone", Trouble.GONE, brief(name, 60)))
        self._stage.history.tell(trouble={"log": None, "why": trouble} if trouble else None)

    async def _show(self, name: str, seat: int | None) -> None:
        path = self.library.log(name)
        if path is None:
            shown = brief(name, 60)
            raise InputError(f"{shown}: there is no such game", Trouble.GONE, shown)
        if path.suffix == SUFFIX:
            follower = self._followers.get(path)
            if follower is None or follower.key not in self._stage.history.games:
                follower = self._followers[path] = Follower(path, self._stage)
                await follower.look()
            return
        file = await asyncio.to_thread(lambda: next(open_logs([path]), LogFile(name)))
        await self._shelf.open(self._shelf.add(file, path), seat)


def _results(folder: Path) -> list[dict[str, Any]]:
    """The results of each account and policy: games, places, sums, and whether they get better."""
    of_each: results.Places = {}
    sums: dict[tuple[str, str], list[results.Day]] = {}
    for day in results.days(played.read(folder), of_each):
        sums.setdefault((day.account, day.policy), []).append(day)
    trend = {(one.account, one.policy): one.fields() for one in results.trends(of_each)}
    found = []
    for key, days in sums.items():
        places = [sum(day.placements[at] for day in days) for at in range(4)]
        known = sum(places)
        found.append(
            {
                "account": brief(key[0], 24),
                "policy": brief(key[1], 40),
                "games": known,
                "places": places,
                "mean": sum((at + 1) * count for at, count in enumerate(places)) / known if known else None,
                "result": round(sum(day.result for day in days), 1),
                "trend": trend.get(key),
            }
        )
    return sorted(found, key=lambda one: -one["games"])
