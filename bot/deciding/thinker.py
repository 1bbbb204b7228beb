"""Decisions in a worker thread under a deadline, with a fallback prepared before they start."""

from __future__ import annotations

import asyncio
import threading
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
"""Share of the allowed time after which the policy is asked to finish with its best so far."""


OnOverrun = Callable[[int, Spent], None]


class Thinks(Protocol):
    """Whatever decides for a player: :class:`Thinker`, or a replay of a recorded game."""

    def start_kyoku(self) -> None:
        """A new hand begins."""

    def hear(self, event: Event, seat: int) -> None:
        """An event happened, as ``seat`` sees it."""

    async def think(self, state: GameState, legal: Sequence[Action], seconds: float, number: int = 0) -> Thought:
        """Decide; see :meth:`Thinker.think`."""


class Thinker:
    """One policy in its own thread, so that nothing it does can block the connection.

    A decision that overran its deadline ends by itself when it next checks the budget; until then the next one waits,
    within its own deadline.

    Attributes:
        decider: the policy.
        on_overrun: called, once it has ended, with the number of each decision that came too late and what it spent.
    """

    def __init__(self, decider: Decider) -> None:
        self.decider = decider
        self.on_overrun: OnOverrun | None = None
        self._listener = decider if isinstance(decider, Listener) else None
        self._pace = Pace()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="thinker")
        self._work: asyncio.Future[Decision] | None = None

    def start_kyoku(self) -> None:
        """A new hand begins: the policy forgets the last one, after its current work."""
        self._threads.submit(self.decider.start_kyoku)

    def hear(self, event: Event, seat: int) -> None:
        """Pass an event, as ``seat`` sees it, to a policy that listens, after its current work."""
        if self._listener is not None:
            self._threads.submit(self._listener.hear, event, seat)

    async def think(self, state: GameState, legal: Sequence[Action], seconds: float, number: int = 0) -> Thought:
        """Decide within ``seconds``; raises nothing.

        Args:
            state: the seat's view; the policy gets a copy.
            legal: its legal actions, at least one.
            seconds: time until the answer must be there.
            number: identifies the decision afterwards.
        """
        digest = state.digest()
        ready = fallback(state, legal)
        view = state.copy()
        started = time.monotonic()
        meter = BudgetMeter(lambda: time.monotonic() - started > SOFT * seconds, self._pace.nodes(seconds))
        work = asyncio.get_running_loop().run_in_executor(self._threads, self._decide, view, legal, meter.budget)
        self._work = work
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
        """Let the thread end; does not wait for a decision that overran.

        A policy that listens, such as an external program, is closed after it has heard the whole game. If it is still
        deciding, it is closed now, so that a program that hangs is not waited for.
        """
        if self._listener is None:
            self._threads.shutdown(wait=False, cancel_futures=True)
        elif self._work is not None and not self._work.done():
            self._threads.shutdown(wait=False, cancel_futures=True)
            threading.Thread(target=self._listener.close, name="closing").start()
        else:
            self._threads.submit(self._listener.close)
            self._threads.shutdown(wait=False)

    def _decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        started = time.perf_counter()
        decision = self.decider.decide(state, legal, budget)
        return replace(decision, elapsed=time.perf_counter() - started)

    def _overran(self, number: int, meter: BudgetMeter, work: asyncio.Future[Decision]) -> None:
        if work.cancelled():
            return
        work.exception()  # retrieved so that asyncio does not report it as unhandled
        if self.on_overrun is not None:
            self.on_overrun(number, meter.spent)
