"""The journal of a long run: a file that grows line by line, so that an interrupted run can continue."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from bot.machine.errors import InputError
from bot.record.writer import dump

VERSION: Final = 1
Piece = TypeVar("Piece")


class Kept:
    """The whole lines of a journal.

    Attributes:
        path: path of the file.
        header: the first line, which says what was asked; empty if there is none yet.
        size: number of bytes of the whole lines; an incomplete last line is not counted.
    """

    def __init__(self, path: Path, work: str) -> None:
        """Read a journal.

        Args:
            path: path of the file.
            work: what the journal is of: ``replay``, ``match``.

        Raises:
            InputError: it cannot be read, or is not such a journal.
        """
        self.path = path
        self.header: dict[str, Any] = {}
        self._lines: list[dict[str, Any]] = []
        try:
            if not stat.S_ISREG(path.stat().st_mode):
                raise InputError(f"--journal {path}: is not a regular file; name another file")
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"--journal {path}: {error.strerror}") from None
        self.size = data.rfind(b"\n") + 1
        if not self.size:
            beginning = dump({"format": _format(work)}).removesuffix("}").encode()
            if data[: len(beginning)] != beginning[: len(data)]:  # not even a first line that was cut short
                raise self._damaged()
            return
        try:
            self.header, *self._lines = map(json.loads, data[: self.size].decode().splitlines())
        except (ValueError, RecursionError):
            raise self._damaged() from None
        if not all(isinstance(line, dict) for line in (self.header, *self._lines)):
            raise self._damaged()
        if self.header.get("format") != _format(work) or self.header.get("version") != VERSION:
            raise InputError(f"--journal {path}: is not the journal of a {work}; name another file")

    def pieces(self, read: Callable[[dict[str, Any]], Piece]) -> list[Piece]:
        """The finished pieces of work.

        Args:
            read: makes a piece of its line.

        Raises:
            InputError: a line is not that of a piece.
        """
        try:
            return [read(line) for line in self._lines]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise self._damaged() from None

    def _damaged(self) -> InputError:
        return InputError(f"--journal {self.path}: is damaged or not a journal; name another file")


class Journal:
    """A journal that is continued: one line of JSON for each finished piece of work.

    Each line is passed to the operating system at once, so a process that is killed loses at most an incomplete last
    line, and that piece is done again.

    Attributes:
        kept: what an earlier run has finished.
    """

    def __init__(self, path: Path, work: str, order: Mapping[str, Any]) -> None:
        """Read the journal, or create it; it is opened for writing as a context.

        Args:
            path: path of the file.
            work: what the journal is of: ``replay``, ``match``.
            order: what is asked of whom; the journal of another order is refused.

        Raises:
            InputError: it cannot be read or created, is not a journal, or belongs to another order.
        """
        self._path = path
        self._header = header = {"format": _format(work), "version": VERSION, **order}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.touch()
        except OSError as error:
            raise InputError(f"--journal {path}: {error.strerror}") from None
        self.kept = Kept(path, work)
        theirs = self.kept.header
        if theirs and dump(theirs) != dump(header):
            other = {name: value for name, value in theirs.items() if header.get(name) != value}
            raise InputError(
                f"--journal {path}: belongs to another {work} ({dump(other)}); name another file or delete it"
            )

    def __enter__(self) -> Self:
        """Open the file for writing.

        Raises:
            InputError: it cannot be written.
        """
        try:
            self._file = self._path.open("ab")
            self._file.truncate(self.kept.size)
        except OSError as error:
            raise InputError(f"--journal {self._path}: {error.strerror}") from None
        if not self.kept.header:
            self.write(self._header)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def write(self, line: Mapping[str, Any]) -> None:
        """Add a line.

        Raises:
            InputError: it cannot be written.
        """
        try:
            self._file.write(dump(line).encode() + b"\n")
            self._file.flush()
        except OSError as error:
            raise InputError(f"--journal {self._path}: {error.strerror}") from None


def _format(work: str) -> str:
    return f"oshihiki-{work}-journal"
