"""mjai programs as players: each receives what its seat can see, and its lines are its decisions."""

import contextlib
import itertools
import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from bot.machine.errors import InputError, RunError
from bot.machine.outlet import print_error
from bot.machine.programs import RunningProgram
from bot.machine.text import brief
from engine.model.actions import Action, ActionKind
from engine.model.events import EndGame, Event, Resume, RiichiDeclared, StartGame, StartKyoku
from engine.policy.decision import JSON, Budget, Decider, Decision
from engine.policy.forced import fallback
from engine.policy.grounds import GroundKind, ground
from engine.state import GameState
from protocol.errors import RemoteProtocolError
from protocol.logs.mjai import LineWriter
from protocol.logs.mjai_program import Message, ReplyContext, find_action, parse_message

EVERY_LINE: Final = "mjai:"
"""Followed by the command of a program that answers every line, with ``none`` if there is nothing to decide."""
WHERE_ASKED: Final = "mjai-asked:"
"""Followed by the command of a program that writes a line only where there is a choice, as those like Mortal do."""
PREFIXES: Final = (EVERY_LINE, WHERE_ASKED)


SECONDS: Final = 10.0
"""Seconds within which a program must answer, unless the caller is stricter."""
START_SECONDS: Final = 60.0
"""Seconds from the first question to the first answer, because programs load their weights first."""
SILENT_SECONDS: Final = 1.0
"""Seconds for each further answer of a program that has not given its first within :data:`START_SECONDS`."""
STRAYS: Final = 1_000
"""Lines that are not mjai, instead of one answer, after which that answer is given up."""
STRAYS_SHOWN: Final = 20
"""Lines that are not mjai which are passed on to standard error."""
_ANSWERS: Final = frozenset(
    (
        *("none", "pass", "skip", "join", "error", "dahai", "reach", "chi", "pon", "daiminkan", "ankan", "kakan"),
        *("hora", "ryukyoku"),
    )
)
"""Types of answers, which need not name their ``actor``; ``pass`` and ``error`` are never legal."""
_ENDS_OF_BANNERS: Final = frozenset(".!)%…")
"""Last characters of a banner that the first answer follows on the same line; a quoted answer follows a space."""


class MjaiPlayer(Decider):
    """A program at the table. Called from one thread.

    If a program answers too late, not at all or illegally, it loses that decision: :meth:`decide` raises, and the
    caller plays the fallback. Late answers are recognised and skipped.

    Lines of its standard output that are not mjai, such as what a library says while it loads, are no answers: they are
    passed on to standard error, and nothing is lost by them.

    mjai cannot express joining a hand in progress. After a lost connection the program is told that the hand is over,
    and the fallback plays it out.
    """

    def __init__(self, command: str, *, every_line: bool = True) -> None:
        """Start the program.

        Args:
            command: the command, quoted as in a shell.
            every_line: whether it answers each line, with ``none`` if there is nothing to decide.

        Raises:
            InputError: it cannot be started.
        """
        self.name = brief(command.rpartition("/")[2], 24)
        self._every_line = every_line
        self._command = command
        self._pipe = run_program(command)
        self._writer: LineWriter | None = None
        self._pending: list[Message] = []
        self._owed = 0
        self._answers = 0
        self._first_due = 0.0
        self._strays = 0
        self._first_stray = ""
        self._announced = False
        self._joined_late = False
        """Whether the hand was resumed in progress, so that the program does not know it."""

    def settings(self) -> Mapping[str, JSON]:
        """The command."""
        return {"command": self._command}

    def start_kyoku(self) -> None:
        """Do nothing: the program hears of the hand as an event."""

    def hear(self, event: Event, seat: int) -> None:
        """An event happened, as ``seat`` sees it."""
        writer = self._writer
        if isinstance(event, StartGame):
            if writer is not None:
                return  # the connection was lost, and the game goes on
            writer = self._writer = LineWriter(event)
        if writer is None:
            return
        if isinstance(event, StartKyoku | Resume):
            self._announced, self._joined_late = False, isinstance(event, Resume)
        if self._joined_late and not isinstance(event, EndGame):
            self._pending += writer.end_kyoku()
            return
        if isinstance(event, RiichiDeclared) and self._announced:
            self._announced = False  # the program knows, because it announced it
            return
        for line in writer.lines(event):
            self._pending.append({**line, "id": seat} if line["type"] == "start_game" else line)
        if isinstance(event, EndGame):
            self._writer = None
            self._flush()

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """The program's answer.

        Raises:
            RunError: it has ended, or is late.
            RemoteProtocolError: its answer is invalid.
        """
        if self._joined_late:
            ready = fallback(state, legal)
            return replace(ready, grounds=(ground(GroundKind.PROGRAM_RESUMED, name=self.name), *ready.grounds))
        self._flush()
        facts = asked(state)
        reply = self._receive()
        action = self._means(reply, legal, facts)
        if action.kind is ActionKind.RIICHI:
            self._send({"type": "reach", "actor": state.seat})
            discard = self._receive()
            tiles = {Action(ActionKind.DISCARD, each.tile): each for each in legal if each.kind is ActionKind.RIICHI}
            action = tiles[self._means(discard, list(tiles), facts)]
            self._announced = True
        why = ground(GroundKind.PROGRAM, name=self.name)
        return Decision(action, mode="forced" if len(legal) == 1 else "attack", grounds=(why,))

    def close(self) -> None:
        """End the program."""
        self._pipe.close()

    def _means(self, reply: Message, legal: Sequence[Action], facts: ReplyContext) -> Action:
        action = find_action(reply, legal, facts)
        if action is None:
            shown = brief(json.dumps(reply, ensure_ascii=False))
            raise RemoteProtocolError(f"answers {shown}; legal are: {', '.join(map(str, legal))}")
        return action

    def _flush(self) -> None:
        """Send what has not been sent."""
        while self._pending:
            self._send(self._pending.pop(0))

    def _send(self, line: Message) -> None:
        self._pipe.send(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
        self._owed += self._every_line

    def _receive(self) -> Message:
        """The answer to the last line; earlier answers are not needed."""
        self._owed += not self._every_line
        until = self._due(time.monotonic())
        reply: Message = {}
        strays = 0
        while self._owed:
            try:
                text = self._pipe.receive(until)
            except RunError as error:
                raise RunError(f"{error}{self._said()}") from None
            if text is None:
                raise RunError(f"{self.name} did not answer in time{self._said()}")
            if not text.strip():
                continue
            stray, messages = _answer_in(text, first=not self._answers)
            if stray:
                strays += 1
                self._strays += 1
                self._first_stray = self._first_stray or brief(stray, 120)
                strays_of(self._command)(stray)
                if strays >= STRAYS:
                    raise RunError(f"{self.name} wrote {strays:,} lines instead of an answer{self._said()}")
            if not messages:
                continue
            self._owed -= 1
            self._answers += 1
            if not self._owed:
                reply = messages[-1]
        return reply

    def _due(self, now: float) -> float:
        """When an answer asked for now must be there."""
        if self._answers:
            return now + SECONDS
        if not self._first_due:
            self._first_due = now + START_SECONDS
            return self._first_due
        return max(self._first_due, now + SILENT_SECONDS)

    def _said(self) -> str:
        """The words of an error for lines that are not mjai."""
        if not self._first_stray:
            return ""
        return f"; lines of its standard output that are not mjai: {self._strays:,}, first {self._first_stray!r}"


def _answer_in(text: str, *, first: bool) -> tuple[str, list[Message]]:
    """The text of a line before its answer, and the messages of the answer; none if it is not mjai.

    A JSON object of a log has a ``type`` too, but no ``actor``. What a program writes before its first answer may lack
    the end of its line, as in ``loading...{"type":"none"}``.
    """
    plain = text.rstrip()
    with contextlib.suppress(RemoteProtocolError):
        messages = parse_message(text)
        known = any("actor" in each or each["type"] in _ANSWERS for each in messages)
        return ("", messages) if known else (plain, [])
    begin = plain.find("{") if first else 0
    if begin > 0 and plain[begin - 1] in _ENDS_OF_BANNERS:
        _, messages = _answer_in(plain[begin:], first=False)
        return plain[:begin] if messages else plain, messages
    return plain, []


@cache
def strays_of(command: str) -> Callable[[str], None]:
    """Shows lines that are not mjai on standard error: quotes the first, passes on some, and drops the rest.

    They are counted over all programs that a command starts; a match starts one for each seat and game.
    """
    name, numbers = brief(command), itertools.count(1)

    def show(line: str) -> None:
        match next(numbers):
            case 1:
                quote = repr(brief(line, 120))
                text = f"its standard output has lines that are not mjai; they are passed over, and shown here: {quote}"
            case number if number <= STRAYS_SHOWN:
                text = brief(line, 1000)
            case number if number == STRAYS_SHOWN + 1:
                text = "further lines that are not mjai are not shown"
            case _:
                return
        print_error(f"mjai:{name}: {text}")

    return show


def start_program(text: str) -> MjaiPlayer:
    """The program that ``mjai:COMMAND`` or ``mjai-asked:COMMAND`` names, started.

    Raises:
        InputError: it cannot be started.
    """
    prefix = next(each for each in PREFIXES if text.startswith(each))
    return MjaiPlayer(text.removeprefix(prefix).strip(), every_line=prefix == EVERY_LINE)


def asked(state: GameState) -> ReplyContext:
    """The facts that a reply depends on; ``state`` is the view of the seat that gives it."""
    return ReplyContext(state.rules, state.seat, state.drawn, state.turn)


def run_program(command: str) -> RunningProgram:
    """The program that a command names, quoted as in a shell, while it runs; no shell does.

    Raises:
        InputError: it cannot be started.
    """
    name = f"mjai:{brief(command)}"
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"{name}: cannot be read as a command: {error}") from None
    if not words:
        raise InputError("mjai: names no program; write mjai:COMMAND")
    try:
        return RunningProgram(name, words)
    except OSError as error:
        raise InputError(f"{name}: cannot be started: {error.strerror}") from None
