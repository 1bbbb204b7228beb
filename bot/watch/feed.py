"""From a game to the page: a watcher for each table, and what the page says of the run."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import structlog

from bot.deciding.ask import Outcome
from bot.deciding.person import Question
from bot.text import brief
from bot.watch.history import History
from bot.watch.moments import decision_moment, end_fields, moment_fields, question_fields, risks_of
from engine.model.actions import Action
from engine.model.events import EndGame, Event, StartGame
from engine.opponents.danger import DangerEstimator
from engine.opponents.model import best_estimator
from engine.policy.decision import Decision
from engine.state import GameState

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


@dataclass(slots=True)
class Shown:
    """A game as the page lists it.

    Attributes:
        key: identifies it.
        account: label of the account, cleaned.
        record: its record; None if there is none.
        over: whether it has ended.
        end: points and places, once it has ended.
        review: state of its review: empty, ``making``, ``ready``, or why there is none.
    """

    key: int
    account: str
    record: Path | None = None
    over: bool = False
    end: dict[str, Any] | None = None
    review: str = ""

    def fields(self) -> dict[str, Any]:
        """The game as JSON shows it."""
        return {
            "key": self.key,
            "account": self.account,
            "over": self.over,
            "end": self.end,
            "record": self.record.name if self.record else "",
            "review": self.review,
        }


@dataclass(slots=True)
class Stage:
    """Everything that the page shows of a run.

    Attributes:
        results: reads the results of the day, elsewhere than on the event loop.
        history: what browsers read.
        games: the games, oldest first.
        feeds: those of the games that are running.
    """

    results: Callable[[], list[dict[str, Any]]] = list
    history: History = field(default_factory=History)
    games: list[Shown] = field(default_factory=list)
    feeds: dict[int, Feed] = field(default_factory=dict)
    _worker: Worker = field(default_factory=Worker)

    def open(
        self, account: str, names: Callable[[], Sequence[str]], record: Path | None = None, *, at_once: bool = False
    ) -> Feed:
        """Begin to show a game.

        Args:
            account: label of the account.
            names: returns the names of the players by absolute seat.
            record: its record.
            at_once: whether decisions are worded at once, which takes milliseconds; nobody must be playing.
        """
        shown = Shown(self.history.open(), brief(account, 24), record)
        self.games.append(shown)
        feed = Feed(shown, names, self.history, None if at_once else self._worker)
        self.feeds[shown.key] = feed
        self.list_games()
        return feed

    def close(self, feed: Feed) -> None:
        """The game of a feed is over, or lost."""
        feed.shown.over = True
        self.feeds.pop(feed.shown.key, None)
        self.list_games()
        self.show_results()

    def list_games(self) -> None:
        """Show the list of games as it is now."""
        self.history.tell(games=[shown.fields() for shown in self.games])

    def show_results(self) -> None:
        """Show the results of the day as they are now."""
        self._worker.do(self.results, lambda days: self.history.tell(days=days))

    def find(self, key: int) -> Shown | None:
        """The game with that key."""
        return next((shown for shown in self.games if shown.key == key), None)

    def end(self) -> None:
        """Nothing more happens."""
        self.history.tell(ended=True)
        self._worker.close()


class Feed:
    """A watcher that writes what happens at one table into the history.

    Attributes:
        shown: the game in the list.
    """

    def __init__(
        self, shown: Shown, names: Callable[[], Sequence[str]], history: History, worker: Worker | None
    ) -> None:
        self.shown = shown
        self._names = names
        self._history = history
        self._worker = worker
        self._moment = -1
        self._question: tuple[int, Sequence[Action], asyncio.Future[Action]] | None = None

    def happened(self, state: GameState, event: Event) -> None:
        """Show the table after an event."""
        self._moment += 1
        if isinstance(event, EndGame):
            self.shown.end = end_fields(event, state.seat)
        names = event.names if isinstance(event, StartGame) else self._names()
        self._add(moment=self._moment, **moment_fields(state, event, names))

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Show a decision, once it has been worded elsewhere than on the event loop."""
        view, moment = state.copy(), self._moment
        red_fives = state.rules.red_fives

        def work() -> dict[str, Any]:
            return {**decision_moment(decision, outcome, red_fives=red_fives), **risks_of(_estimator, view)}

        def show(fields: dict[str, Any]) -> None:
            self._add(decision=fields, at=moment)

        if self._worker is None:
            show(work())
        else:
            self._worker.do(work, show)

    def noted(self, text: str) -> None:
        """Show a message."""
        self._add(note=brief(text), at=self._moment)

    async def ask(self, question: Question) -> Action:
        """Ask whoever watches, until somebody answers; cancelled when it is too late."""
        answered: asyncio.Future[Action] = asyncio.get_running_loop().create_future()
        number = question.number
        self._question = (number, question.legal, answered)
        until = time.time() + question.seconds
        self._add(ask=question_fields(question, until), at=self._moment)
        try:
            return await answered
        finally:
            self._question = None
            self._add(answered=number)

    def answer(self, number: int, choice: int) -> None:
        """An answer from a browser, which counts if the question is still open."""
        if self._question is None:
            return
        asked, legal, answered = self._question
        if asked == number and 0 <= choice < len(legal) and not answered.done():
            answered.set_result(legal[choice])

    def _add(self, **fields: Any) -> None:
        self._history.add(self.shown.key, fields)


@cache
def _estimator() -> DangerEstimator:
    return best_estimator()[0]
