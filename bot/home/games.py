"""The games that lie here, as lists and figures show them: when, who, places, and how the hands of each player went.

The files are read once, in a thread, the newest first, a few at a time: a folder of thousands keeps nobody waiting.
"""

import json
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from bot.deciding.person import HUMAN
from bot.logs.sources import open_logs
from bot.machine.text import brief
from bot.play.record import SUFFIX
from bot.review.fields import played_on
from bot.review.recording import Recording, read_recording
from bot.wording.opponents import as_people_from
from engine.arena.seat_stats import SeatStats, seat_stats_of
from engine.model.events import EndGame
from engine.model.seats import SEATS, by_score
from protocol.errors import LogError

MOST: Final = 2_000
"""Number of games that are listed, the newest."""
STEP: Final = 0.3
"""Seconds for which files are read before what was found is shown."""
RUNNING: Final = 120.0
"""Seconds for which a record that somebody writes may stay as it is, and its game is still called running."""
FIGURES: Final = ("hands", "wins", "deal_ins", "riichi", "called", "won", "paid", "drawn", "tenpai")
"""What is counted of each player; names of :class:`~engine.arena.seat_stats.SeatStats`."""

AGAIN: Final = 10.0
"""Seconds after which a record that grows, or a file that could not be read, is read again."""

_State = tuple[int, int]


class _Read(NamedTuple):
    """A file that was read."""

    state: _State  # its size, and when it was last changed
    row: dict[str, Any] | None  # the game; None if it is none, or could not be read
    lasts: bool  # whether that is so until the file changes
    at: float  # when it was read, by the monotonic clock

    def holds(self, state: _State) -> bool:
        """Whether it need not be read again, though it may have changed."""
        grows = self.row is not None and self.row["own"] is not None and not self.row["over"]
        soon = time.monotonic() - self.at < AGAIN
        return (self.state == state and (self.lasts or soon)) or (grows and soon)


class Games:
    """The logs and records of some folders, read as far as there was time.

    Attributes:
        whole: whether everything has been read.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        """Prepare.

        Args:
            folders: folders of logs and records; they need not exist.
        """
        self.whole = False
        self._folders = folders
        self._read: dict[Path, _Read] = {}

    def read(self) -> None:
        """Look at the folders, and read for :data:`STEP` seconds what is new. Takes time, and runs in one thread."""
        until = time.monotonic() + STEP
        found = {path: state for folder in self._folders for path, state in _files(folder)}
        newest = sorted(found, key=lambda path: -found[path][1])[:MOST]
        self._read = {path: self._read[path] for path in newest if path in self._read}
        self.whole = True
        for path in newest:
            known = self._read.get(path)
            if known is not None and known.holds(found[path]):
                continue
            try:
                row, lasts = _game(path), True
            except OSError:  # such as of a file that has just been deleted, or for want of file descriptors
                row, lasts = None, False
            self._read[path] = _Read(found[path], row, lasts, time.monotonic())
            if time.monotonic() > until:
                self.whole = False
                break

    def rows(self) -> list[dict[str, Any]]:
        """The games that can be read, the newest first."""
        now = time.time_ns()
        rows = [
            row | {"running": not row["over"] and row["own"] is not None and now - state[1] < RUNNING * 1e9}
            for state, row, _, _ in self._read.values()
            if row is not None
        ]
        rows.sort(key=lambda row: (row["order"], row["own"] is not None), reverse=True)
        once: dict[str, dict[str, Any]] = {}
        for row in rows:  # of a game that lies here in several formats the record, or the first
            game = json.dumps((row["at"][:10], row["names"], row["points"], row["seats"]))
            once.setdefault(game if row["over"] else row["key"], row)
        return list(once.values())


def _files(folder: Path) -> list[tuple[Path, _State]]:
    """The files of a folder, each with its size and when it was last changed, in nanoseconds."""
    found = []
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                if path.is_file():
                    state = path.stat()
                    found.append((path, (state.st_size, state.st_mtime_ns)))
    return found


def _game(path: Path) -> dict[str, Any] | None:
    """A game; None if the file is none. Raises OSError where it cannot be read.

    ``at`` is empty if nothing says when it was played: the file of a log is as old as its copy here. ``order`` is when
    it was played as far as that is known, and otherwise when it came here.
    """
    try:
        recording = read_recording(next(open_logs([path])))
        changed = datetime.fromtimestamp(path.stat().st_mtime).astimezone()
    except LogError as error:
        if isinstance(error.__context__, OSError):
            raise error.__context__ from None
        return None
    except (StopIteration, ValueError, OverflowError):  # a time beyond the year 9999
        return None
    called, strengths = as_people_from(recording.names, 0)
    day, minute = played_on(recording.info.log_id, path.name), changed.isoformat(timespec="minutes")
    written_then = day == minute[:10] or (not day and recording.viewer is not None and path.suffix == SUFFIX)
    at = minute if written_then else day
    return {
        "key": path.stem,
        "at": at,
        "order": at or minute,
        "names": [brief(name, 24) for name in recording.names],
        "called": [brief(name, 24) for name in called],
        "strengths": strengths,
        "hanchan": recording.rules.hanchan,
        "own": recording.viewer,
        "person": path.suffix == SUFFIX and _is_played_by_a_person(path),
        **_figures(recording),
    }


def _figures(recording: Recording) -> dict[str, Any]:
    """How a game ended, and the counts of :data:`FIGURES` by absolute seat."""
    end = end_of(recording)
    return {
        "over": end is not None,
        "places": None if end is None else places_of(end),
        "points": None if end is None else list(end.scores),
        "seats": [_counts(one) for one in seat_stats_of([event for _, event in recording.events])],
    }


def end_of(recording: Recording) -> EndGame | None:
    """The end of a game; None if it is not recorded."""
    return next((event for _, event in reversed(recording.events) if isinstance(event, EndGame)), None)


def places_of(end: EndGame) -> list[int]:
    """The places by absolute seat."""
    order = by_score(end.scores)
    return [order.index(seat) + 1 for seat in SEATS]


def _counts(one: SeatStats) -> list[int]:
    return [int(getattr(one, name)) for name in FIGURES]


def _is_played_by_a_person(path: Path) -> bool:
    """Whether the first line of a record says that a person has played."""
    try:
        with path.open("rb") as file:
            header = json.loads(file.readline(1 << 20))
        return bool(header["policy"]["name"] == HUMAN)
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return False
