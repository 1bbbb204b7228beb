"""What is counted while playing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.live.thinker import Outcome


@dataclass(slots=True)
class Tally:
    """Counts over one or more games.

    Attributes:
        hands: begun.
        decisions: prompts answered.
        illegal, late, failed: decisions where the fallback had to answer, by why; ``late`` also counts answers that
            the server no longer waited for.
        mismatches: prompts whose flags were not what our rules say.
        malformed: frames that were nonsense.
        unexpected: messages that had no place where they came, or were new to us.
        lost: hands whose events our state could not follow.
        times: seconds of every decision.
    """

    hands: int = 0
    decisions: int = 0
    illegal: int = 0
    late: int = 0
    failed: int = 0
    mismatches: int = 0
    malformed: int = 0
    unexpected: int = 0
    lost: int = 0
    times: list[float] = field(default_factory=list)

    def decided(self, outcome: Outcome, seconds: float) -> None:
        """Count one decision."""
        self.decisions += 1
        self.times.append(seconds)
        self.illegal += outcome is Outcome.ILLEGAL
        self.late += outcome is Outcome.LATE
        self.failed += outcome is Outcome.FAILED

    def decision_ms(self) -> dict[str, float]:
        """Median, 99th percentile and maximum in milliseconds; zeros where nothing was decided."""
        ordered = sorted(self.times) or [0.0]
        last = len(ordered) - 1
        shares = {"p50": 0.5, "p99": 0.99, "max": 1.0}
        return {name: round(1000 * ordered[round(share * last)], 3) for name, share in shares.items()}

    def fields(self) -> dict[str, Any]:
        """The counts as JSON shows them."""
        return {
            "hands": self.hands,
            "decisions": self.decisions,
            "illegal": self.illegal,
            "late": self.late,
            "failed": self.failed,
            "mismatches": self.mismatches,
            "malformed": self.malformed,
            "unexpected": self.unexpected,
            "lost": self.lost,
            "decision_ms": self.decision_ms(),
        }
