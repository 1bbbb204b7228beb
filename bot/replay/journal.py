"""The journal of a long replay: a file that grows game by game, so that an interrupted run can continue."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from bot.errors import InputError
from bot.record.writer import dump
from bot.replay.agreement import Agreement
from bot.replay.games import Replayed

FORMAT: Final = "oshihiki-replay-journal"
VERSION: Final = 1


class Journal:
    """One line per log, after a first line that says what was asked of which policy.

    Attributes:
        path: path of the file.
        agreement: the sum over the finished logs.
        done: logs finished before this run.
    """

    def __init__(self, path: Path, order: dict[str, Any]) -> None:
        """Open the journal, or create it.

        Args:
            path: path of the file.
            order: what is asked of which policy; the journal of another order is refused.

        Raises:
            InputError: it cannot be read or written, is not a journal, or belongs to another order.
        """
        self.path = path
        self.agreement = Agreement()
        self._done: set[tuple[str, str]] = set()
        header = {"format": FORMAT, "version": VERSION, **order}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_bytes() if path.exists() else b""
            whole = data[: data.rfind(b"\n") + 1]  # an incomplete last line is done again
            self._read(whole, header)
            self._file = path.open("ab")
            self._file.truncate(len(whole))
        except OSError as error:
            raise InputError(f"--journal {path}: {error.strerror}") from None
        if not whole:
            self._write(header)

    @property
    def done(self) -> int:
        """Number of finished logs."""
        return len(self._done)

    def has(self, name: str, digest: str) -> bool:
        """Whether the log with this name and these bytes is finished."""
        return (name, digest) in self._done

    def add(self, replayed: Replayed) -> None:
        """Add a finished log."""
        self._done.add((replayed.name, replayed.digest))
        self._write({"log": replayed.name, "digest": replayed.digest, "agreement": replayed.agreement.fields()})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def _read(self, data: bytes, header: dict[str, Any]) -> None:
        try:
            first, *lines = map(json.loads, data.decode().splitlines()) if data else (header,)
            if first.get("format") != FORMAT or first.get("version") != VERSION:
                raise InputError(f"--journal {self.path}: is not the journal of a replay; name another file")
            if dump(first) != dump(header):
                theirs = {name: value for name, value in first.items() if header.get(name) != value}
                raise InputError(
                    f"--journal {self.path}: belongs to another replay ({dump(theirs)}); name another file or delete it"
                )
            for line in lines:
                self._done.add((line["log"], line["digest"]))
                self.agreement.add(Agreement.of(line["agreement"]))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"--journal {self.path}: is damaged or not a journal; name another file") from None

    def _write(self, content: dict[str, Any]) -> None:
        self._file.write(dump(content).encode() + b"\n")
        self._file.flush()
