"""Everything that the live page shows of a run, and who hears what is said there."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import structlog

from bot.machine.text import brief
from bot.page.history import History
from bot.watch.feed import Feed, immediately
from bot.watch.seat import Seat
from bot.watch.shown import LogView, Shown
from engine.policy.decision import Decider

log = structlog.get_logger()
WAITING: Final = 16
"""Number of decisions that wait to be worded; of further ones only the table is shown."""

Listener = Callable[[object], Coroutine[Any, Any, None] | None]
"""Hears what a browser says, and does what is its own to do; returns what takes longer. It ignores the rest."""


@dataclass(slots=True)
class Stage:
    """Everything that the page shows of a run.

    Games are written into the history as they happen. What takes long waits in a queue, from which one task takes it.
    """

    results: Callable[[], list[dict[str, Any]]] = list  # reads the results of the day, elsewhere than on the event loop
    history: History = field(default_factory=History)  # what browsers read; its run has what the person has chosen
    games: list[Shown] = field(default_factory=list)  # the games, oldest first
    seats: dict[int, Seat] = field(default_factory=dict)  # by the key of the game, where a person plays
    listeners: list[Listener] = field(default_factory=list)  # those who hear what browsers say, beside the stage
    _again: asyncio.Event = field(default_factory=asyncio.Event)  # set when a person wants to play another game
    _waiting: asyncio.Queue[tuple[Callable[[], Any], Callable[[Any], None]]] = field(
        default_factory=lambda: asyncio.Queue(WAITING)
    )
    _consumer: asyncio.Task[None] | None = None

    # -- games -----------------------------------------------------------------------------------------------------

    def open(
        self, account: str, record: Path | None = None, view: LogView | None = None, *, at_once: bool = False
    ) -> Feed:
        """Begin to show a game.

        Args:
            account: label of the account.
            record: its record.
            view: the log, if it is one, as one seat saw it.
            at_once: whether decisions are worded at once, which takes milliseconds; nobody must be playing.
        """
        shown = self._list(account, record, view=view)
        return Feed(shown, self.history, immediately if at_once else self._later)

    def open_seat(
        self, account: str, record: Path | None = None, make_advisor: Callable[[], Decider] | None = None
    ) -> Seat:
        """Begin to show a game that a person plays on the page; without an advisor there are no hints."""
        shown = self._list(account, record, person=True)
        seat = self.seats[shown.key] = Seat(shown, self.history, self._later, make_advisor)
        return seat

    def close(self, feed: Feed) -> None:
        """The game of a feed is over, or lost."""
        feed.shown.over = True
        feed.close()
        self.seats.pop(feed.shown.key, None)
        self.list_games()
        self.show_results()

    def list_games(self) -> None:
        """Show the list of games as it is now."""
        self.history.tell(games=[shown.fields() for shown in self.games])

    def show_results(self) -> None:
        """Show the results of the day as they are now."""
        self._later(self.results, lambda days: self.history.tell(days=days))

    def shows(self, log: int, seat: int) -> bool:
        """Whether a log is shown as that seat saw it; views whose messages have been dropped are forgotten."""
        self.games = [one for one in self.games if one.view is None or one.key in self.history.games]
        return any(one.view is not None and (one.view.log, one.view.seat) == (log, seat) for one in self.games)

    def find(self, key: int) -> Shown | None:
        """The game with that key."""
        return next((shown for shown in self.games if shown.key == key), None)

    def _list(self, account: str, record: Path | None, **more: Any) -> Shown:
        """A new game in the list."""
        shown = Shown(self.history.open(), brief(account, 24), record, **more)
        self.games.append(shown)
        self.list_games()
        return shown

    # -- the person ------------------------------------------------------------------------------------------------

    def hear(self, said: object) -> None:
        """Do what a browser says at the seat."""
        match said:
            case {"do": "answer", "game": int(game), "number": int(number), "choice": int(choice)}:
                if (seat := self.seats.get(game)) is not None:
                    seat.answer(number, choice)
            case {"do": "looked", "game": int(game)}:
                if (seat := self.seats.get(game)) is not None:
                    seat.looked()
            case {"do": "choose", "what": "hints" | "sound" | "sort" as what, "wanted": bool(wanted)}:
                self.choose(**{what: wanted})
            case {"do": "choose", "what": "pace", "wanted": "slow" | "normal" | "instant" as wanted}:
                self.choose(pace=wanted)
            case {"do": "again"}:
                self._again.set()

    def choose(self, **chosen: bool | str) -> None:
        """Set what a person chooses at the seat: hints or none, a pace, sounds or none, tiles in order or as drawn."""
        self.history.tell(**chosen)
        for seat in self.seats.values():
            seat.give_hint()

    async def wait_for_another(self) -> None:
        """Offer another game, and return once it is wanted."""
        self._again.clear()
        self.history.tell(again=True)
        try:
            await self._again.wait()
        finally:
            self.history.tell(again=False)

    # -- what takes long -------------------------------------------------------------------------------------------

    def _later(self, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """Do the first in a thread and then the second with its result; neither where too much waits."""
        if self._consumer is None:
            self._consumer = asyncio.ensure_future(self._consume())
        with suppress(asyncio.QueueFull):
            self._waiting.put_nowait((work, then))

    async def _consume(self) -> None:
        while True:
            work, then = await self._waiting.get()
            try:
                then(await asyncio.to_thread(work))
            except Exception as error:  # noqa: BLE001 - what cannot be worded is not shown, and the game goes on
                log.error("nothing to show", error=f"{type(error).__name__}: {error}")  # noqa: TRY400

    def end(self) -> None:
        """Nothing more happens."""
        self.history.tell(ended=True)
        if self._consumer is not None:
            self._consumer.cancel()
