"""Writing a record: one JSON object a line, appended and handed to the system as it happens."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO
from urllib.parse import quote

import structlog

from bot.record.budget import Spent
from bot.record.fields import decision_fields, event_fields
from engine.model.events import Event
from engine.policy.decision import Decision
from protocol.logs.record import FORMAT, VERSION
from protocol.tenhou.redaction import HIDDEN, redact

log = structlog.get_logger()

SUFFIX = ".jsonl"


class GameRecord:
    """The file of one game, over however many connections. ``docs/records.md`` describes it.

    A line is with the operating system before the call that writes it returns: a process that is killed leaves at
    most one torn line behind. A disk that fills up ends the record, told once, and not the game. Account keys are
    taken out of frames.

    Attributes:
        path: of the file.
        size: bytes written so far.
    """

    def __init__(self, place: Path, *, secrets: Sequence[str] = (), **facts: Any) -> None:
        """Open a new file; nothing is ever overwritten.

        Args:
            place: the file (a name that ends in ``.jsonl``), or the folder for one named by the time. Folders are
                made where they are not there. A file that is there already leaves it alone and adds a number.
            secrets: texts that must not be written, beside account keys of the usual form.
            facts: of the game, for the first line.

        Raises:
            OSError: it cannot be written.
        """
        now = datetime.now(UTC)
        self.path, self._file = _fresh(place, now)
        self.size = 0
        self._broken = False
        self._secrets = tuple(sorted({form for secret in secrets if secret for form in (secret, quote(secret))}))
        self._started = time.monotonic()
        self._connections = 0
        self._write({"format": FORMAT, "version": VERSION, "started": now.isoformat(timespec="seconds"), **facts})

    def connecting(self) -> None:
        """A connection is open and the session begins to speak on it, the first time or again."""
        self._connections += 1
        self._line(connect=self._connections)

    def received(self, frame: str) -> None:
        """A frame came."""
        self._line(**{"in": self._redact(frame)})

    def sent(self, frame: str) -> None:
        """A frame is about to be sent."""
        self._line(out=self._redact(frame))

    def happened(self, events: Sequence[Event]) -> None:
        """What the frame just received meant."""
        if events:
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
        """A decision was taken and is about to be sent.

        Args:
            place: name of the hand.
            decision: what was decided.
            outcome: whose answer it is, a value of :class:`bot.deciding.ask.Outcome`.
            digest: of the state it was taken in; empty where there was none.
            thought: number of the policy's thought; 0: it was not asked.
            spent: the budget as it was used up; None while the policy is still busy, see :meth:`overran`.
        """
        told = {"hand": place, "state": digest, "outcome": outcome, **decision_fields(decision)}
        budget = None if spent is None else spent.fields()
        self._line(decision=told, thought=thought, budget=budget, ms=round(1000 * decision.elapsed, 3))

    def overran(self, thought: int, spent: Spent) -> None:
        """A thought whose answer came too late for its prompt is over; what it spent was not known before."""
        self._line(overran=thought, budget=spent.fields())

    def ended(self, **facts: Any) -> None:
        """The game is over, one way or another."""
        self._line(end=facts)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _redact(self, frame: str) -> str:
        for secret in self._secrets:
            frame = frame.replace(secret, HIDDEN)
        return redact(frame)

    def _line(self, **content: Any) -> None:
        self._write({"at": round(time.monotonic() - self._started, 4), **content})

    def _write(self, content: Mapping[str, Any]) -> None:
        if self._broken:
            return
        line = dump(content) + "\n"
        try:
            self._file.write(line)
            self._file.flush()
        except OSError as error:
            self._broken = True
            log.error("the record ends here", file=str(self.path), reason=error.strerror or str(error))  # noqa: TRY400
        else:
            self.size += len(line.encode())


def dump(value: Any) -> str:
    """The one spelling of a value in a record, by which values are compared."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


def _fresh(place: Path, now: datetime) -> tuple[Path, TextIO]:
    """A file that was not there."""
    named = place.suffix == SUFFIX and not place.is_dir()
    folder, stem = (place.parent, place.stem) if named else (place, f"{now:%Y%m%d-%H%M%S}")
    folder.mkdir(parents=True, exist_ok=True)
    number = 0 if named else 1
    while True:
        path = folder / (f"{stem}-{number}{SUFFIX}" if number else f"{stem}{SUFFIX}")
        try:
            return path, path.open("x", encoding="utf-8")
        except FileExistsError:
            number += 1
