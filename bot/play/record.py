"""Writes a record: one JSON object per line, passed to the operating system at once."""

import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import structlog

from bot.deciding.ask import Spent
from bot.deciding.fields import decision_fields, event_fields
from bot.machine.files import append, open_private
from bot.machine.journal import dump
from bot.machine.text import hide
from bot.play.patience import Heard
from engine.model.events import Event, Resume, StartKyoku
from engine.policy.decision import Decision
from protocol.logs.record import FORMAT, VERSION

log = structlog.get_logger()

SUFFIX = ".jsonl"


class GameRecord:
    """The record of one game over all its connections; ``docs/logs.md`` describes the file.

    Each call returns only when the operating system has the line: a process that is killed leaves at most one
    incomplete line. If writing fails, the record ends with a log line, and the game goes on. Secrets are removed from
    every line, and only the owner may read the file.

    Attributes:
        path: path of the file.
        size: number of bytes written.
        lost: why the record ends before its game; empty if it does not.
        dealt: whether a hand was dealt, or resumed.
    """

    def __init__(self, place: Path, *, most: float = inf, **facts: Any) -> None:
        """Create a file; nothing is ever overwritten.

        Args:
            place: the file (its name ends in ``.jsonl``), or a folder for a file named by the time. Missing folders are
                created. If the file exists, a number is added to its name.
            most: size in bytes at which the record ends.
            facts: facts about the game for the first line.

        Raises:
            OSError: it cannot be written.
        """
        now = datetime.now(UTC)
        self.path, self._file = _fresh(place, now)
        self.size = 0
        self.lost = ""
        self.dealt = False
        self._most = most
        self._started = time.monotonic()
        self._connections = 0
        self._write({"format": FORMAT, "version": VERSION, "started": now.isoformat(timespec="seconds"), **facts})

    def connecting(self) -> None:
        """A connection is open and the session begins to use it."""
        self._connections += 1
        self._line(connect=self._connections)

    def received(self, frame: str) -> None:
        """A frame arrived."""
        self._line(**{"in": frame})

    def sent(self, frame: str) -> None:
        """A frame is about to be sent."""
        self._line(out=frame)

    def heard(self, heard: Heard) -> None:
        """The last received frame was processed."""
        self.happened(heard.received.events)

    def happened(self, events: Sequence[Event]) -> None:
        """The last received frame meant these events."""
        if events:
            self.dealt = self.dealt or any(isinstance(event, StartKyoku | Resume) for event in events)
            self._line(events=[event_fields(event) for event in events])

    def decided(
        self,
        place: str,
        decision: Decision,
        outcome: str,
        digest: str = "",
        thought: int = 0,
        spent: Spent | None = None,
    ) -> None:
        """A decision was made and is about to be sent.

        Args:
            place: name of the hand.
            decision: the decision.
            outcome: whose answer it is, a value of :class:`bot.deciding.ask.Outcome`.
            digest: digest of the state in which it was made; empty if there was none.
            thought: number of the question to the policy; 0: it was not asked.
            spent: the budget as it was used; None while the policy is still busy, see :meth:`overran`.
        """
        content = {"hand": place, "state": digest, "outcome": outcome, **decision_fields(decision)}
        budget = None if spent is None else asdict(spent)
        self._line(decision=content, thought=thought, budget=budget, ms=round(1000 * decision.elapsed, 3))

    def overran(self, thought: int, spent: Spent) -> None:
        """A decision that came too late has ended, so that its budget is known now."""
        self._line(overran=thought, budget=asdict(spent))

    def ended(self, **facts: Any) -> None:
        """The game is over, or lost."""
        self._line(end=facts)

    def close(self) -> None:
        """Close the file."""
        descriptor, self._file = self._file, -1
        if descriptor >= 0:
            with suppress(OSError):
                os.close(descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _line(self, **content: Any) -> None:
        self._write({"at": round(time.monotonic() - self._started, 4), **content})

    def _write(self, content: Mapping[str, Any]) -> None:
        if self.lost or self._file < 0:
            return
        line = hide(dump(content)).encode() + b"\n"
        if self.size + len(line) > self._most:
            self._give_up(f"it has reached {self._most / 1e6:g} MB (record.most_mb)")
            return
        try:
            append(self._file, line)
        except OSError as error:
            self._give_up(error.strerror or str(error))
        else:
            self.size += len(line)

    def _give_up(self, reason: str) -> None:
        self.lost = reason
        log.error("the record ends before its game", file=str(self.path), reason=reason)


def _fresh(place: Path, now: datetime) -> tuple[Path, int]:
    """A new file, open, that only its owner may read."""
    named = place.suffix == SUFFIX and not place.is_dir()
    folder, stem = (place.parent, place.stem) if named else (place, f"{now:%Y%m%d-%H%M%S}")
    folder.mkdir(parents=True, exist_ok=True)
    number = 0 if named else 1
    while True:
        path = folder / (f"{stem}-{number}{SUFFIX}" if number else f"{stem}{SUFFIX}")
        try:
            return path, open_private(path, os.O_EXCL)
        except FileExistsError:
            number += 1
