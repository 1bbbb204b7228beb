"""The referee of one game whose players answer one by one: who is asked what, and what happens then.

The game is played at a table of the simulator (:class:`engine.simulator.tables.Tables`), which decides what follows an
answer. Its events are followed by the views of the four seats, whose legal answers are the prompts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.arena.walls import Shuffle, Wall, WallOrders
from engine.model.actions import PASS, Action, ActionKind
from engine.model.events import Discard, EndGame, Event, StartGame, StartKyoku
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import four
from engine.model.standing import Standing
from engine.rules.answers import number_of
from engine.simulator.history import HandHistory
from engine.simulator.tables import Tables
from engine.state import FourViews, GameState

Flags4 = tuple[bool, bool, bool, bool]
_NOBODY: Final[Flags4] = (False, False, False, False)


class IllegalAnswerError(ValueError):
    """An answer that is missing, unexpected or not legal; the message names the seat and what is legal."""


@dataclass(frozen=True, slots=True)
class Step:
    """The events of one step, and the prompts that follow."""

    events: tuple[Event, ...]  # events with full information, in Tenhou's order
    # for each event, the seats that are furiten, as their players are informed just before it
    furiten: tuple[Flags4, ...]
    prompts: Mapping[int, tuple[Action, ...]]  # legal answers by seat; all must answer. Empty when the game is over.

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return not self.prompts


class Referee:
    """One game. Call :meth:`start`, then :meth:`answer` until a step is over.

    The same rules, walls and answers give the same game.

    Attributes:
        rules: rules of the table.
        shuffle: the seed of the walls, as a log states it; empty if the walls were given.
        step: the last step.
        events: all events so far.
    """

    def __init__(
        self,
        rules: Rules = HANCHAN,
        seed: int = 0,
        names: tuple[str, str, str, str] = ("", "", "", ""),
        walls: Iterable[Wall] | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Prepare a game.

        Args:
            rules: rules of the table.
            seed: seed of the walls.
            names: names by seat, passed on in ``StartGame``.
            walls: one wall for each hand, instead of those of ``seed``.
            standing: where the game is taken up, instead of its beginning.
        """
        shuffle = Shuffle.from_seed(seed)
        self.rules = rules
        self.shuffle = shuffle.text if walls is None else ""
        self.events: list[Event] = []
        self.step = Step((), (), {})
        self._names = names
        self._orders = WallOrders(shuffle if walls is None else walls)
        self._tables = Tables(1, rules, walls=[self._orders])
        if standing is not None:
            at = np.zeros(1, np.int64)
            self._tables.take_up(at, standing.kyoku, standing.honba, standing.sticks, standing.scores)
        self._history = HandHistory(rules)
        self._views = FourViews(rules)
        self._furiten = list(_NOBODY)

    def start(self) -> Step:
        """Start the game, up to the dealer's first choice."""
        return self._next([StartGame(self.rules, self._names)])

    def answer(self, answers: Mapping[int, Action]) -> Step:
        """Continue with one answer for each prompted seat. A win has priority over pon and kan, and these over chi.

        Raises:
            IllegalAnswerError: an answer is missing, unexpected or not legal; nothing has changed.
        """
        self._check(answers)
        numbers = []
        for seat in self._tables.questions().seats.tolist():
            answer = answers[seat]
            numbers.append(number_of(answer, self._views[seat].drawn, self.rules.red_fives))
            if answer.kind is not ActionKind.RON and _wins(self.step.prompts[seat]):
                self._furiten[seat] = True
        self._tables.answer(np.array(numbers))
        return self._next([])

    def legal(self, seat: int, action: Action) -> bool:
        """Whether ``action`` is a legal answer of ``seat`` now."""
        return seat in self.step.prompts and self._views[seat].is_legal(action)

    def tile_in_question(self, seat: int) -> int | None:
        """The tile that a prompted seat answers about: its draw, or another's tile; None after its own chi or pon."""
        view = self._views[seat]
        return view.offered if PASS in self.step.prompts.get(seat, ()) else view.drawn

    def _check(self, answers: Mapping[int, Action]) -> None:
        prompts = self.step.prompts
        if set(answers) != set(prompts):
            raise IllegalAnswerError(
                f"seats {sorted(prompts)} must answer, but there are answers from {sorted(answers)}"
            )
        for seat, action in answers.items():
            if not self.legal(seat, action):
                legal = ", ".join(map(str, prompts[seat]))
                raise IllegalAnswerError(f"seat {seat}: {action!r} is not legal here; legal are: {legal}")

    def _next(self, events: list[Event]) -> Step:
        """The step with what has happened, after the hands that have ended the next one dealt."""
        game = self._tables.games[0]
        events += self._history.news(game)
        if len(self._tables.deal()):
            events += [
                replace(event, dice=self._orders.dice) if isinstance(event, StartKyoku) else event
                for event in self._history.news(game)
            ]
        furiten = [self._take_in(event) for event in events]
        prompts = {seat: self._views[seat].legal_actions() for seat in self._tables.questions().seats.tolist()}
        self.step = Step(tuple(events), tuple(furiten), prompts)
        return self.step

    def _take_in(self, event: Event) -> Flags4:
        """Let an event happen before the four seats; who is furiten as it is announced."""
        self.events.append(event)
        self._views.apply(event)
        if isinstance(event, StartKyoku | EndGame):
            self._furiten = list(_NOBODY)
        elif isinstance(event, Discard):
            self._furiten = [
                view.furiten if view.seat == event.seat else self._furiten[view.seat] or _misses(view)
                for view in self._views
            ]
        return four(self._furiten)


def _wins(actions: Iterable[Action]) -> bool:
    """Whether one of the answers is to win on another's tile."""
    return any(action.kind is ActionKind.RON for action in actions)


def _misses(view: GameState) -> bool:
    """Whether the tile on offer completes a hand that cannot win on it, which makes it furiten."""
    return view.missed and not _wins(view.legal_actions())
