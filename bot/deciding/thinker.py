"""Decisions in a worker thread under a deadline, with a fallback for those that come too late."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from bot.deciding.ask import GuardedListener, Question, Spent, Thought, guarded
from bot.machine.outside import OutsideError
from bot.machine.threads import DaemonThread
from engine.model.events import Event
from engine.policy.decision import Budget, Decider, Decision

SOFT: Final = 0.8
"""Share of the allowed time after which the policy is asked to finish with its best so far."""
TO_HEAR: Final = 10.0
"""Seconds within which a policy must have heard the rest of a game, before it is closed."""

OnOverrun = Callable[[int, Spent], None]
NODES_PER_SECOND: Final = 200_000
"""Search nodes per second that a busy core manages: half of what a core of 2024, shared with two other programs,
reached in its slowest decisions (330,000 to 700,000 at 1- to 4-shanten). It is a constant, not measured during play,
so that the same game played again is searched alike if there is enough time."""
AIM: Final = 0.1
"""Share of the allowed time that a decision is sized for; the time bank is for the unforeseen."""
RECOVERY: Final = 1.25
"""After a slow decision, each search that is quick enough increases the next one by this factor."""
LEAST: Final = 1 / 64
"""Smallest share of the nodes, for very slow machines."""


class BudgetMeter:
    """Counts the questions to its :attr:`budget`; for one thread."""

    def __init__(self, expired: Callable[[], bool], nodes: int | None = None) -> None:
        self._expired = expired
        self._asked = 0
        self._expired_at: int | None = None
        self.budget = Budget(nodes, self._ask)

    @property
    def spent(self) -> Spent:
        """The budget used so far."""
        return Spent(self.budget.nodes, self._asked, self._expired_at)

    def _ask(self) -> bool:
        self._asked += 1
        if self._expired_at is None and self._expired():
            self._expired_at = self._asked
        return self._expired_at is not None


class DecisionSource(Protocol):
    """The source of a player's decisions: :class:`Thinker`, or a replay of a recorded game, which no policy hears."""

    def start_kyoku(self) -> None:
        """A new hand begins."""

    async def think(self, question: Question) -> Thought:
        """The answer to a question, in its time; raises nothing."""


class Thinker:
    """One policy in its own thread, so that nothing it does can block the connection.

    A decision that overran its deadline ends by itself when it next checks the budget; until then the next one waits,
    within its own deadline.

    Attributes:
        decider: the policy, guarded.
        on_overrun: called, once it has ended, with the number of each decision that came too late and what it spent.
    """

    def __init__(self, decider: Decider) -> None:
        self.decider = guarded(decider)
        self.on_overrun: OnOverrun | None = None
        self._listener = self.decider if isinstance(self.decider, GuardedListener) else None
        self._pace = Pace()
        self._closed = False
        self._thread = DaemonThread("thinker")
        self._work: asyncio.Future[Decision] | None = None

    def start_kyoku(self) -> None:
        """A new hand begins: the policy forgets the last one, after its current work."""
        self._thread.submit(self.decider.start_kyoku)

    def hear(self, event: Event, seat: int) -> None:
        """Pass an event, as ``seat`` sees it, to a policy that listens, after its current work."""
        if self._listener is not None:
            self._thread.submit(partial(self._listener.hear, event, seat))

    async def think(self, question: Question) -> Thought:
        """The policy's answer, or in its place the fallback's; raises nothing."""
        seconds, started = question.seconds, time.monotonic()
        meter = BudgetMeter(
            lambda: self._closed or time.monotonic() - started > SOFT * seconds, self._pace.nodes(seconds)
        )
        work = asyncio.wrap_future(self._thread.submit(partial(self._decide, question, meter.budget)))
        self._work = work
        overran = partial(self._overran, question.number, meter)
        try:
            done, _ = await asyncio.wait((work,), timeout=seconds)
        except asyncio.CancelledError:
            work.add_done_callback(overran)
            raise
        elapsed = time.monotonic() - started
        if not done:
            self._pace.saw(seconds, elapsed, searched=True)
            work.add_done_callback(overran)
            return Thought.failed(question, self.decider.was_late(), elapsed)
        try:
            thought = Thought(work.result(), question=question)
        except OutsideError as error:
            thought = Thought.failed(question, error, elapsed)
        self._pace.saw(seconds, elapsed, thought.decision.nodes > 0)
        return replace(thought, spent=meter.spent)

    def close(self) -> None:
        """Let the thread end; does not wait for a decision that overran, whose budget ends here.

        A policy that listens, such as an external program, is closed after it has heard the whole game. If it is still
        deciding, it is closed now, so that a program that hangs is not waited for.
        """
        self._closed = True
        work = self._work
        busy = work is not None and not work.done()
        if work is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                work.cancel()
        if self._listener is not None:
            heard = None if busy else self._thread.submit(lambda: None)
            threading.Thread(target=_close, args=(self._listener, heard), name="closing").start()
        self._thread.close(at_once=busy)

    def _decide(self, question: Question, budget: Budget) -> Decision:
        started = time.perf_counter()
        decision = self.decider.decide(question.state, question.legal, budget)
        return replace(decision, elapsed=time.perf_counter() - started)

    def _overran(self, number: int, meter: BudgetMeter, work: asyncio.Future[Decision]) -> None:
        if work.cancelled():
            return
        work.exception()  # retrieved so that asyncio does not report it as unhandled
        if self.on_overrun is not None:
            self.on_overrun(number, meter.spent)


def _close(listener: GuardedListener, heard: Future[None] | None) -> None:
    if heard is not None:
        wait([heard], TO_HEAR)
    listener.close()


class Pace:
    """Sizes each decision for :data:`AIM` of its time, and smaller after decisions that took longer.

    Attributes:
        share: share of :data:`NODES_PER_SECOND` in use; 1 until a decision took longer than intended.
    """

    def __init__(self) -> None:
        self.share = 1.0

    def nodes(self, seconds: float) -> int:
        """The bound on nodes for a decision that may take ``seconds``; at least 1."""
        return max(1, round(self.share * NODES_PER_SECOND * AIM * seconds))

    def saw(self, allowed: float, seconds: float, searched: bool) -> None:
        """Adjust to a decision that was allowed ``allowed`` seconds and took ``seconds``, with or without a search."""
        aim = AIM * allowed
        if seconds > aim:
            self.share = max(LEAST, self.share * aim / seconds)
        elif searched:
            self.share = min(1.0, self.share * RECOVERY)
