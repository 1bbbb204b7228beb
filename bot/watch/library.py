"""Recorded games to watch: logs in any format, and records with what is added to them while they are written."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import structlog

from bot.deciding.ask import Outcome
from bot.deciding.fields import read_decision
from bot.machine.errors import InputError
from bot.machine.inputs import file_stem
from bot.machine.text import brief
from bot.page.history import KEPT
from bot.page.table import written_action
from bot.play.record import SUFFIX
from bot.replay.decisions import DecisionPoint, Fault, Known
from bot.replay.steps import Following, steps
from bot.review.recording import Recording, read_recording, truth_fields
from bot.watch.feed import Feed
from bot.watch.shown import LogView
from bot.watch.stage import Stage
from bot.wording.events import NoteKind, note_at_table
from bot.wording.troubles import trouble_words
from engine.model.events import Resume, StartGame, StartKyoku
from engine.model.hands import Holdings
from engine.model.seats import SEATS
from engine.state import StateError
from protocol.errors import LogError, LogTrouble, reading
from protocol.logs.formats import FORMATS, SNIFFED_BYTES, LogFile, detect_format
from protocol.logs.record import RecordLine, read_record
from protocol.logs.wire import Damaged, Playing, Seen

MOST: Final = 1_000
"""Number of logs that are listed; of more, the first ones."""
AT_ONCE: Final = 50
"""Number of events after which others get their turn."""
_KNOWN: Final = frozenset((Known.ACTED, Known.LET_GO))
log = structlog.get_logger()

LOOK: Final = 0.5
"""Seconds between two looks at the disk."""


class Library:
    """The logs that can be opened on the page.

    Attributes:
        files: the logs, in the order of the list.
    """

    def __init__(self, files: Sequence[LogFile], seat: int | None, stage: Stage) -> None:
        """List the logs on the page.

        Args:
            files: the logs.
            seat: whose view is shown first; None: that of the link or file name, else of the first dealer.
            stage: what the page shows.
        """
        self.files = list(files)
        self._paths: dict[int, Path] = {}
        self._seat = seat
        self._stage = stage
        self._opening = asyncio.Lock()
        stage.listeners.append(self._hear)
        self._list()

    def add(self, file: LogFile, path: Path) -> int:
        """List a log that is kept in a file, unless it is listed; returns its number."""
        for number, known in self._paths.items():
            if known == path:
                return number
        self.files.append(file)
        self._paths[len(self.files) - 1] = path
        self._list()
        return len(self.files) - 1

    def _list(self) -> None:
        self._stage.history.tell(logs=[brief(file_stem(file), 80) for file in self.files])

    def _hear(self, said: object) -> Coroutine[Any, Any, None] | None:
        """Open the log that a browser asks for."""
        match said:
            case {"do": "open", "log": int(number), "seat": int() | None as seat} if seat in {None, *SEATS}:
                return self.open(number, seat)
        return None

    async def open(self, number: int, seat: int | None = None) -> None:
        """Show a log, unless that view of it is being shown already; the page says what is wrong with it."""
        if not 0 <= number < len(self.files):
            return
        async with self._opening:
            try:
                await self.show(number, seat)
                trouble = {}
            except LogError as error:
                trouble = trouble_words(error, brief(str(error), 400))
        self._stage.history.tell(trouble={"log": number, "why": trouble} if trouble else None)

    async def show(self, number: int, seat: int | None = None) -> None:
        """Show a log.

        Raises:
            LogError: it cannot be read, or holds no game that can be shown.
        """
        file = self.files[number]
        recording = await asyncio.to_thread(read_recording, file)
        chosen = next((each for each in (recording.viewer, seat, file.seat, self._seat) if each is not None), 0)
        if self._stage.shows(number, chosen):
            return
        view = LogView(number, chosen, recording.viewer is None, file, self._paths.get(number))
        with reading(file.name):
            await _show(recording, view, self._stage)


async def _show(recording: Recording, view: LogView, stage: Stage) -> None:
    """Show all of a recording.

    Raises:
        LogError: nothing of it can be shown.
    """
    if not any(isinstance(event, StartKyoku | Resume) for _, event in recording.events):
        raise LogError(
            "contains no hand that was dealt; there is nothing to show", recording.name, trouble=LogTrouble.NO_GAME
        )
    feed = stage.open(brief(file_stem(view.file), 60), view=view, at_once=True)
    holdings, faults = Holdings(), list[Fault]()
    for number, step in enumerate(steps(recording.source, view.seat, faults)):
        holdings.take(step.event)
        if step.followed:
            feed.happened(step.state, step.seen, truth_fields(holdings, step.state) if view.whole else None)
            _chose(feed, step.point)
        if number % AT_ONCE == 0:
            await asyncio.sleep(0)
    if faults:
        feed.noted(note_at_table(NoteKind.CONTRADICTION))
    stage.close(feed)


def _chose(feed: Feed, point: DecisionPoint | None) -> None:
    """Show what the seat answered, where it is known and there was a choice."""
    if point is not None and point.played is not None and point.known in _KNOWN and len(point.legal) > 1:
        feed.chose(written_action(point.played, point.state.rules.red_fives))


def is_whole(file: LogFile) -> bool:
    """Whether a log holds a whole game, or a session that is over, and not a record that may be written."""
    return file.error is None and FORMATS[file.format].name != "record"


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
        self._playing = Playing()
        self._following: Following | None = None
        self._feed: Feed | None = None

    @property
    def key(self) -> int:
        """The key of the game on the stage; 0 until it is shown."""
        return 0 if self._feed is None else self._feed.shown.key

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
        with reading(str(self.path)):
            record = read_record(self._header + data, str(self.path))
            self._read += len(data)
            if self._feed is None:
                self._header = data[: data.find(b"\n") + 1]
                self._feed = self._stage.open(self.path.stem, self.path, at_once=True)
            for number, line in enumerate(record.lines):
                self._take(line, self._feed)
                if number % AT_ONCE == 0:
                    await asyncio.sleep(0)

    def _take(self, line: RecordLine, feed: Feed) -> None:
        """Show what a line adds."""
        if (frame := line.frame) is not None:
            for told in self._playing.take(frame):
                if isinstance(told, Damaged) and self._following is not None:
                    self._following.lose(StateError(told.why))
                elif isinstance(told, Seen):
                    self._happened(told, feed)
        elif line.kind == "decision" and self._following is not None and not self._following.lost:
            self._decided(line, self._following, feed)
        elif line.kind == "end":
            self._over = True
            self._stage.close(feed)

    def _happened(self, told: Seen, feed: Feed) -> None:
        if isinstance(told.event, StartGame):
            self._following = Following(told.viewer, told.event.rules)
        if (following := self._following) is None:
            return
        if following.hear(told.event):
            feed.happened(following.state, told.event)
        elif following.fault is not None:
            feed.noted(note_at_table(NoteKind.LOST_TRACK, str(following.fault)))

    @staticmethod
    def _decided(line: RecordLine, following: Following, feed: Feed) -> None:
        """Show a decision; one of an earlier version, whose reasons were sentences, is not shown."""
        try:
            decision = read_decision(line.value, float(line.content.get("ms") or 0.0) / 1000)
            outcome = Outcome(line.value["outcome"])
        except (KeyError, TypeError, ValueError, AttributeError):
            return
        feed.decided(following.state, decision, outcome)


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
