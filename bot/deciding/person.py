"""A person in the place of a policy: whoever sits at the terminal or at the live page answers."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Protocol

import structlog

from bot.deciding.ask import Outcome, Question, Thought
from bot.deciding.thinker import Thinker
from engine.model.actions import Action
from engine.policy.decision import Budget, Decider, Decision
from engine.policy.forced import fallback
from engine.state import GameState

log = structlog.get_logger()

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
    """A person who is asked in every way there is; the first answer counts. Without one, the fallback answers.

    Attributes:
        askers: the ways to ask; none if nobody is there.
    """

    def __init__(self) -> None:
        super().__init__(_Silent())
        self.askers: list[Asker] = []
        self._questions = 0

    def start_kyoku(self) -> None:
        """A new hand begins: a person sees it."""

    def close(self) -> None:
        """The game is over; the person may play another."""

    async def think(self, question: Question) -> Thought:
        """The first answer in time, or in its place the fallback's. A single legal action is taken unasked."""
        if len(question.legal) == 1:
            return Thought(Decision(question.legal[0], mode="forced"), question=question)
        started = time.monotonic()
        self._questions += 1
        shown = replace(question, number=self._questions)  # numbers of the server begin again with each game
        answer = await self._first_answer(shown)
        elapsed = time.monotonic() - started
        if answer is None:
            instead = question.fallback()
            for asker in self.askers:
                asker.missed(shown, instead.action)
            return Thought(replace(instead, elapsed=elapsed), Outcome.LATE, question=question)
        return Thought(Decision(answer, mode=HUMAN, elapsed=elapsed), question=question)

    async def rest(self) -> None:
        """Wait until the person has seen how the hand ended, wherever that is shown first; at most :data:`REST`."""
        looking = [asyncio.ensure_future(asker.rest(REST)) for asker in self.askers]
        if not looking:
            return
        try:
            await asyncio.wait(looking, timeout=REST, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in looking:
                task.cancel()
            await asyncio.gather(*looking, return_exceptions=True)

    async def _first_answer(self, question: Question) -> Action | None:
        """The first answer that anybody gives in time. A way to ask that fails gives none."""
        asking = [asyncio.ensure_future(asker.ask(question)) for asker in self.askers]
        waiting = set(asking)
        try:
            async with asyncio.timeout(question.seconds):
                while waiting:
                    done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        error = task.exception()
                        if error is None:
                            return task.result()
                        log.error("a way to ask has failed", error=f"{type(error).__name__}: {error}")
                await asyncio.Event().wait()  # there is nobody to ask; the time runs out
        except TimeoutError:
            pass
        finally:
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
        return None
