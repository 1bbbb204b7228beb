"""The seat of a person at the live page: the questions, the answers, and hints."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import structlog

from bot.deciding.ask import Outcome, Question
from bot.deciding.thinker import Thinker
from bot.page.history import History
from bot.page.table import written_action
from bot.review.document import Truth
from bot.watch.feed import Feed, Later, danger_estimator, immediately
from bot.watch.moments import decision_moment, question_fields, risks_of
from bot.watch.shown import Shown
from engine.model.actions import Action
from engine.model.events import Event, StartKyoku
from engine.policy.decision import Decider, Decision
from engine.state import GameState

log = structlog.get_logger()
SECONDS: Final = 5.0
"""Seconds that a hint may take."""


class Seat(Feed):
    """The feed of a table at which a person plays, who is asked on the page."""

    def __init__(
        self,
        shown: Shown,
        history: History,
        later: Later = immediately,
        make_advisor: Callable[[], Decider] | None = None,
    ) -> None:
        """Prepare.

        Args:
            shown: the game in the list.
            history: what browsers read; its run says whether the person wants hints.
            later: words a decision.
            make_advisor: makes the policy that gives hints; None: there are no hints.
        """
        super().__init__(shown, history, later)
        self._make_advisor = make_advisor
        self._advisor: Thinker | None = None
        self._asked: Question | None = None
        self._answer: asyncio.Future[Action] | None = None
        self._hint: asyncio.Task[None] | None = None
        self._looked: asyncio.Event | None = None

    def happened(self, state: GameState, event: Event, truth: Truth | None = None) -> None:
        """Show the table after an event, of which the advisor hears, too."""
        if self._advisor is not None:
            self._advisor.hear(event, state.seat)
            if isinstance(event, StartKyoku):
                self._advisor.start_kyoku()
        super().happened(state, event, truth)

    def decided(self, state: GameState, decision: Decision, outcome: Outcome) -> None:
        """Show what the person answered; what threatens the seat is for a hint to say."""
        red_fives = state.rules.red_fives
        self._decide(lambda: decision_moment(decision, outcome, red_fives=red_fives))

    def close(self) -> None:
        """The game is over."""
        if self._advisor is not None:
            self._advisor.close()
            self._advisor = None

    async def ask(self, question: Question) -> Action:
        """Ask whoever watches, until somebody answers; cancelled when it is too late."""
        self._asked, self._answer = question, asyncio.get_running_loop().create_future()
        until = time.time() + question.seconds
        self._add(ask=question_fields(question, until), at=self._moment)
        self.give_hint()
        try:
            return await self._answer
        finally:
            if self._hint is not None:
                self._hint.cancel()
            self._asked = self._answer = self._hint = None
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
        asked, answer = self._asked, self._answer
        if asked is None or answer is None or answer.done():
            return
        if asked.number == number and 0 <= choice < len(asked.legal):
            answer.set_result(asked.legal[choice])

    def looked(self) -> None:
        """Whoever watches has seen how the hand ended."""
        if self._looked is not None:
            self._looked.set()

    def give_hint(self) -> None:
        """Give a hint on the open question, if hints are wanted and it has none yet."""
        asked, make = self._asked, self._make_advisor
        if asked is None or make is None or self._hint is not None or not self._history.run.get("hints"):
            return
        self._hint = asyncio.ensure_future(self._advise(asked, make))
        self._hint.add_done_callback(_report)

    async def _advise(self, question: Question, make_advisor: Callable[[], Decider]) -> None:
        """Show the advisor's answer, with its figures and reasons, and the danger of each tile."""
        if self._advisor is None:
            self._advisor = Thinker(make_advisor())
        state = question.state
        thought = await self._advisor.think(replace(question, seconds=min(SECONDS, question.seconds)))
        fields = decision_moment(thought.decision, thought.outcome, red_fives=state.rules.red_fives)
        fields |= risks_of(danger_estimator, state)
        if self._asked is question:
            self._add(hint=fields, number=question.number)


def _report(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception() is not None:
        log.error("no hint", error=str(task.exception()))
