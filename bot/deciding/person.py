"""A person in the place of a policy: whoever sits at the live page answers."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, Protocol

from bot.deciding.ask import Outcome, Question, Thought
from bot.deciding.thinker import Thinker
from engine.model.actions import Action
from engine.policy.decision import Budget, Decider, Decision
from engine.policy.forced import fallback
from engine.state import GameState

HUMAN: Final = "human"
"""Name of a person in the place of a policy."""
REST: Final = 20.0
"""Seconds for which a person may look at the end of a hand before the next one is asked for."""


class Asker(Protocol):
    """A way to ask a person."""

    async def ask(self, question: Question) -> Action:
        """The answer; waits without limit, and is cancelled when it is too late."""

    def missed(self, question: Question, action: Action) -> None:
        """The time of a question was up, and the clock gave that answer."""

    async def rest(self, seconds: float) -> None:
        """Return once the person has seen how the hand ended; cancelled after that many seconds."""


class _Silent(Decider):
    """Answers for a person who does not: safely, as when a policy is late."""

    name = HUMAN

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        return fallback(state, legal)


class Person(Thinker):
    """A person who is asked; the fallback answers for nobody, and in the place of an answer that does not come.

    Attributes:
        asker: the way to ask; None if nobody is there.
    """

    def __init__(self) -> None:
        super().__init__(_Silent())
        self.asker: Asker | None = None
        self._questions = 0

    def start_kyoku(self) -> None:
        """A new hand begins: a person sees it."""

    def close(self) -> None:
        """The game is over; the person may play another."""

    async def think(self, question: Question) -> Thought:
        """The answer, or where it is late the fallback's. A single legal action is taken unasked."""
        if len(question.legal) == 1:
            return Thought(Decision(question.legal[0], mode="forced"), question=question)
        started = time.monotonic()
        self._questions += 1
        shown = replace(question, number=self._questions)  # numbers of the server begin again with each game
        answer = await self._answer(shown)
        elapsed = time.monotonic() - started
        if answer is None:
            instead = question.fallback()
            if self.asker is not None:
                self.asker.missed(shown, instead.action)
            return Thought(replace(instead, elapsed=elapsed), Outcome.LATE, question=question)
        return Thought(Decision(answer, mode=HUMAN, elapsed=elapsed), question=question)

    async def rest(self) -> None:
        """Wait until the person has seen how the hand ended; at most :data:`REST`."""
        if self.asker is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(REST):
                    await self.asker.rest(REST)

    async def _answer(self, question: Question) -> Action | None:
        """The answer that is given in time; None without one, and if nobody can be asked."""
        with suppress(TimeoutError):
            async with asyncio.timeout(question.seconds):
                if self.asker is not None:
                    return await self.asker.ask(question)
                await asyncio.Event().wait()
        return None
