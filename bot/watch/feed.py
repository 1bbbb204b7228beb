"""From a game to the page: a watcher writes each thing that happens at a table as a message into the history."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from bot.deciding.ask import Outcome
from bot.machine.text import brief
from bot.page.history import History
from bot.page.table import WrittenAction
from bot.review.document import Truth
from bot.watch.moments import decision_moment, end_fields, moment_fields, risks_of
from bot.watch.shown import Shown
from engine.model.events import EndGame, Event, StartGame
from engine.opponents.danger import DangerEstimator
from engine.opponents.registry import best_estimator
from engine.policy.decision import Decision
from engine.state import GameState

Later = Callable[[Callable[[], Any], Callable[[Any], None]], None]
"""Does the first, and then the second with its result; now or later, or neither."""


def immediately(work: Callable[[], Any], then: Callable[[Any], None]) -> None:
    """Do both now."""
    then(work())


class Feed:
    """A watcher that writes what happens at one table into the history.

    What is said of a moment names it by its number, so that it may be said late.

    Attributes:
        shown: the game in the list.
    """

    def __init__(self, shown: Shown, history: History, later: Later = immediately) -> None:
        """Prepare.

        Args:
            shown: the game in the list.
            history: what browsers read.
            later: words a decision.
        """
        self.shown = shown
        self._history = history
        self._later = later
        self._names: Sequence[str] = ("", "", "", "")  # of the players, by absolute seat
        self._moment = -1

    def happened(self, state: GameState, event: Event, truth: Truth | None = None) -> None:
        """Show the table after an event; ``truth``: what the others hold, if that is known."""
        self._moment += 1
        if isinstance(event, StartGame):
            self._names = event.names
        if isinstance(event, EndGame):
            self.shown.end = end_fields(event, state.seat)
        fields = moment_fields(state, event, self._names, person=self.shown.person, truth=truth)
        self._add(moment=self._moment, **fields)

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Show a decision, and what threatens the seat."""
        view, red_fives = state.copy(), state.rules.red_fives
        self._decide(lambda: {
            **decision_moment(decision, outcome, red_fives=red_fives), **risks_of(danger_estimator, view)
        })  # fmt: skip

    def chose(self, action: WrittenAction) -> None:
        """Show what a log's player chose here."""
        self._add(choice=action, at=self._moment)

    def noted(self, said: Mapping[str, str]) -> None:
        """Show a message, by language."""
        self._add(note={lang: brief(text) for lang, text in said.items()}, at=self._moment)

    def close(self) -> None:
        """The game is over."""

    def _decide(self, work: Callable[[], dict[str, Any]]) -> None:
        """Show a decision of this moment once it has been worded."""
        moment = self._moment
        self._later(work, lambda fields: self._add(decision=fields, at=moment))

    def _add(self, **fields: Any) -> None:
        self._history.add(self.shown.key, fields)


@cache
def danger_estimator() -> DangerEstimator:
    """What estimates the danger of each tile."""
    return best_estimator()[0]
