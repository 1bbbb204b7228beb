"""Thought in a worker thread under a deadline, with an answer ready before it starts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from engine.model.actions import Action
from engine.model.events import Event
from engine.policy.decision import Budget, Decider, Decision, Listener
from engine.policy.fallback import fallback
from engine.state import GameState

NODES_PER_SECOND: Final = 150_000
"""Search nodes a second that a busy core manages (an idle one of 2024 does twice as many). A number, not measured: so
that the same game, played again, is thought about alike."""
AIM: Final = 0.125
"""Share of the allowed time that a search is sized for: the bank is for the unforeseen."""
SOFT: Final = 0.8
"""Share of the allowed time after which the policy is told to finish with its best so far."""


class Outcome(StrEnum):
    """Whose answer a thought is."""

    DECIDED = "decided"
    LATE = "late"
    """The policy was not ready in time; the fallback answers."""
    ILLEGAL = "illegal"
    """The policy chose what is not legal; the fallback answers."""
    FAILED = "failed"
    """The policy raised; the fallback answers."""


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of thinking.

    Attributes:
        decision: always legal; ``elapsed`` filled in.
        outcome: whose it is.
        error: what the policy raised, if it did.
    """

    decision: Decision
    outcome: Outcome = Outcome.DECIDED
    error: Exception | None = None


class Thinker:
    """One policy in one thread of its own: nothing it does can hold up the connection.

    A thought that overran its deadline ends by itself at its next look at the budget; until then the next one waits,
    inside its own deadline.
    """

    def __init__(self, decider: Decider) -> None:
        self.decider = decider
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="thinker")

    def start_kyoku(self) -> None:
        """A new hand: the policy forgets the last one, after what it is still busy with."""
        self._threads.submit(self.decider.start_kyoku)

    def hear(self, event: Event, seat: int) -> None:
        """Something happened, as ``seat`` sees it: a policy that listens is told, after what it is still busy with."""
        if isinstance(self.decider, Listener):
            self._threads.submit(self.decider.hear, event, seat)

    async def think(self, state: GameState, legal: Sequence[Action], seconds: float) -> Thought:
        """Decide within ``seconds``; raises nothing.

        Args:
            state: the seat's view; a copy is thought about.
            legal: its legal actions, at least one.
            seconds: until the answer must be there.
        """
        ready = fallback(state, legal)
        started = time.monotonic()
        budget = Budget(
            nodes=round(NODES_PER_SECOND * AIM * seconds),
            expired=lambda: time.monotonic() - started > SOFT * seconds,
        )
        work = asyncio.get_running_loop().run_in_executor(self._threads, self._decide, state.copy(), legal, budget)
        done, _ = await asyncio.wait((work,), timeout=seconds)
        elapsed = time.monotonic() - started
        if not done:
            work.add_done_callback(_forget)
            return Thought(replace(ready, elapsed=elapsed), Outcome.LATE)
        error = work.exception()
        if error is not None:
            fault = error if isinstance(error, Exception) else RuntimeError(str(error))
            return Thought(replace(ready, elapsed=elapsed), Outcome.FAILED, fault)
        decision = work.result()
        if not state.is_legal(decision.action):
            wrong = ValueError(f"{decision.action} is not legal; legal are: {', '.join(map(str, legal))}")
            return Thought(replace(ready, elapsed=elapsed), Outcome.ILLEGAL, wrong)
        return Thought(decision)

    def close(self) -> None:
        """Let the thread end; does not wait for a thought that overran."""
        if isinstance(self.decider, Listener):
            self._threads.submit(self.decider.close)
            self._threads.shutdown(wait=False)
        else:
            self._threads.shutdown(wait=False, cancel_futures=True)

    def _decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        started = time.perf_counter()
        decision = self.decider.decide(state, legal, budget)
        return replace(decision, elapsed=time.perf_counter() - started)


def _forget(work: asyncio.Future[Decision]) -> None:
    """Look at a late result, so that nothing complains that nobody did."""
    if not work.cancelled():
        work.exception()
