"""Logging: structlog lines on the terminal or as JSON, with secrets and terminal codes removed."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any, Final, Literal, TextIO

import structlog

from bot.text import clean
from protocol.tenhou.redaction import HIDDEN, redact

Format = Literal["console", "json"]
Level = Literal["debug", "info", "warning", "error"]
Fields = MutableMapping[str, Any]

MASK: Final = HIDDEN
"""Replaces a secret."""


class Scrubber:
    """A structlog processor that removes account keys, ``secrets`` and control characters from every field."""

    def __init__(self, secrets: tuple[str, ...] = ()) -> None:
        self._secrets = tuple(sorted((secret for secret in secrets if secret), key=len, reverse=True))

    def __call__(self, logger: Any, method: str, fields: Fields) -> Fields:  # noqa: ARG002
        """Scrub one log line."""
        trace = fields.pop("exception", None)  # the only field that may have several lines
        scrubbed = {self.text(str(key)): self.value(value) for key, value in fields.items()}
        if trace is not None:
            scrubbed["exception"] = "\n".join(map(self.text, str(trace).splitlines()))
        return scrubbed

    def text(self, text: str) -> str:
        """A text that is safe to show."""
        for secret in self._secrets:
            text = text.replace(secret, MASK)
        return clean(redact(text))

    def value(self, value: Any) -> Any:
        """A value that is safe to log; anything but a plain value becomes its text."""
        if isinstance(value, str):
            return self.text(value)
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, dict):
            return {self.text(str(key)): self.value(item) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.value(item) for item in value]
        return self.text(str(value))


class RotatingFile:
    """A text file that is rotated at a size to ``FILE.1``, ``FILE.2``, …; older ones are deleted."""

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
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a", encoding="utf-8")

    def write(self, text: str) -> int:
        """Write text; a line is never split between two files."""
        if self._size and self._file.tell() >= self._size and text.strip():
            self._put_aside()
        return self._file.write(text)

    def flush(self) -> None:
        """Pass buffered text to the operating system."""
        self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _put_aside(self) -> None:
        self._file.close()
        names = [self._path, *(self._path.with_name(f"{self._path.name}.{at}") for at in range(1, self._keep + 1))]
        for older, newer in zip(reversed(names), [*reversed(names[:-1])], strict=False):
            if newer.exists():
                newer.replace(older)
        self._file = self._path.open("w" if not self._keep else "a", encoding="utf-8")


def set_up(
    level: Level = "info",
    form: Format = "console",
    file: Path | None = None,
    secrets: tuple[str, ...] = (),
    stream: TextIO | None = None,
    *,
    rotate: int = 0,
    keep: int = 0,
) -> Callable[[], None]:
    """Configure structlog for the process.

    Args:
        level: the lowest level that is written.
        form: for people or for programs.
        file: file to append to, instead of standard error.
        secrets: texts that must not be written, in addition to account keys of the usual form.
        stream: used instead of standard error (ignored with ``file``).
        rotate: size in bytes at which the file is rotated; 0: never.
        keep: number of rotated files to keep.

    Returns:
        A function that undoes this: it closes the file and restores structlog.

    Raises:
        OSError: the file cannot be opened.
    """
    kept = None if file is None else RotatingFile(file, rotate, keep)
    output: Any = kept or stream or sys.stderr
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
            Scrubber(secrets),
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
