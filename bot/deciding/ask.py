"""Asking a policy without a deadline; where it fails, the fallback answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from bot.deciding.guard import ILLEGAL, LATE, guarded
from bot.machine.outside import OutsideError
from bot.record.budget import Spent
from engine.model.actions import Action
from engine.policy.decision import Budget, Decider, Decision
from engine.policy.forced import fallback
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
        error: what the policy did wrong, if anything.
        number: number given by the caller; 0 if there is none, or if the policy was not asked.
        digest: digest of the state.
        spent: the budget that was used; None while the policy is still busy.
    """

    decision: Decision
    outcome: Outcome = Outcome.DECIDED
    error: OutsideError | None = None
    number: int = 0
    digest: str = ""
    spent: Spent | None = None


def ask(decider: Decider, state: GameState, legal: Sequence[Action], budget: Budget) -> Thought:
    """Ask a policy without a deadline; raises nothing."""
    try:
        return Thought(guarded(decider).decide(state, legal, budget))
    except OutsideError as error:
        return failed(fallback(state, legal), error)


def failed(instead: Decision, error: OutsideError) -> Thought:
    """The fallback ``instead`` in place of a policy that is at fault."""
    return Thought(instead, _OUTCOMES.get(error.kind.what, Outcome.FAILED), error)


_OUTCOMES: Final = {ILLEGAL: Outcome.ILLEGAL, LATE: Outcome.LATE}
"""Outcomes of the faults that have one of their own."""
