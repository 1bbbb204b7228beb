"""From a game to the page: a watcher for each table, and what the page says of the run."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import structlog

from bot.deciding.ask import Outcome, Question
from bot.machine.text import brief
from bot.page.history import History
from bot.page.table import WrittenAction, written_action
from bot.review.document import Truth
from bot.watch.moments import Hints, decision_moment, end_fields, moment_fields, question_fields, risks_of
from engine.model.actions import Action
from engine.model.events import EndGame, Event, StartGame
from engine.opponents.danger import DangerEstimator
from engine.opponents.registry import best_estimator
from engine.policy.decision import Decider, Decision
from engine.state import GameState
from protocol.logs.formats import LogFile

log = structlog.get_logger()

WAITING: Final = 16
"""Number of decisions that wait to be worded; of further ones only the table is shown."""


class Worker:
    """One thread for what takes long; what it cannot keep up with is left out."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="watch")
        self._waiting = 0

    def do(self, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Run ``work`` in the thread and ``then`` with its result on the event loop; or neither."""
        if self._waiting >= WAITING:
            return
        loop = asyncio.get_running_loop()
        self._waiting += 1

        def done(future: Future[Any]) -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._finish, future, then)

        self._thread.submit(work).add_done_callback(done)

    def close(self) -> None:
        """End the thread after its current work."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _finish(self, future: Future[Any], then: Callable[[Any], None]) -> None:
        self._waiting -= 1
        if future.cancelled():
            return
        error = future.exception()
        if error is not None:
            log.error("nothing to show", error=f"{type(error).__name__}: {error}")
            return
        then(future.result())


@dataclass(frozen=True, slots=True)
class LogView:
    """A log as one seat saw it."""

    log: int  # number of the log in the list
    seat: int  # whose view is shown
    whole: bool  # whether the log shows the other seats too
    file: LogFile  # the log
    path: Path | None = None  # where it is kept; None: it was given


@dataclass(slots=True)
class Shown:
    """A game as the page lists it."""

    key: int  # identifies it
    account: str  # label of the account, cleaned
    record: Path | None = None  # its record; None if there is none
    over: bool = False  # whether it has ended
    end: dict[str, Any] | None = None  # points and places, once it has ended
    review: str = ""  # state of its review: empty, ``making``, ``ready`` or ``failed``
    why: Mapping[str, str] = field(default_factory=dict)  # by language, why there is no review
    page: str = ""  # name of its review; empty if there is none
    person: bool = False  # whether a person plays on the page
    view: LogView | None = None  # the log that is shown, and from which seat; None of a game that is or was played here

    @property
    def reviewable(self) -> bool:
        """Whether there is something to review."""
        return self.record is not None or self.view is not None

    def fields(self) -> dict[str, Any]:
        """The game as JSON shows it."""
        return {
            "key": self.key,
            "account": self.account,
            "over": self.over,
            "end": self.end,
            "record": self.record.name if self.record else self.view.file.name if self.view else "",
            "kept": path.stem if (path := self.record or (self.view.path if self.view else None)) else "",
            "log": self.view.log if self.view else None,
            "seat": self.view.seat if self.view else None,
            "whole": self.view is not None and self.view.whole,
            "review": self.review,
            "why": self.why,
            "page": self.page,
            "person": self.person,
        }


@dataclass(slots=True)
class Stage:
    """Everything that the page shows of a run."""

    results: Callable[[], list[dict[str, Any]]] = list  # reads the results of the day, elsewhere than on the event loop
    history: History = field(default_factory=History)  # what browsers read
    games: list[Shown] = field(default_factory=list)  # the games, oldest first
    feeds: "dict[int, Feed]" = field(default_factory=dict)  # those of the games that are running
    # makes the policy that gives a person hints; None: there are no hints
    make_advisor: Callable[[], Decider] | None = None
    hints: bool = False  # whether a person gets hints without asking for them
    pace: str = "normal"  # how fast a person sees what the others do: slow, normal or instant
    on_choice: Callable[..., None] = lambda **_: None  # called with what the person has chosen at the seat, by its name
    again: asyncio.Event = field(default_factory=asyncio.Event)  # set when a person wants to play another game
    # shows a log of the list, as a seat saw it; None: there are no logs
    open_log: Callable[[int, int | None], Awaitable[None]] | None = None
    # shows a log or record that is kept, by its name, as a seat saw it; None: none are
    open_kept: Callable[[str, int | None], Awaitable[None]] | None = None
    _worker: Worker = field(default_factory=Worker)

    def open(
        self,
        account: str,
        record: Path | None = None,
        *,
        at_once: bool = False,
        person: bool = False,
    ) -> "Feed":
        """Begin to show a game.

        Args:
            account: label of the account.
            record: its record.
            at_once: whether decisions are worded at once, which takes milliseconds; nobody must be playing.
            person: whether a person plays on the page.
        """
        shown = Shown(self.history.open(), brief(account, 24), record, person=person)
        self.games.append(shown)
        hints = Hints(self.make_advisor, self.hints) if person and self.make_advisor is not None else None
        feed = Feed(shown, self.history, None if at_once else self._worker, hints)
        self.feeds[shown.key] = feed
        self.list_games()
        return feed

    def close(self, feed: "Feed") -> None:
        """The game of a feed is over, or lost."""
        feed.shown.over = True
        feed.close()
        self.feeds.pop(feed.shown.key, None)
        self.list_games()
        self.show_results()

    def list_games(self) -> None:
        """Show the list of games as it is now."""
        self.history.tell(games=[shown.fields() for shown in self.games])

    def show_results(self) -> None:
        """Show the results of the day as they are now."""
        self._worker.do(self.results, lambda days: self.history.tell(days=days))

    def shows(self, log: int, seat: int) -> bool:
        """Whether a log is shown as that seat saw it; views whose messages have been dropped are forgotten."""
        self.games = [one for one in self.games if one.view is None or one.key in self.history.games]
        return any(one.view is not None and (one.view.log, one.view.seat) == (log, seat) for one in self.games)

    def want_hints(self, *, wanted: bool) -> None:
        """Give the person hints from now on, or none."""
        self.hints = wanted
        for feed in self.feeds.values():
            feed.want_hints(wanted=wanted)
        self.history.tell(hints=wanted)

    def want_pace(self, pace: str) -> None:
        """Show the person what the others do at that pace from now on: slow, normal or instant."""
        self.pace = pace
        self.history.tell(pace=pace)

    def choose(self, **chosen: Any) -> None:
        """The person has chosen at the seat: hints or none, a pace, sounds or none, tiles in order or as they came."""
        for name, wanted in chosen.items():
            match name:
                case "hints":
                    self.want_hints(wanted=wanted)
                case "pace":
                    self.want_pace(wanted)
                case _:  # of the page alone
                    self.history.tell(**{name: wanted})
        self.on_choice(**chosen)

    async def wait_for_another(self) -> None:
        """Offer another game, and return once it is wanted."""
        self.again.clear()
        self.history.tell(again=True)
        try:
            await self.again.wait()
        finally:
            self.history.tell(again=False)

    def find(self, key: int) -> Shown | None:
        """The game with that key."""
        return next((shown for shown in self.games if shown.key == key), None)

    def end(self) -> None:
        """Nothing more happens."""
        self.history.tell(ended=True)
        self._worker.close()


class Feed:
    """A watcher that writes what happens at one table into the history; for a person, also a way to answer.

    Attributes:
        shown: the game in the list.
    """

    def __init__(
        self,
        shown: Shown,
        history: History,
        worker: Worker | None,
        hints: Hints | None = None,
    ) -> None:
        self.shown = shown
        self._names: Sequence[str] = ("", "", "", "")  # of the players, by absolute seat
        self._history = history
        self._worker = worker
        self._hints = hints
        self._moment = -1
        self._question: _OpenQuestion | None = None
        self._looked: asyncio.Event | None = None
        self._hinting: asyncio.Task[None] | None = None

    def happened(self, state: GameState, event: Event, truth: Truth | None = None) -> None:
        """Show the table after an event; ``truth``: what the others hold, if that is known."""
        self._moment += 1
        if isinstance(event, EndGame):
            self.shown.end = end_fields(event, state.seat)
        if self._hints is not None:
            self._hints.happened(event, state.seat)
        if isinstance(event, StartGame):
            self._names = event.names
        fields = moment_fields(state, event, self._names, person=self.shown.person, truth=truth)
        self._add(moment=self._moment, **fields)

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Show a decision, once it has been worded elsewhere than on the event loop."""
        view, moment = state.copy(), self._moment
        red_fives, person = state.rules.red_fives, self.shown.person

        def work() -> dict[str, Any]:
            fields = decision_moment(decision, outcome, red_fives=red_fives)
            return fields if person else {**fields, **risks_of(_estimator, view)}

        def show(fields: dict[str, Any]) -> None:
            self._add(decision=fields, at=moment)

        if self._worker is None:
            show(work())
        else:
            self._worker.do(work, show)

    def chose(self, action: WrittenAction) -> None:
        """Show what a log's player chose here."""
        self._add(choice=action, at=self._moment)

    def noted(self, said: Mapping[str, str]) -> None:
        """Show a message, by language."""
        self._add(note={lang: brief(text) for lang, text in said.items()}, at=self._moment)

    def close(self) -> None:
        """The game is over."""
        if self._hints is not None:
            self._hints.close()

    # -- a person --------------------------------------------------------------------------------------------------

    async def ask(self, question: Question) -> Action:
        """Ask whoever watches, until somebody answers; cancelled when it is too late."""
        asked = _OpenQuestion(question, asyncio.get_running_loop().create_future())
        self._question = asked
        until = time.time() + question.seconds
        self._add(ask=question_fields(question, until), at=self._moment)
        self._give_hint()
        try:
            return await asked.answered
        finally:
            self._question = None
            if self._hinting is not None:
                self._hinting.cancel()
            self._add(answered=question.number)

    def missed(self, question: Question, action: Action) -> None:
        """Say that the clock answered."""
        said = written_action(action, question.state.rules.red_fives)
        self._add(clock={"action": said, "seconds": round(question.seconds)}, at=self._moment)

    async def rest(self, seconds: float) -> None:
        """Return once whoever watches has seen how the hand ended; cancelled after that many seconds."""
        looked = self._looked = asyncio.Event()
        self._add(rest=round(1000 * (time.time() + seconds)), at=self._moment)
        try:
            await looked.wait()
        finally:
            self._looked = None
            self._add(rested=True)

    def answer(self, number: int, choice: int) -> None:
        """An answer from a browser, which counts if the question is still open."""
        asked = self._question
        if asked is None or asked.answered.done():
            return
        if asked.question.number == number and 0 <= choice < len(asked.question.legal):
            asked.answered.set_result(asked.question.legal[choice])

    def looked(self) -> None:
        """Whoever watches has seen how the hand ended."""
        if self._looked is not None:
            self._looked.set()

    def want_hints(self, *, wanted: bool) -> None:
        """Give hints from now on, or none."""
        if self._hints is not None:
            self._hints.wanted = wanted
            self._give_hint()

    def _give_hint(self) -> None:
        hints, asked = self._hints, self._question
        if hints is None or not hints.wanted or asked is None or asked.hinted:
            return
        asked.hinted = True

        async def give() -> None:
            fields = await hints.hint(asked.question, _estimator)
            if self._question is asked:
                self._add(hint=fields, number=asked.question.number)

        self._hinting = asyncio.ensure_future(give())
        self._hinting.add_done_callback(_report)

    def _add(self, **fields: Any) -> None:
        self._history.add(self.shown.key, fields)


@dataclass(slots=True)
class _OpenQuestion:
    """A question that is open, the answer to it, and whether a hint has been given."""

    question: Question
    answered: asyncio.Future[Action]
    hinted: bool = False


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("no hint", error=str(task.exception()))


@cache
def _estimator() -> DangerEstimator:
    return best_estimator()[0]
