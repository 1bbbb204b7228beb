"""How good a policy's own chances are, decision by decision: what it gave to the answer that was played."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log
from typing import Any, Final

from bot.replay.agreement import Count, Head
from bot.replay.decisions import DecisionPoint, appearance
from engine.model.actions import DISCARDS, KANS, Action, ActionKind
from engine.policy.decision import Decision

UNIT: Final = "chance"
"""Unit of a decision whose candidates' values are the chances of each answer."""
LEAST: Final = 1e-9
BINS: Final = 10


@dataclass(slots=True)
class Believed:
    """Decisions under one head: agreement, and what the policy gave to what was played.

    Attributes:
        count: agreement.
        losses: minus the logarithm of the chance that it gave to what was played; empty for a policy without chances.
        sure: by tenths, how often, and summed chances of its own first answer, and how often that was played.
    """

    count: Count = field(default_factory=Count)
    losses: list[float] = field(default_factory=list)
    sure: list[list[float]] = field(default_factory=lambda: [[0.0, 0.0] for _ in range(BINS)])

    def add(self, chance: float, first: float, same: bool) -> None:
        """Add a decision: the chance of what was played, that of the first answer, whether they are the same."""
        self.losses.append(-log(max(chance, LEAST)))
        row = self.sure[min(int(first * BINS), BINS - 1)]
        row[0] += first
        row[1] += same

    def merge(self, other: Believed) -> None:
        """Add other decisions."""
        self.count.add(other.count)
        self.losses += other.losses
        for row, more in zip(self.sure, other.sure, strict=True):
            row[0] += more[0]
            row[1] += more[1]

    def fields(self) -> dict[str, Any]:
        """As JSON shows it; None where there is nothing to share, or the policy gives no chances."""
        n = len(self.losses)
        off = sum(abs(said - came) for said, came in self.sure)
        return {
            "n": self.count.n,
            "top1": round(self.count.same / self.count.n, 5) if self.count.n else None,
            "top3": round(self.count.top3 / self.count.n, 5) if self.count.n else None,
            "log_loss": round(sum(self.losses) / n, 5) if n else None,
            "calibration_error": round(off / n, 5) if n else None,
        }


def believed(point: DecisionPoint, decision: Decision, head: Head) -> tuple[float, float] | None:
    """The chance that the policy gave to what was played, as the head sees it, and to its own answer.

    None where its candidates have no chances, or none of them is what the head is about.
    """
    played = point.played
    if decision.unit != UNIT or played is None:
        return None
    groups: dict[Any, float] = {}
    for candidate in decision.candidates:
        key = _seen(candidate.action, head, red=point.state.rules.red_fives)
        if key is not None:
            groups[key] = groups.get(key, 0.0) + candidate.value
    total = sum(groups.values())
    mine = _seen(played, head, red=point.state.rules.red_fives)
    if total <= 0.0 or mine is None:
        return None
    return groups.get(mine, 0.0) / total, max(groups.values()) / total


def _seen(action: Action, head: Head, *, red: bool) -> Any:
    """What an action is to a head; None where it is nothing to it, or depends on the table, as being safe does."""
    if head is Head.PUSH_FOLD:
        return None
    if head is Head.KAN:
        return action.kind in KANS
    if head is Head.RIICHI:
        return action.kind is ActionKind.RIICHI
    if head is Head.DISCARD:
        return appearance(Action(ActionKind.DISCARD, action.tile), red_fives=red) if action.kind in DISCARDS else None
    return appearance(action, red_fives=red)
