"""What the bot would do in the place of the person who plays: only for those who ask for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from bot.deciding.person import Question
from bot.deciding.thinker import Thinker
from bot.watch.moments import decision_moment, risks_of
from engine.model.events import Event, StartKyoku
from engine.opponents.danger import DangerEstimator
from engine.policy.decision import Decider
from engine.state import GameState

SECONDS: Final = 5.0
"""Seconds that a hint may take."""


@dataclass(slots=True)
class Hints:
    """Gives hints at one table.

    Attributes:
        make: makes the policy that gives them; called once it is needed.
        wanted: whether the person wants hints.
    """

    make: Callable[[], Decider]
    wanted: bool = False
    _thinker: Thinker | None = None

    def happened(self, event: Event, seat: int) -> None:
        """Pass an event to the policy."""
        if self._thinker is not None:
            self._thinker.hear(event, seat)
            if isinstance(event, StartKyoku):
                self._thinker.start_kyoku()

    async def hint(self, question: Question, estimator: Callable[[], DangerEstimator]) -> dict[str, Any]:
        """What the policy would answer, with its figures and reasons, and the danger of each tile."""
        if self._thinker is None:
            self._thinker = Thinker(self.make())
        state: GameState = question.state
        thought = await self._thinker.think(state, question.legal, min(SECONDS, question.seconds))
        fields = decision_moment(thought.decision, thought.outcome, red_fives=state.rules.red_fives)
        return {**fields, **risks_of(estimator, state)}

    def close(self) -> None:
        """The game is over."""
        if self._thinker is not None:
            self._thinker.close()
            self._thinker = None
