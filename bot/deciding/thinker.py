"""Thought in a worker thread under a deadline, with an answer ready before it starts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from bot.deciding.ask import Outcome, Thought, judge
from bot.deciding.pace import Pace
from bot.record.budget import BudgetMeter, Spent
from engine.model.actions import Action
from engine.model.events import Event
from engine.policy.decision import Budget, Decider, Decision, Listener
from engine.policy.fallback import fallback
from engine.state import GameState

SOFT: Final = 0.8
"""Share of the allowed time after which the policy is told to finish with its best so far."""


OnOverrun = Callable[[int, Spent], None]


class Thinks(Protocol):
    """Whoever answers for a player: :class:`Thinker`, or one that repeats a recorded game."""

    def start_kyoku(self) -> None:
        """A new hand."""

    def hear(self, event: Event, seat: int) -> None:
        """Something happened, as ``seat`` sees it."""

    async def think(self, state: GameState, legal: Sequence[Action], seconds: float, number: int = 0) -> Thought:
        """Decide; see :meth:`Thinker.think`."""


class Thinker:
    """One policy in one thread of its own: nothing it does can hold up the connection.

    A thought that overran its deadline ends by itself at its next look at the budget; until then the next one waits,
    inside its own deadline.

    Attributes:
        decider: the policy.
        on_overrun: told the number of each thought whose answer nobody waited for any more, and what it spent, once
            it is over.
    """

    def __init__(self, decider: Decider) -> None:
        self.decider = decider
        self.on_overrun: OnOverrun | None = None
        self._listener = decider if isinstance(decider, Listener) else None
        self._pace = Pace()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="thinker")

    def start_kyoku(self) -> None:
        """A new hand: the policy forgets the last one, after what it is still busy with."""
        self._threads.submit(self.decider.start_kyoku)

    def hear(self, event: Event, seat: int) -> None:
        """Something happened, as ``seat`` sees it: a policy that listens is told, after what it is still busy with."""
        if self._listener is not None:
            self._threads.submit(self._listener.hear, event, seat)

    async def think(self, state: GameState, legal: Sequence[Action], seconds: float, number: int = 0) -> Thought:
        """Decide within ``seconds``; raises nothing.

        Args:
            state: the seat's view; a copy is thought about.
            legal: its legal actions, at least one.
            seconds: until the answer must be there.
            number: by which the thought is told from others afterwards.
        """
        digest = state.digest()
        ready = fallback(state, legal)
        view = state.copy()
        started = time.monotonic()
        meter = BudgetMeter(lambda: time.monotonic() - started > SOFT * seconds, self._pace.nodes(seconds))
        work = asyncio.get_running_loop().run_in_executor(self._threads, self._decide, view, legal, meter.budget)
        overran = partial(self._overran, number, meter)
        try:
            done, _ = await asyncio.wait((work,), timeout=seconds)
        except asyncio.CancelledError:
            work.add_done_callback(overran)
            raise
        elapsed = time.monotonic() - started
        if not done:
            self._pace.saw(seconds, elapsed, searched=True)
            work.add_done_callback(overran)
            return Thought(replace(ready, elapsed=elapsed), Outcome.LATE, number=number, digest=digest)
        error = work.exception()
        thought = judge(state, legal, replace(ready, elapsed=elapsed), work.result() if error is None else error)
        self._pace.saw(seconds, elapsed, thought.decision.nodes > 0)
        return replace(thought, number=number, digest=digest, spent=meter.spent)

    def close(self) -> None:
        """Let the thread end; does not wait for a thought that overran."""
        if self._listener is not None:
            self._threads.submit(self._listener.close)
            self._threads.shutdown(wait=False)
        else:
            self._threads.shutdown(wait=False, cancel_futures=True)

    def _decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        started = time.perf_counter()
        decision = self.decider.decide(state, legal, budget)
        return replace(decision, elapsed=time.perf_counter() - started)

    def _overran(self, number: int, meter: BudgetMeter, work: asyncio.Future[Decision]) -> None:
        if work.cancelled():
            return
        work.exception()  # looked at, so that nothing complains that nobody did
        if self.on_overrun is not None:
            self.on_overrun(number, meter.spent)
