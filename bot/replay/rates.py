"""How often a policy calls, declares riichi and folds, beside what was played in the same decisions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from bot.replay.agreement import Compared, Head
from bot.replay.decisions import DecisionPoint
from engine.model.actions import CALLS, Action, ActionKind

RATES: Final = {Head.CALL: "call", Head.RIICHI: "riichi", Head.PUSH_FOLD: "fold"}
"""What is counted, by name, among the decisions of which kind."""


@dataclass(slots=True)
class Rate:
    """One rate: number of decisions, and in how many of them the policy and the player did it."""

    n: int = 0
    ours: int = 0
    played: int = 0

    def fields(self) -> dict[str, Any]:
        """As JSON shows it; shares are None if there are no decisions."""
        shares = (self.ours / self.n, self.played / self.n) if self.n else (None, None)
        return {"n": self.n, "ours": shares[0], "played": shares[1]}


@dataclass(slots=True)
class Rates:
    """Calls where a call was possible, riichi where it could be declared, and folds.

    A fold is a discard against a riichi that is safe from everyone in riichi.
    """

    of: dict[Head, Rate] = field(default_factory=lambda: {head: Rate() for head in RATES})

    def add(self, point: DecisionPoint, ours: Action, compared: Compared) -> None:
        """Count a decision that :func:`bot.replay.agreement.compare` has compared."""
        played = point.played
        for head, rate in self.of.items():
            if head not in compared.same or played is None:
                continue
            done = compared.safe if head is Head.PUSH_FOLD else (_does(head, played), _does(head, ours))
            if done is not None:
                rate.n += 1
                rate.played += done[0]
                rate.ours += done[1]

    def merge(self, other: Rates) -> None:
        """Add those of other decisions."""
        for head, rate in self.of.items():
            more = other.of[head]
            rate.n, rate.ours, rate.played = rate.n + more.n, rate.ours + more.ours, rate.played + more.played

    def fields(self) -> dict[str, Any]:
        """As JSON shows them, by name."""
        return {RATES[head]: rate.fields() for head, rate in self.of.items()}


def _does(head: Head, action: Action) -> bool:
    return action.kind in CALLS if head is Head.CALL else action.kind is ActionKind.RIICHI
