"""Exact replay of a live game: the recorded frames, through the code that played, must give the recorded bytes."""

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.deciding.ask import Outcome, Question, Spent, Thought, ask, guarded
from bot.deciding.fields import decision_fields, event_fields
from bot.deciding.person import HUMAN
from bot.deciding.programs import PREFIXES
from bot.machine.journal import dump
from bot.machine.origin import made_by
from bot.play.clock import ClockTracker
from bot.play.player import Player
from bot.play.tally import Tally
from bot.retired import Kind, played_otherwise, retired
from engine.model.actions import Action
from engine.policy.decision import Decider
from engine.policy.registry import POLICIES, make_policy
from engine.search.registry import EVALUATORS
from engine.settings import known
from protocol.errors import LocalProtocolError, LogError
from protocol.logs.record import Record, RecordLine
from protocol.tenhou import client
from protocol.tenhou.codec import format_message
from protocol.tenhou.redaction import redact
from protocol.tenhou.session import GUEST, Login, Prompt, Send, Session

EXACT_VERSION: Final = 2
"""The first version of records that contain enough."""
GROUNDS_VERSION: Final = 3
"""The first version whose decisions contain their reasons as data. Older sentences are not compared."""
_SINCE_GROUNDS: Final = frozenset(("reasons", "grounds", "per_point", "note", "seed"))
"""Fields of decisions and candidates that came, went or changed with that version."""
_ANY_KEY: Final = "ID00000000-00000000"
_ANY_GPID: Final = "00000000-00000000"
"""Stand for the account's key and the guest's ``gpid``, which no record contains."""
_LONGEST: Final = 300
"""Characters of a value in the description of a difference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between a replay and its record."""

    line: int  # line of the record
    place: str  # hand and number of the decision, for people
    what: str  # what differs

    def __str__(self) -> str:
        return f"line {self.line}{f', {self.place}' if self.place else ''}: {self.what}"


@dataclass(slots=True)
class ExactResult:
    """The result of an exact replay."""

    source: str  # name of the record
    decisions: int = 0  # number of decisions in the record
    identical: int = 0  # number of those that are the same, byte for byte
    # all others, and frames or events that differ; in order
    differences: list[Difference] = field(default_factory=list)
    # remarks for people: an incomplete last line, another version of the program
    notes: list[str] = field(default_factory=list)

    @property
    def exact(self) -> bool:
        """Whether the replay reproduces everything."""
        return not self.differences and self.decisions == self.identical


def replay_exactly(record: Record) -> ExactResult:
    """Replay a live game exactly.

    Raises:
        LogError: the record does not contain enough.
    """
    return asyncio.run(_Replay(record).run())


class _Again:
    """Decides as a recorded :class:`~bot.deciding.thinker.Thinker` did: with its budgets, without clock and thread."""

    def __init__(self, decider: Decider, lines: Iterable[RecordLine]) -> None:
        self.decider = guarded(decider)
        self._spent: dict[int, Spent] = {}
        self._late: set[int] = set()
        for line in lines:
            if line.kind not in ("decision", "overran"):
                continue
            number = line.content["thought"] if line.kind == "decision" else line.value
            if line.kind == "decision" and line.value["outcome"] == Outcome.LATE:
                self._late.add(number)
            if line.content.get("budget") is not None:
                self._spent[number] = Spent(**line.content["budget"])

    def start_kyoku(self) -> None:
        self.decider.start_kyoku()

    async def think(self, question: Question) -> Thought:
        """The answer with the budget that was spent on the question then."""
        spent = self._spent.get(question.number)
        thought = None if spent is None else ask(self.decider, question.state, question.legal, spent.again())
        if thought is None or question.number in self._late:
            thought = Thought(question.fallback(), Outcome.LATE)
        return replace(thought, question=question)


def _decider(policy: Mapping[str, Any], source: str) -> Decider:
    """The policy named by a record, with those of its settings that still exist.

    Nothing named in a file is ever run, neither a program nor a module.

    Raises:
        LogError: the record names a person, a program, a module, or what only an earlier version played.
        ValueError: the policy does not exist, or a setting is not allowed.
    """
    name, settings = str(policy["name"]), policy.get("settings") or {}
    if name == HUMAN:
        raise LogError("was played by a person and cannot be replayed exactly", source)
    if name.startswith(PREFIXES):
        raise LogError("was played by an external program and cannot be replayed exactly", source)
    if sentence := retired(Kind.POLICY, name) or played_otherwise(settings):
        raise LogError(f"cannot be replayed exactly: {sentence}", source)
    texts = [name, *(value for value in settings.values() if isinstance(value, str))]
    outside = next((text for text in texts if POLICIES.outside(text) and EVALUATORS.outside(text)), None)
    if outside:
        raise LogError(
            f"was played with {outside}, which is not part of this program, and cannot be replayed exactly", source
        )
    return make_policy(name, policy["seed"], known(POLICIES.find(name).settings, settings))


def _session_of(header: Mapping[str, Any]) -> Session:
    """The session of a record, before its first frame.

    Raises:
        KeyError, TypeError, ValueError, LocalProtocolError: the first line does not say how the game was entered.
    """
    login = header["login"]
    key, gpid = GUEST if login["guest"] else _ANY_KEY, _ANY_GPID if login.get("returning") else None
    return Session(Login(login["type"], key, str(login["lobby"]), str(login["sex"])), gpid)


class _Replay:
    """The replay of one record, line by line.

    Attributes:
        said: frames that we sent and that the record has not shown yet.
        happened: events of the last frame that the record has not shown yet.
        pending: the answer to the last prompt, until the record shows it.
    """

    def __init__(self, record: Record) -> None:
        header = record.header
        if record.version < EXACT_VERSION:
            raise LogError(
                f"records of version {record.version} contain no budgets and cannot be replayed exactly", record.source
            )
        try:
            policy = header["policy"]
            decider = _decider(policy, record.source)
            self.session = _session_of(header)
            self.thinking = _Again(decider, record.lines)
        except (KeyError, TypeError, ValueError, AttributeError, LocalProtocolError) as error:
            raise LogError(
                f"does not say how it was played ({error}) and cannot be replayed exactly", record.source
            ) from None
        self.record = record
        self.result = ExactResult(record.source)
        self.player = Player(self.thinking, ClockTracker(), Tally())
        self.said: deque[str] = deque()
        self.happened: list[dict[str, Any]] = []
        self.pending: tuple[Prompt, Action, Thought] | None = None
        self._note(policy.get("settings"), decider)

    async def run(self) -> ExactResult:
        handlers = {
            "connect": self._connect,
            "in": self._receive,
            "out": self._sent,
            "events": self._events,
            "decision": self._decision,
        }
        for line in self.record.lines:
            if line.kind in ("in", "out") and not isinstance(line.value, str):
                raise LogError("a frame is not text; the record is damaged", self.record.source, f"line {line.number}")
            handler = handlers.get(line.kind)
            if handler is not None:
                await handler(line)
        return self.result

    def _note(self, settings: Any, decider: Decider) -> None:
        ours = dict(decider.settings())
        if dump(settings) != dump(ours):
            self.result.notes.append(f"the policy's settings were {dump(settings)} and are now {dump(ours)}")
        theirs = self.record.header.get("made_by", {})
        other = [
            f"{name} {theirs.get(name)} (here {mine})" for name, mine in made_by().items() if theirs.get(name) != mine
        ]
        if other:
            self.result.notes.append(f"recorded by {', '.join(other)}")
        if self.record.torn:
            self.result.notes.append("the last line is incomplete and was ignored")
        if not self.record.ended:
            self.result.notes.append("the record ends before the end of the game")

    def _differs(self, line: RecordLine, what: str, place: str = "") -> None:
        self.result.differences.append(Difference(line.number, place, what))

    def _say(self, sends: Sequence[Send]) -> None:
        self.said.extend(redact(send.frame) for send in sends)

    async def _connect(self, line: RecordLine) -> None:
        del line
        self.said.clear()
        self._say(self.session.connect())

    async def _receive(self, line: RecordLine) -> None:
        received = self.session.receive(line.value)
        self._say(received.sends)
        for event in received.events:
            self.player.apply(event, self.session.seat or 0)
        self.happened = [event_fields(event) for event in received.events]
        if received.prompt is not None:
            action, thought = await self.player.answer(received.prompt, self.player.question(received.prompt))
            self.pending = None if action is None else (received.prompt, action, thought)

    async def _sent(self, line: RecordLine) -> None:
        ours = self.said.popleft() if self.said else self._unprompted(line.value)
        if ours != line.value:
            self._differs(line, f"said {_short(line.value)}, now {_short(ours)}")

    def _unprompted(self, frame: str) -> str | None:
        """The messages that time alone makes us send: the last answer again, if it had no effect, and the farewell."""
        again = (redact(send.frame) for send in self.session.repeat())
        return frame if frame in (*again, format_message(client.Bye())) else None

    async def _events(self, line: RecordLine) -> None:
        ours, self.happened = self.happened, []
        if dump(ours) != dump(line.value):
            self._differs(line, f"the frame meant {_short(line.value)}, now {_short(ours)}")

    async def _decision(self, line: RecordLine) -> None:
        self.result.decisions += 1
        recorded = line.value
        place = f"decision {self.result.decisions} ({recorded.get('hand', '')})"
        if self.pending is None:
            self._differs(line, "a decision is recorded where there is no prompt now", place)
            return
        (prompt, action, thought), self.pending = self.pending, None
        state = self.player.state
        hand = state.place() if state else ""
        ours = {
            "hand": hand,
            "state": thought.digest,
            "outcome": str(thought.outcome),
            **decision_fields(thought.decision),
        }
        if self.record.version < GROUNDS_VERSION:
            recorded, ours = _without_grounds(recorded), _without_grounds(ours)
        if dump(ours) == dump(recorded):
            self.result.identical += 1
        else:
            self._differs(line, _first_difference(recorded, ours), place)
        try:
            self._say(self.session.act(prompt, action))
        except LocalProtocolError:  # live, too, nothing was sent then
            return


def _without_grounds(fields: Any) -> Any:
    """A decision's fields, without those that records contain as data only since :data:`GROUNDS_VERSION`."""
    if isinstance(fields, dict):
        return {name: _without_grounds(value) for name, value in fields.items() if name not in _SINCE_GROUNDS}
    return [_without_grounds(each) for each in fields] if isinstance(fields, list) else fields


def _first_difference(recorded: dict[str, Any], ours: dict[str, Any]) -> str:
    for name in (*recorded, *(name for name in ours if name not in recorded)):
        theirs, mine = recorded.get(name), ours.get(name)
        if dump(theirs) != dump(mine):
            return f"{name} was {_short(theirs)}, is {_short(mine)}"
    return f"the order of the fields was {list(recorded)} and is now {list(ours)}"


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else dump(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
