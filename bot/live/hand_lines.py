"""One line for each hand, for output that is not a terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from rich.console import Console

from bot.deciding.ask import Outcome
from bot.text import brief
from bot.wording.events import event_words
from bot.wording.seats import naming
from bot.wording.tiles import plain
from engine.model.events import EndGame, Event, Ryuukyoku, StartKyoku, Win
from engine.policy.decision import Decision
from engine.state import GameState

NAME_LENGTH: Final = 16


class HandLines:
    """A watcher that prints how each hand ended and the points after it."""

    def __init__(self, names: Callable[[], Sequence[str]], out: Console, account: str = "") -> None:
        """Create one.

        Args:
            names: returns the names of the players by seat.
            out: where the lines are printed.
            account: label of the account, which begins each line; empty if there is only one.
        """
        self._names = names
        self._out = out
        self._account = f"{brief(account, 24)}  " if account else ""
        self._place = ""
        self._ends: list[str] = []

    def happened(self, state: GameState, event: Event) -> None:
        """Print the hand that has ended."""
        if isinstance(event, StartKyoku | EndGame):
            self._print(event.scores, state.seat)
        if isinstance(event, Win | Ryuukyoku):
            self._place = state.place()
            who = naming(self._names(), state.seat, NAME_LENGTH)
            self._ends.append(plain(event_words(event, who, red_fives=state.rules.red_fives)))

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Decisions are in the log."""

    def noted(self, text: str) -> None:
        """Notices are in the log."""

    def _print(self, scores: Sequence[int], viewer: int) -> None:
        if not self._ends:
            return
        who = naming(self._names(), viewer, NAME_LENGTH)
        points = "  ".join(f"{who(seat)} {score:,}" for seat, score in enumerate(scores))
        line = f"{self._account}{self._place:<5} {'; '.join(self._ends)}  |  {points}"
        self._ends.clear()
        self._out.print(line, highlight=False, soft_wrap=True, markup=False)
