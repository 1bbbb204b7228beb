"""Faults on purpose, seeded: which of them strike a message between a lobby and its clients."""

import random
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class FaultKind(StrEnum):
    """The kinds of faults."""

    DROP = "drop"
    """The connection breaks, after the message or (``lost``) before it."""
    DELAY = "delay"
    """The message and all after it are delayed."""
    JITTER = "jitter"
    """The same with a new random time for each message; the order stays."""
    HALF_OPEN = "half-open"
    """From the message on nothing is sent or received, and neither side is notified."""
    TRUNCATE = "truncate"
    """The message is cut short."""
    MALFORMED = "malformed"
    """A frame of broken JSON precedes it."""
    UNKNOWN = "unknown"
    """An unknown tag precedes it."""
    DUPLICATE = "duplicate"
    """It is sent twice."""
    SLOW_READER = "slow-reader"
    """Messages of the client are read late."""
    FORGET = "forget"
    """Messages of the client are dropped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRule:
    """Where a fault occurs: at messages for which every condition holds.

    A client's messages are numbered from 1, over all its connections.
    """

    kind: FaultKind
    chance: float = 1.0  # probability of the fault if all other conditions hold
    every: int = 1  # only every n-th message
    offset: int = 0  # number of the first of them
    clients: tuple[str, ...] = ()  # only these clients, by the name of their login
    seconds: float = 0.05  # duration of delay, jitter and slow-reader
    lost: bool = False  # whether drop also loses the message


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """All rules, and the seed of their probabilities."""

    seed: int = 0
    fault: tuple[FaultRule, ...] = ()


_INCOMING: Final = (FaultKind.SLOW_READER, FaultKind.FORGET)


class Faults:
    """Carries out a plan.

    Attributes:
        injected: number of faults by kind.
        rng: the plan's random numbers.
    """

    def __init__(self, plan: FaultPlan) -> None:
        self.injected: Counter[FaultKind] = Counter()
        self.rng = random.Random(plan.seed)
        self._rules = plan.fault
        self._numbers: Counter[tuple[str, bool]] = Counter()

    def strikes(self, name: str, *, outgoing: bool) -> dict[FaultKind, FaultRule]:
        """The rules that apply to a client's next message."""
        self._numbers[name, outgoing] += 1
        number = self._numbers[name, outgoing]
        found = [
            rule
            for rule in self._rules
            if (rule.kind in _INCOMING) is not outgoing
            and (not rule.clients or name in rule.clients)
            and number % rule.every == rule.offset % rule.every
            and self.rng.random() < rule.chance
        ]
        self.injected.update(rule.kind for rule in found)
        return {rule.kind: rule for rule in found}
