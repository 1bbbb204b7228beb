"""Injected faults, seeded and scripted, for testing clients.

A plan is a list of rules. A rule names a kind of fault and where it occurs: at which messages of which clients, and how
often. Each connection has a :class:`Line`, which turns a text of the lobby into the steps that are carried out instead.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
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
    at: tuple[int, ...] = ()  # only these messages
    every: int = 0  # only every n-th message
    offset: int = 0  # number of the first of them, with ``every``
    tags: tuple[str, ...] = ()  # only these tags; for draws and discards, the letter (``T``, ``D``, ``e``)
    clients: tuple[str, ...] = ()  # only these clients, by the name of their login
    most: int | None = None  # maximum number of times
    seconds: float = 0.05  # duration of delay, jitter and slow-reader
    lost: bool = False  # whether drop also loses the message


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """All rules, and the seed of their probabilities."""

    seed: int = 0
    fault: tuple[FaultRule, ...] = ()


_INCOMING: Final = (FaultKind.SLOW_READER, FaultKind.FORGET)
_LETTERS: Final = frozenset("TUVWDEFGdefg")
_BROKEN: Final = ('{"tag":"T5', '{"tag":}', '{"tag":"AGARI","ba":"0,0","hai":"1,2', '{"hai"', '["tag","D5"]', "{}}")
_NEW: Final = ('{"tag":"XYZZY","a":"1"}', '{"tag":"NEWS","text":"%41"}', '{"tag":"t5x","who":"2"}')


@dataclass(frozen=True, slots=True)
class Wait:
    """Wait before the next step."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Say:
    """Send a text."""

    text: str


@dataclass(frozen=True, slots=True)
class Break:
    """End the connection without a closing handshake; ``half``: leave it open and dead."""

    half: bool = False


Step = Wait | Say | Break


class Faults:
    """Carries out a plan.

    Attributes:
        injected: number of faults by kind.
    """

    def __init__(self, plan: FaultPlan) -> None:
        self.injected: Counter[FaultKind] = Counter()
        self._rules = plan.fault
        self._struck: Counter[int] = Counter()
        self._rng = random.Random(plan.seed)
        self._numbers: Counter[tuple[str, bool]] = Counter()

    def line(self) -> "Line":
        """The line of a new connection."""
        return Line(self)

    def strikes(self, name: str, tag: str, *, outgoing: bool) -> list[FaultRule]:
        """The rules that apply to a client's next message."""
        self._numbers[name, outgoing] += 1
        found = list(self._striking(name, self._numbers[name, outgoing], tag, outgoing=outgoing))
        self.injected.update(rule.kind for _, rule in found)
        self._struck.update(index for index, _ in found)
        return [rule for _, rule in found]

    def choose(self, texts: Sequence[str]) -> str:
        """One of several."""
        return self._rng.choice(texts)

    def uniform(self, high: float) -> float:
        """A number from 0 to ``high``."""
        return self._rng.uniform(0.0, high)

    def _striking(self, name: str, number: int, tag: str, *, outgoing: bool) -> Iterator[tuple[int, FaultRule]]:
        for index, rule in enumerate(self._rules):
            if (rule.kind in _INCOMING) is outgoing or (rule.clients and name not in rule.clients):
                continue
            if rule.most is not None and self._struck[index] >= rule.most:
                continue
            if rule.tags and tag not in rule.tags:
                continue
            if (rule.at and number not in rule.at) or (rule.every and number % rule.every != rule.offset % rule.every):
                continue
            if self._rng.random() < rule.chance:
                yield index, rule


class Line:
    """One connection's faults.

    Attributes:
        name: name of the client, once it has logged in.
        dead: whether the connection is half-open.
    """

    def __init__(self, faults: Faults) -> None:
        self.name = ""
        self.dead = False
        self._faults = faults

    def outgoing(self, text: str) -> Iterator[Step]:
        """The steps to carry out instead of sending a text."""
        if self.dead:
            return
        faults = self._faults
        rules = {rule.kind: rule for rule in faults.strikes(self.name, _tag(text), outgoing=True)}
        for kind in (FaultKind.DELAY, FaultKind.JITTER):
            if kind in rules:
                seconds = rules[kind].seconds
                yield Wait(seconds if kind is FaultKind.DELAY else faults.uniform(seconds))
        drop = rules.get(FaultKind.DROP)
        if drop is not None and drop.lost:
            yield Break()
            return
        if FaultKind.HALF_OPEN in rules:
            self.dead = True
            yield Break(half=True)
            return
        if FaultKind.MALFORMED in rules:
            yield Say(faults.choose(_BROKEN))
        if FaultKind.UNKNOWN in rules:
            yield Say(faults.choose(_NEW))
        yield Say(text[: 1 + int(faults.uniform(len(text) - 2))] if FaultKind.TRUNCATE in rules else text)
        if FaultKind.DUPLICATE in rules:
            yield Say(text)
        if drop is not None:
            yield Break()

    def incoming(self, text: str) -> float | None:
        """Seconds to wait before a text is read; None: it is dropped."""
        if self.dead:
            return None
        rules = {rule.kind: rule for rule in self._faults.strikes(self.name, _tag(text), outgoing=False)}
        if FaultKind.FORGET in rules:
            return None
        slow = rules.get(FaultKind.SLOW_READER)
        return 0.0 if slow is None else slow.seconds


def _tag(text: str) -> str:
    """The tag of a frame in the forms of our lobby and its clients; for draws and discards, the letter."""
    for before, after in (('{"tag":"', '"'), ("<", " /")):
        if text.startswith(before):
            tag = text[len(before) :]
            end = min((at for mark in after if (at := tag.find(mark)) >= 0), default=len(tag))
            tag = tag[:end]
            return tag[0] if tag[:1] in _LETTERS and (tag[1:].isdigit() or len(tag) == 1) else tag
    return ""
