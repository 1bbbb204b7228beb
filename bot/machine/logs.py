"""Logging with structlog, for people or as JSON, without secrets and terminal codes; and notes of crashes."""

import contextlib
import logging
import os
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any, Literal, TextIO

import structlog

from bot.machine.files import append, open_private
from bot.machine.outlet import Outlet, print_error
from bot.machine.text import clean

Format = Literal["console", "json"]
Level = Literal["debug", "info", "warning", "error"]
Fields = MutableMapping[str, Any]


def scrub(logger: Any, method: str, fields: Fields) -> Fields:  # noqa: ARG001
    """Remove secrets and control characters from every field of a log line; a processor of structlog."""
    trace = fields.pop("exception", None)  # the only field that may have several lines
    scrubbed = {clean(str(key)): _scrubbed(value) for key, value in fields.items()}
    if trace is not None:
        scrubbed["exception"] = "\n".join(map(clean, str(trace).splitlines()))
    return scrubbed


def _scrubbed(value: Any) -> Any:
    """A value that is safe to log; anything but a plain value becomes its text."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {clean(str(key)): _scrubbed(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_scrubbed(item) for item in value]
    return clean(str(value))


class RotatingFile:
    """A log file that is rotated to ``FILE.1``, ``FILE.2``, … when it has grown; the oldest is removed.

    Writing never raises: a line that cannot be written is lost, and the first of several is reported on standard error.
    A file that was moved or removed is created again.
    """

    def __init__(self, path: Path, size: int, keep: int) -> None:
        """Open the file for appending.

        Args:
            path: path of the file.
            size: size in bytes at which it is rotated; 0: never.
            keep: number of rotated files to keep.

        Raises:
            OSError: the file cannot be opened.
        """
        self._path, self._size, self._keep = path, size, keep
        self._failing = False
        self._file = -1
        self._open()

    def write(self, text: str) -> int:
        """Write a line, or lose it."""
        try:
            self._renew()
            append(self._file, text.encode("utf-8", "replace"))
        except OSError as error:
            if not self._failing:
                reason = error.strerror or str(error)
                print_error(f"log.file: {self._path}: {reason}: lines are lost until it works")
            self._failing = True
        else:
            self._failing = False
        return len(text)

    def flush(self) -> None:
        """Do nothing: nothing is buffered."""

    def close(self) -> None:
        """Close the file."""
        descriptor, self._file = self._file, -1
        if descriptor >= 0:
            with contextlib.suppress(OSError):
                os.close(descriptor)

    def _open(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = open_private(self._path)

    def _renew(self) -> None:
        """Rotate the file if it has grown, and open it again if it was moved or removed."""
        ours = os.fstat(self._file) if self._file >= 0 else None
        if ours is not None and self._size and ours.st_size >= self._size:
            with contextlib.suppress(OSError):  # if nothing can be renamed, the file keeps growing
                self._rotate()
        with contextlib.suppress(OSError):
            there = self._path.stat()
            if ours is not None and (there.st_dev, there.st_ino) == (ours.st_dev, ours.st_ino):
                return
        kept = self._file
        self._open()
        if kept >= 0:
            os.close(kept)

    def _rotate(self) -> None:
        names = [self._path, *(self._path.with_name(f"{self._path.name}.{at}") for at in range(1, self._keep + 1))]
        for older, newer in zip(reversed(names), [*reversed(names[:-1])], strict=False):
            if newer.exists():
                newer.replace(older)
        if not self._keep:
            self._path.unlink()


@contextlib.contextmanager
def only_errors(stream: TextIO | None = None) -> Iterator[None]:
    """Within the block only errors are logged: on standard error, or on another stream."""
    close = set_up("error", stream=stream)
    try:
        yield
    finally:
        close()


def set_up(
    level: Level = "info",
    form: Format = "console",
    file: Path | None = None,
    stream: TextIO | None = None,
    *,
    rotate: int = 0,
    keep: int = 0,
) -> Callable[[], None]:
    """Configure structlog for the process.

    Args:
        level: the lowest level that is written.
        form: ``console`` for people, ``json`` for programs.
        file: file to append to, instead of standard error.
        stream: stream to write to instead of standard error; ignored with ``file``.
        rotate: size in bytes at which the file is rotated; 0: never.
        keep: number of rotated files to keep.

    Returns:
        A function that closes the file and restores the defaults of structlog.

    Raises:
        OSError: the file cannot be opened.
    """
    kept = None if file is None else RotatingFile(file, rotate, keep)
    output: Any = kept or Outlet(stream or sys.stderr)
    renderer: Any = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=kept is None and output.isatty(), sort_keys=False)
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            scrub,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(file=output),
        cache_logger_on_first_use=False,
    )

    def end() -> None:
        structlog.reset_defaults()
        if kept is not None:
            kept.close()

    return end


def system_error(error: OSError) -> str:
    """The system's refusal in words, with the file: ``'game.jsonl: No space left on device'``."""
    if isinstance(error, FileNotFoundError) and not error.filename:
        try:
            Path.cwd()
        except FileNotFoundError:
            return "the current folder was removed; change to another one"
    reason = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {reason}" if error.filename else f"the system refused: {reason}"


def crash_note(error: Exception) -> str:
    """A sentence that names an unexpected error and the file to which its traceback has been written."""
    lines = [" ".join(sys.argv), "", *"".join(traceback.format_exception(error)).splitlines()]
    text = "\n".join(map(clean, lines))
    report = "please report it"
    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="oshihiki-crash-", suffix=".txt", delete=False, encoding="utf-8", errors="replace"
        ) as file:
            file.write(f"{text}\n")
        report += f" with {file.name}"
    except OSError:  # the error is worth telling without its file
        pass
    return f"this is a bug: {type(error).__name__}: {error}; {report}"
