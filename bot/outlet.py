"""Standard output and standard error that never raise: a reader that has gone or a full disk must not end a game."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from typing import TYPE_CHECKING, Final, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console

_GONE: Final = (errno.EPIPE, errno.EIO, errno.EBADF)
"""Errors after which nothing written will ever be read: the pipe, the terminal or the descriptor is closed."""


class Outlet:
    """A text stream for people. What cannot be written is dropped; the first failure is reported on another stream.

    Attributes:
        lost: why something was dropped; empty if nothing was.
    """

    def __init__(self, stream: TextIO | None, name: str = "", other: Outlet | None = None) -> None:
        """Wrap a stream.

        Args:
            stream: the stream; None if the process was started without it.
            name: its name in the report.
            other: where the first failure is reported; None: nowhere.
        """
        self._stream = stream
        self._name = name
        self._other = other
        self._gone = False
        self.lost = ""

    @property
    def encoding(self) -> str:
        """Encoding of the stream."""
        return getattr(self._stream, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        """Write text, or drop it."""
        if self._stream is not None and not self._gone:
            try:
                self._stream.write(text)
            except (OSError, ValueError) as error:
                self._failed(error)
        return len(text)

    def flush(self) -> None:
        """Pass what was written on to the system, or drop it."""
        if self._stream is not None and not self._gone:
            try:
                self._stream.flush()
            except (OSError, ValueError) as error:
                self._failed(error)

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        with contextlib.suppress(ValueError):
            return self._stream is not None and self._stream.isatty()
        return False

    def fileno(self) -> int:
        """The descriptor of the stream.

        Raises:
            OSError: it has none.
        """
        if self._stream is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return self._stream.fileno()

    def _failed(self, error: OSError | ValueError) -> None:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        if isinstance(error, ValueError) or error.errno in _GONE:
            self._gone = True
            _discard(self._stream)
        if not self.lost:
            self.lost = reason
            if self._other is not None:
                self._other.write(f"oshihiki: {self._name}: {reason}; what cannot be shown is dropped\n")
                self._other.flush()


def standard_error() -> Outlet:
    """The process's standard error."""
    return Outlet(sys.stderr)


def standard_output() -> Outlet:
    """The process's standard output; its first failure is reported on standard error."""
    return Outlet(sys.stdout, "standard output", standard_error())


def console(outlet: Outlet) -> Console:
    """A console of rich on an outlet."""
    from rich.console import Console  # noqa: PLC0415 - the command line itself does without

    return Console(file=cast("TextIO", outlet))


def occupy() -> None:
    """Open the null device in place of standard streams that are closed.

    Otherwise the next file or socket would get their numbers, and with them what is meant for people.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the lowest free number is this one
            os.open(os.devnull, os.O_RDWR)


def settle() -> bool:
    """Flush both streams before the process ends, so that Python itself does not fail on them.

    Returns:
        Whether everything that was written to standard output has arrived.
    """
    arrived = True
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            arrived = arrived and stream is not sys.stdout
            _discard(stream)
    return arrived


def _discard(stream: TextIO | None) -> None:
    """Let whatever is still buffered go nowhere."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)
