"""Any mjai program as a player: it receives what its seat can see, and its lines are its decisions."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from bot.errors import RunError
from bot.mjai.names import EVERY_LINE, PREFIXES
from bot.mjai.pipe import Pipe
from bot.mjai.program import asked
from bot.text import brief
from engine.model.actions import Action, ActionKind
from engine.model.events import EndGame, Event, Resume, RiichiDeclared, StartGame, StartKyoku
from engine.policy.decision import JSON, Budget, Decider, Decision
from engine.policy.fallback import fallback
from engine.policy.grounds import GroundKind, ground
from engine.state import GameState
from protocol.errors import RemoteProtocolError
from protocol.logs.mjai import LineWriter
from protocol.mjai import Asked, Message, find_action, parse_message

SECONDS: Final = 10.0
"""Seconds within which a program must answer, unless the caller is stricter."""
START_SECONDS: Final = 60.0
"""The same for its first answer, because programs load their weights first."""


class MjaiPlayer(Decider):
    """A program at the table. Called from one thread.

    If a program answers too late, not at all or illegally, it loses that decision: :meth:`decide` raises, and the
    caller plays the fallback. Late answers are recognised and skipped.

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
        self._pipe = Pipe(command)
        self._writer: LineWriter | None = None
        self._pending: list[Message] = []
        self._owed = 0
        self._answers = 0
        self._announced = False
        self._joined_late = False
        """Whether the hand was resumed in progress, so that the program does not know it."""

    def settings(self) -> Mapping[str, JSON]:
        """The command."""
        return {"command": self._pipe.command}

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

    def _means(self, reply: Message, legal: Sequence[Action], facts: Asked) -> Action:
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
        until = time.monotonic() + (SECONDS if self._answers else START_SECONDS)
        reply: Message = {}
        while self._owed:
            text = self._pipe.receive(until)
            if text is None:
                raise RunError(f"{self.name} did not answer in time")
            if not text.strip():
                continue
            self._owed -= 1
            self._answers += 1
            if not self._owed:
                reply = (parse_message(text) or [{}])[-1]
        return reply


def start_program(text: str) -> MjaiPlayer:
    """The program that ``mjai:COMMAND`` or ``mjai-asked:COMMAND`` names, started.

    Raises:
        InputError: it cannot be started.
    """
    prefix = next(each for each in PREFIXES if text.startswith(each))
    return MjaiPlayer(text.removeprefix(prefix).strip(), every_line=prefix == EVERY_LINE)
