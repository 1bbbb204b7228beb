"""Ask a policy when nobody waits, and judge its answer: what is not legal, or raises, never counts."""

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
        number: of the thought, as whoever asked counts; 0: it does not, or the policy was not asked.
        digest: of the state thought about.
        spent: the budget as it was used up; None while the policy is still busy.
    """

    decision: Decision
    outcome: Outcome = Outcome.DECIDED
    error: Exception | None = None
    number: int = 0
    digest: str = ""
    spent: Spent | None = None


def judge(state: GameState, legal: Sequence[Action], ready: Decision, answer: Decision | BaseException) -> Thought:
    """What counts of a policy's answer: the answer itself if it is legal, else ``ready`` in its place."""
    if isinstance(answer, BaseException):
        fault = answer if isinstance(answer, Exception) else RuntimeError(str(answer))
        return Thought(ready, Outcome.FAILED, fault)
    if not state.is_legal(answer.action):
        wrong = ValueError(f"{answer.action} is not legal; legal are: {', '.join(map(str, legal))}")
        return Thought(ready, Outcome.ILLEGAL, wrong)
    return Thought(answer)


def ask(decider: Decider, state: GameState, legal: Sequence[Action], budget: Budget) -> Thought:
    """What a policy answers when nobody waits; raises nothing."""
    ready = fallback(state, legal)
    try:
        return judge(state, legal, ready, decider.decide(state.copy(), legal, budget))
    except Exception as error:  # noqa: BLE001 - a policy may be anyone's
        return judge(state, legal, ready, error)
