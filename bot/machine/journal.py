"""Results of long runs by their keys, kept in a journal that grows line by line: an interrupted run goes on there."""

import json
import os
import stat
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from bot.machine.errors import InputError
from bot.machine.files import append, locked
from bot.machine.origin import engine_hash

VERSION: Final = 1
Key = TypeVar("Key", bound=Hashable)
Piece = TypeVar("Piece")


def dump(value: Any) -> str:
    """The canonical text of a value, by which values are compared."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)


Line = dict[str, Any]


def read_journal(path: Path, work: str) -> tuple[Line, list[Line]]:
    """The first line of a journal, which says what was asked and is empty if there is none yet, and the other lines.

    Args:
        path: path of the file.
        work: what the journal is of: ``replay``, ``match``.

    Raises:
        InputError: it cannot be read, or is not such a journal.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise InputError(f"--journal {path}: is not a regular file; name another file")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"--journal {path}: {error.strerror}") from None
    size = data.rfind(b"\n") + 1  # an incomplete last line does not count
    if not size:
        beginning = dump({"format": _format(work)}).removesuffix("}").encode()
        if data[: len(beginning)] != beginning[: len(data)]:  # not even a first line that was cut short
            raise _damaged(path)
        return {}, []
    try:
        header, *lines = map(json.loads, data[:size].decode().splitlines())
    except (ValueError, RecursionError):
        raise _damaged(path) from None
    if not all(isinstance(line, dict) for line in (header, *lines)):
        raise _damaged(path)
    if header.get("format") != _format(work) or header.get("version") != VERSION:
        raise InputError(f"--journal {path}: is not the journal of a {work}; name another file")
    return header, lines


def pieces(path: Path, lines: Iterable[Line], read: Callable[[Line], Piece]) -> list[Piece]:
    """The finished pieces of work, each of the line of a journal that ``read`` makes it of.

    Raises:
        InputError: a line is not that of a piece.
    """
    try:
        return [read(line) for line in lines]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _damaged(path) from None


def _damaged(path: Path) -> InputError:
    return InputError(f"--journal {path}: is damaged or not a journal; name another file")


@dataclass(frozen=True, slots=True)
class Pen:
    """Writes lines into a journal; each is passed to the operating system at once, whole or not at all.

    Several processes of a machine may have one each, and a process that is killed damages no line but its last.
    """

    path: Path  # path of the file, which exists
    header: Mapping[str, Any]  # first line of the journal
    always: Mapping[str, Any] = field(default_factory=dict)  # fields with which every other line begins

    def write(self, fields: Mapping[str, Any] | None = None) -> None:
        """Add a line; None: only the first one, unless it is there.

        Raises:
            InputError: it cannot be written.
        """
        line = b"" if fields is None else _line({**self.always, **fields})
        try:
            file = os.open(self.path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
            try:
                with locked(file):
                    _cut_torn(file)
                    append(file, line if os.fstat(file).st_size else _line(self.header) + line)
            finally:
                os.close(file)
        except OSError as error:
            raise InputError(f"--journal {self.path}: cannot be written: {error.strerror}") from None


def _line(fields: Mapping[str, Any]) -> bytes:
    return dump(fields).encode() + b"\n"


def _cut_torn(file: int) -> None:
    """Cut off an incomplete last line, which a process that was killed has left."""
    size = os.fstat(file).st_size
    at = size
    while at:
        start = max(0, at - 4096)
        os.lseek(file, start, os.SEEK_SET)
        found = os.read(file, at - start).rfind(b"\n")
        if found >= 0:
            at = start + found + 1
            break
        at = start
    if at < size:
        os.ftruncate(file, at)


def continued(
    path: Path, work: str, order: Mapping[str, Any], always: Mapping[str, Any] | None = None
) -> tuple[list[Line], Pen]:
    """The lines that an earlier run has kept in a journal, which is begun if there is none, and what writes its lines.

    Args:
        path: path of the file.
        work: what the journal is of: ``replay``, ``match``.
        order: what is asked of whom; the journal of another order is refused.
        always: fields with which every line begins.

    Raises:
        InputError: it cannot be read or written, is not a journal, or belongs to another order.
    """
    header = {"format": _format(work), "version": VERSION, **order}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch()
    except OSError as error:
        raise InputError(f"--journal {path}: {error.strerror}") from None
    known, lines = read_journal(path, work)
    if known and dump(known) != dump(header):
        other = {name: value for name, value in known.items() if header.get(name) != value}
        raise InputError(f"--journal {path}: belongs to another {work} ({dump(other)}); name another file or delete it")
    pen = Pen(path.absolute(), header, always or {})
    if not known:
        pen.write()
    return lines, pen


class Results(Generic[Key, Piece]):
    """The results of a run by their keys: those of an earlier run from its journal, and those that are added.

    Without a journal they are kept in memory alone.

    Attributes:
        done: the results.
        foreign: the keys of those that other code of the engine has found.
        pen: writes into the journal where results are found, also in other processes of this machine; see :meth:`add`.
            None: there is no journal.
    """

    def __init__(
        self,
        path: Path | None,
        work: str,
        order: Mapping[str, Any],
        read: Callable[[dict[str, Any]], tuple[Key, Piece]],
        line: Callable[[Key, Piece], Mapping[str, Any]],
        *,
        by_engine: bool = False,
    ) -> None:
        """Read the journal, or create it.

        Args:
            path: path of the journal; None: none is kept.
            work: what the journal is of.
            order: what is asked of whom; the journal of another order is refused.
            read: key and result of a line.
            line: makes the line of a key and a result, which ``read`` reads.
            by_engine: whether each line says which code of the engine found it.

        Raises:
            InputError: see :func:`continued`.
        """
        self.done: dict[Key, Piece] = {}
        self.foreign: set[Key] = set()
        self.pen: Pen | None = None
        self._line = line
        engine = {"engine": engine_hash()} if by_engine else {}
        if path is None:
            return
        lines, self.pen = continued(path, work, order, engine)
        for by, (key, piece) in pieces(path, lines, lambda one: ({name: one[name] for name in engine}, read(one))):
            self.done[key] = piece
            (self.foreign.discard if by == engine else self.foreign.add)(key)

    def add(self, key: Key, piece: Piece, *, written: bool = False) -> None:
        """Add a result.

        Args:
            key: its key.
            piece: the result.
            written: whether :attr:`pen` has written it.

        Raises:
            InputError: the journal cannot be written.
        """
        self.done[key] = piece
        self.foreign.discard(key)
        if self.pen is not None and not written:
            self.pen.write(self._line(key, piece))


def _format(work: str) -> str:
    return f"oshihiki-{work}-journal"
