"""Calls a policy safely, whoever wrote it: where it fails, the fallback answers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf, isfinite
from typing import Any, Final, Self, TypeVar

from bot.deciding.fields import decision_fields, read_decision
from bot.machine.outside import FAULTS, FaultKind, Guard, OutsideError, is_ours
from bot.machine.text import brief
from bot.wording.grounds import words
from engine.model.actions import Action
from engine.model.events import Event
from engine.model.rules import Rules
from engine.model.standing import StandingWorth
from engine.policy.decision import JSON, Budget, Decider, Decision, Listener
from engine.policy.forced import fallback
from engine.state import GameState

ILLEGAL: Final = "chose an illegal action"
LATE: Final = "was late"
MISSHAPEN: Final = "did not return a decision"
_NO_FIGURES: Final = frozenset(("action", "note", "parts"))
"""Fields of a candidate that are no numbers."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Question:
    """A question to whoever plays a seat: the view as it is now, and the answers that are legal."""

    state: GameState  # the seat's view, which no later event changes
    legal: tuple[Action, ...]  # the answers, at least one
    seconds: float = inf  # time until the answer must be there
    number: int = 0  # identifies the question; 0 if nobody needs that

    @classmethod
    def of(cls, state: GameState, legal: Sequence[Action], seconds: float = inf, number: int = 0) -> Self:
        """A question about a view that will follow the game further: it is copied."""
        return cls(state.copy(), tuple(legal), seconds, number)

    def allows(self, action: Action) -> bool:
        """Whether an action, or one that nobody can tell from it, is among the answers."""
        try:
            return action in self.legal or self.state.canonical(action) in self.legal
        except (IndexError, ValueError, KeyError):  # it names tiles that do not exist
            return False

    def fallback(self) -> Decision:
        """The decision in place of one that nobody made."""
        return fallback(self.state, self.legal)


class GuardedPolicy(Decider):
    """A policy as its callers may rely on it.

    :meth:`decide` returns a legal decision that can be recorded and shown, or raises
    :class:`~bot.machine.outside.OutsideError`. The other methods raise nothing, and do without what the policy does not
    give. Every fault is noted in :data:`~bot.machine.outside.FAULTS`. Code from outside gets a copy of each view,
    because it may change it; our own policies do not.

    Attributes:
        guard: what it is called through.
        ours: whether the policy and everything that it holds are part of this program.
    """

    def __init__(self, inner: Decider, text: str = "") -> None:
        """Guard a policy.

        Args:
            inner: the policy.
            text: how people named it; empty: by its class.
        """
        self._inner = inner
        self.guard = Guard(f"policy {brief(text or type(inner).__name__, 100)}")
        self.name = self.guard.attempt("name", lambda: str(inner.name), type(inner).__name__)
        self.warning = self.guard.attempt("warning", lambda: inner.warning and str(inner.warning), None)
        # a policy of ours may still hold an evaluator or an estimator from outside
        self.ours = is_ours(inner) and all(map(is_ours, getattr(inner, "__dict__", {}).values()))

    def settings(self) -> Mapping[str, JSON]:
        """The policy's settings; none if they are not JSON."""

        def copied() -> dict[str, JSON]:
            settings = dict(self._inner.settings())
            json.dumps(settings, allow_nan=False)
            return settings

        return self.guard.attempt("settings", copied, {})

    def start_kyoku(self) -> None:
        """Pass the start of a hand on."""
        self.guard.attempt("start_kyoku", self._inner.start_kyoku, None)

    def standing(self, rules: Rules, seat: int) -> StandingWorth | None:
        """The policy's worth of standings; None if it states none."""
        return self.guard.attempt("standing", lambda: self._inner.standing(rules, seat), None)

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """The policy's decision.

        Raises:
            OutsideError: it raised, or its answer is no decision or not legal. The fault has been noted.
        """

        def accept(answer: Decision) -> Decision:
            if not Question(state, tuple(legal)).allows(answer.action):
                said = f"{answer.action!r}; legal are: {', '.join(map(str, legal))}"
                raise OutsideError(FaultKind(self.guard.who, "decide", ILLEGAL), said)
            return answer if self.ours else _as_recorded(answer)

        try:
            view = state if self.ours else state.copy()
            return self.guard.call("decide", lambda: self._inner.decide(view, legal, budget), accept, MISSHAPEN)
        except OutsideError as error:
            FAULTS.note(error)
            raise

    def was_late(self) -> OutsideError:
        """Note that a decision did not come in time."""
        error = OutsideError(FaultKind(self.guard.who, "decide", LATE))
        FAULTS.note(error)
        return error


def _as_recorded(decision: Decision) -> Decision:
    """The decision as its record reads; fails where writing, reading or wording it would."""
    written = decision_fields(decision)
    read = read_decision(written)
    figures = [each for one in written["candidates"] for name, each in one.items() if name not in _NO_FIGURES]
    if not all(map(isfinite, (*figures, read.noise, read.per_point))):
        raise ValueError("a figure is no finite number")
    words(read)
    return read


class GuardedListener(GuardedPolicy):
    """A guarded policy that listens."""

    _inner: Any

    def hear(self, event: Event, seat: int) -> None:
        """Pass an event on."""
        self.guard.attempt("hear", lambda: self._inner.hear(event, seat), None)

    def close(self) -> None:
        """Let the policy end what it has begun."""
        self.guard.attempt("close", self._inner.close, None)


def guarded(decider: Decider, text: str = "") -> GuardedPolicy:
    """The policy behind a guard, if it is not behind one already.

    Args:
        decider: the policy.
        text: how people named it; empty: by its class.
    """
    if isinstance(decider, GuardedPolicy):
        return decider
    return GuardedListener(decider, text) if isinstance(decider, Listener) else GuardedPolicy(decider, text)


class Outcome(StrEnum):
    """Whose answer a decision is."""

    DECIDED = "decided"
    LATE = "late"
    """The policy was not ready in time; the fallback answers."""
    ILLEGAL = "illegal"
    """The policy chose an illegal action; the fallback answers."""
    FAILED = "failed"
    """The policy raised; the fallback answers."""


@dataclass(frozen=True, slots=True)
class Spent:
    """A budget as it was used. Policies ask whether it has expired at points that do not depend on time."""

    nodes: int | None = None  # the bound on search nodes; None: there was none
    asked: int = 0  # number of times that the policy asked whether time was up
    expired_at: int | None = None  # number of the first question, from 1, that was answered yes; None: none was

    def again(self) -> Budget:
        """A budget that repeats its answers, question by question."""
        last = self.expired_at
        if last is None:
            return Budget(self.nodes)
        asked = 0

        def expired() -> bool:
            nonlocal asked
            asked += 1
            return asked >= last

        return Budget(self.nodes, expired)


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of asking a policy."""

    decision: Decision  # a legal decision; ``elapsed`` is filled in
    outcome: Outcome = Outcome.DECIDED  # whose decision it is
    error: OutsideError | None = None  # what the policy did wrong, if anything
    question: Question | None = None  # what was asked; None if there was no view of the hand
    spent: Spent | None = None  # the budget that was used; None while the policy is still busy, or was not asked

    @property
    def number(self) -> int:
        """The number of the question; 0 if there was none."""
        return 0 if self.question is None else self.question.number

    @property
    def digest(self) -> str:
        """The digest of the view; empty if there was none."""
        return "" if self.question is None else self.question.state.digest()

    @classmethod
    def failed(cls, question: Question, error: OutsideError | None = None, elapsed: float = 0.0) -> Self:
        """The fallback's answer in place of a policy that is at fault, or could not be asked."""
        what = None if error is None else error.kind.what
        outcome = {ILLEGAL: Outcome.ILLEGAL, LATE: Outcome.LATE}.get(what or "", Outcome.FAILED)
        return cls(replace(question.fallback(), elapsed=elapsed), outcome, error, question)


def ask(decider: Decider, state: GameState, legal: Sequence[Action], budget: Budget) -> Thought:
    """Ask a policy without a deadline; raises nothing. The view is not copied: it must not change meanwhile."""
    question = Question(state, tuple(legal))
    try:
        return Thought(guarded(decider).decide(state, question.legal, budget), question=question)
    except OutsideError as error:
        return Thought.failed(question, error)
