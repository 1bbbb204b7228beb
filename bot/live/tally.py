"""What is counted while playing."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from bot.deciding.ask import Outcome

_STEP: Final = math.log(1.02)
_LEAST: Final = 1e-6


class Times:
    """Durations, however many, in little memory: counted in classes of 2%, so that quantiles are that exact.

    Attributes:
        count: how many.
        longest: seconds.
    """

    def __init__(self) -> None:
        self.count = 0
        self.longest = 0.0
        self._classes: Counter[int] = Counter()

    def add(self, seconds: float) -> None:
        """One more."""
        self.count += 1
        self.longest = max(self.longest, seconds)
        self._classes[round(math.log(max(seconds, _LEAST)) / _STEP)] += 1

    def merge(self, other: Times) -> None:
        """Those of another count too."""
        self.count += other.count
        self.longest = max(self.longest, other.longest)
        self._classes += other._classes

    def quantile(self, share: float) -> float:
        """Seconds that so large a share of them do not exceed; 0 where there are none."""
        rank = share * (self.count - 1)
        for number in sorted(self._classes):
            rank -= self._classes[number]
            if rank < 0:
                return min(math.exp(number * _STEP), self.longest)
        return 0.0

    def ms(self) -> dict[str, float]:
        """Median, 99th percentile and maximum in milliseconds; zeros where there are none."""
        figures = {"p50": self.quantile(0.5), "p99": self.quantile(0.99), "max": self.longest}
        return {name: round(1000 * seconds, 3) for name, seconds in figures.items()}


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
        repeated: messages that the server said twice.
        forgotten: answers that were said again because nothing came of them.
        drops: connections lost once they were open.
        resumed, ended: drops after which play, or the search for a table, went on; or the game turned out to be over.
        times: of every decision.
        resume: from a loss until play went on.
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
    repeated: int = 0
    forgotten: int = 0
    drops: int = 0
    resumed: int = 0
    ended: int = 0
    times: Times = field(default_factory=Times)
    resume: Times = field(default_factory=Times)

    def decided(self, outcome: Outcome, seconds: float) -> None:
        """Count one decision."""
        self.decisions += 1
        self.times.add(seconds)
        self.illegal += outcome is Outcome.ILLEGAL
        self.late += outcome is Outcome.LATE
        self.failed += outcome is Outcome.FAILED

    def add(self, other: Tally) -> None:
        """What another counted counts too."""
        for name, number in other.counts().items():
            setattr(self, name, getattr(self, name) + number)
        self.times.merge(other.times)
        self.resume.merge(other.resume)

    def decision_ms(self) -> dict[str, float]:
        """Median, 99th percentile and maximum in milliseconds; zeros where nothing was decided."""
        return self.times.ms()

    def counts(self) -> dict[str, int]:
        """Every count by name."""
        return {name: getattr(self, name) for name in self.__slots__ if isinstance(getattr(self, name), int)}

    def fields(self) -> dict[str, Any]:
        """The counts as JSON shows them."""
        return {**self.counts(), "decision_ms": self.times.ms(), "resume_ms": self.resume.ms()}
