"""Asking a policy without a deadline, and checking its answer: illegal answers and exceptions never count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from bot.record.budget import Spent
from engine.model.actions import Action
from engine.policy.decision import Budget, Decider, Decision
from engine.policy.fallback import fallback
from engine.state import GameState


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
class Thought:
    """The result of asking a policy.

    Attributes:
        decision: a legal decision; ``elapsed`` is filled in.
        outcome: whose decision it is.
        error: the exception that the policy raised, if any.
        number: number given by the caller; 0 if there is none, or if the policy was not asked.
        digest: digest of the state.
        spent: the budget that was used; None while the policy is still busy.
    """

    decision: Decision
    outcome: Outcome = Outcome.DECIDED
    error: Exception | None = None
    number: int = 0
    digest: str = ""
    spent: Spent | None = None


def judge(state: GameState, legal: Sequence[Action], ready: Decision, answer: Decision | BaseException) -> Thought:
    """The decision that counts: the policy's answer if it is legal, otherwise ``ready``."""
    if isinstance(answer, BaseException):
        fault = answer if isinstance(answer, Exception) else RuntimeError(str(answer))
        return Thought(ready, Outcome.FAILED, fault)
    if not state.is_legal(answer.action):
        wrong = ValueError(f"{answer.action} is not legal; legal are: {', '.join(map(str, legal))}")
        return Thought(ready, Outcome.ILLEGAL, wrong)
    return Thought(answer)


def ask(decider: Decider, state: GameState, legal: Sequence[Action], budget: Budget) -> Thought:
    """Ask a policy without a deadline; raises nothing."""
    ready = fallback(state, legal)
    try:
        return judge(state, legal, ready, decider.decide(state.copy(), legal, budget))
    except Exception as error:  # noqa: BLE001 - a policy may be anyone's
        return judge(state, legal, ready, error)
