"""Records on disk as games to watch, with what is added to them while they are written."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import structlog

from bot.deciding.ask import Outcome
from bot.deciding.person import Person
from bot.live.clock import ClockTracker
from bot.live.player import Player
from bot.live.tally import Tally
from bot.machine.errors import InputError
from bot.machine.text import brief
from bot.record.fields import read_decision
from bot.record.writer import SUFFIX
from bot.watch.feed import Feed, Stage
from bot.watch.history import KEPT
from protocol.errors import LocalProtocolError, LogError
from protocol.logs.formats import SNIFFED_BYTES, detect_format
from protocol.logs.record import Record, RecordLine, read_record
from protocol.tenhou.session import GUEST, Login, Prompt, Session

log = structlog.get_logger()

LOOK: Final = 0.5
"""Seconds between two looks at the disk."""
AT_ONCE: Final = 50
"""Number of lines after which others get their turn."""
_ANY_KEY: Final = "ID00000000-00000000"
"""Replaces the account's key, which no record contains."""


class Follower:
    """Shows one record, and what is added to it.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path, stage: Stage) -> None:
        self.path = path
        self._stage = stage
        self._header = b""
        self._read = 0
        self._over = False
        self._session: Session | None = None
        self._prompt: Prompt | None = None
        self._feed: Feed | None = None
        self._player = Player(Person(), ClockTracker(), Tally())

    async def look(self) -> None:
        """Show what has been added.

        Raises:
            OSError: the file cannot be read.
            LogError: it is not a record, or it is damaged.
        """
        if self._over or self.path.stat().st_size <= self._read:
            return
        with self.path.open("rb") as file:
            file.seek(self._read)
            data = file.read()
        data = data[: data.rfind(b"\n") + 1]
        if not data:
            return
        record = read_record(self._header + data, str(self.path))
        self._read += len(data)
        if self._session is None:
            self._header = data[: data.find(b"\n") + 1]
            self._begin(record)
        for number, line in enumerate(record.lines):
            self._take(line)
            if number % AT_ONCE == 0:
                await asyncio.sleep(0)

    def _begin(self, record: Record) -> None:
        try:
            login: dict[str, Any] = record.header["login"]
            key = GUEST if login["guest"] else _ANY_KEY
            self._session = Session(Login(login["type"], key, str(login["lobby"]), str(login["sex"])))
        except (KeyError, TypeError, ValueError, LocalProtocolError) as error:
            raise LogError(f"does not say how it was played ({error})", record.source, "line 1") from None
        self._feed = self._stage.open(self.path.stem, lambda: self._player.names, self.path, at_once=True)
        self._player.watchers = (self._feed,)

    def _take(self, line: RecordLine) -> None:
        session, feed = self._session, self._feed
        if session is None or feed is None:
            return
        if line.kind == "connect":
            session.connect()
        elif line.kind == "in" and isinstance(line.value, str):
            received = session.receive(line.value)
            for event in received.events:
                self._player.apply(event, session.seat or 0)
            self._prompt = received.prompt or self._prompt
        elif line.kind == "decision":
            self._decided(line, session, feed)
        elif line.kind == "end":
            self._over = True
            self._stage.close(feed)

    def _decided(self, line: RecordLine, session: Session, feed: Feed) -> None:
        """Show a decision; one of an earlier version, whose reasons were sentences, is not shown."""
        try:
            decision = read_decision(line.value, float(line.content.get("ms") or 0.0) / 1000)
            outcome = Outcome(line.value["outcome"])
        except (KeyError, TypeError, ValueError, AttributeError):
            return
        if self._player.state is not None and not self._player.suspended:
            feed.decided(self._player.state, decision, outcome)
        if self._prompt is not None:
            with suppress(LocalProtocolError):
                session.act(self._prompt, decision.action)
            self._prompt = None


class Folder:
    """Shows the newest records of a folder, or one record, and those that are added.

    Attributes:
        folder: the folder that holds the records.
    """

    def __init__(self, place: Path) -> None:
        """Look at the place: a folder of records, or a record."""
        self.folder = place if place.is_dir() else place.parent
        self._place = place
        self._followers: dict[Path, Follower] = {}
        self._passed_over: set[Path] = set()
        self._records: dict[Path, bool] = {}
        self._passed_over = set(self.paths()[:-KEPT])

    async def follow(self, stage: Stage) -> None:
        """Show records until cancelled.

        Raises:
            InputError: the only record cannot be read.
        """
        while True:
            for path in self.paths():
                follower = self._followers.setdefault(path, Follower(path, stage))
                try:
                    await follower.look()
                except OSError as error:
                    self._pass_over(path, f"{path}: {error.strerror or error}")
                except LogError as error:
                    self._pass_over(path, str(error))
            await asyncio.sleep(LOOK)

    def _pass_over(self, path: Path, reason: str) -> None:
        if path == self._place:
            raise InputError(brief(reason))
        self._passed_over.add(path)
        log.warning("not shown", reason=brief(reason))

    def paths(self) -> list[Path]:
        """The records to show, oldest first."""
        if self._place != self.folder:
            return [self._place]
        found = []
        for path in self._place.glob(f"*{SUFFIX}"):
            with suppress(OSError):
                if path not in self._passed_over and self._is_record(path):
                    found.append((path.stat().st_mtime, path))
        return [path for _, path in sorted(found)]

    def _is_record(self, path: Path) -> bool:
        """Whether a file is a record; one without a first line may become one."""
        if path not in self._records:
            kind = kind_of(path)
            if kind is None:
                return False
            self._records[path] = kind == RECORD
        return self._records[path]


RECORD: Final = "record"
"""Name of the format of records."""


def kind_of(path: Path) -> str | None:
    """The format of a file, "" if it has none; None if it may become a record and has no whole line yet.

    Raises:
        OSError: the file cannot be read.
    """
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        head = file.read(SNIFFED_BYTES)
    if path.suffix == SUFFIX and b"\n" not in head and len(head) < SNIFFED_BYTES:
        return None
    return detect_format(head) or ""
