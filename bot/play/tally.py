"""Counts and times of play."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

from bot.deciding.ask import Outcome

_STEP: Final = math.log(1.02)
_LEAST: Final = 1e-6


@dataclass(slots=True)
class Times:
    """Any number of durations in little memory: counted in classes of 2%, which is the accuracy of the quantiles."""

    count: int = 0  # number of durations
    longest: float = 0.0  # the longest, in seconds
    classes: Counter[int] = field(default_factory=Counter)  # number of durations by class

    def add(self, seconds: float) -> None:
        """Add a duration."""
        self.count += 1
        self.longest = max(self.longest, seconds)
        self.classes[round(math.log(max(seconds, _LEAST)) / _STEP)] += 1

    def merge(self, other: Times) -> None:
        """Add those of another count."""
        self.count += other.count
        self.longest = max(self.longest, other.longest)
        self.classes += other.classes

    def quantile(self, share: float) -> float:
        """The duration in seconds that this share of them do not exceed; 0 if there are none."""
        rank = share * (self.count - 1)
        for number in sorted(self.classes):
            rank -= self.classes[number]
            if rank < 0:
                return min(math.exp(number * _STEP), self.longest)
        return 0.0

    def ms(self) -> dict[str, float]:
        """Median, 99th percentile and maximum in milliseconds; zeros if there are none."""
        figures = {"p50": self.quantile(0.5), "p99": self.quantile(0.99), "max": self.longest}
        return {name: round(1000 * seconds, 3) for name, seconds in figures.items()}


@dataclass(slots=True)
class Tally:
    """Counts over one or more games."""

    hands: int = 0  # hands that began
    decisions: int = 0  # prompts that were answered
    # illegal, late, failed: decisions in which the fallback had to answer, by reason; ``late`` also counts answers that
    # the server no longer waited for
    illegal: int = 0
    late: int = 0
    failed: int = 0
    mismatches: int = 0  # prompts whose flags differed from our rules
    malformed: int = 0  # frames that could not be read
    unexpected: int = 0  # messages that were out of place or unknown
    lost: int = 0  # hands whose events our state could not follow
    repeated: int = 0  # messages that the server sent twice
    forgotten: int = 0  # answers that were resent because they had no effect
    drops: int = 0  # open connections that were lost
    # resumed, ended: drops after which play or the search for a table continued, or the game turned out to be over
    resumed: int = 0
    ended: int = 0
    times: Times = field(default_factory=Times)  # times of all decisions
    resume: Times = field(default_factory=Times)  # times from a loss until play continued

    def decided(self, outcome: Outcome, seconds: float) -> None:
        """Count one decision."""
        self.decisions += 1
        self.times.add(seconds)
        self.illegal += outcome is Outcome.ILLEGAL
        self.late += outcome is Outcome.LATE
        self.failed += outcome is Outcome.FAILED

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for name, number in other.counts().items():
            setattr(self, name, getattr(self, name) + number)
        self.times.merge(other.times)
        self.resume.merge(other.resume)

    def decision_ms(self) -> dict[str, float]:
        """Median, 99th percentile and maximum of the decisions in milliseconds; zeros if there were none."""
        return self.times.ms()

    def counts(self) -> dict[str, int]:
        """Every count by name."""
        return {name: getattr(self, name) for name in self.__slots__ if isinstance(getattr(self, name), int)}

    def fields(self) -> dict[str, Any]:
        """The counts as JSON shows them."""
        return {**self.counts(), "decision_ms": self.times.ms(), "resume_ms": self.resume.ms()}
