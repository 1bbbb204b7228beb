"""Standard output and standard error that never raise: a reader that has gone or a full disk must not end a game."""

import contextlib
import errno
import io
import os
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TextIO, cast

from bot.machine.errors import ReaderGone

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    from rich.console import Console

_GONE: Final = (errno.EPIPE, errno.EIO, errno.EBADF)
"""Errors after which nothing written will ever be read: the pipe, the terminal or the descriptor is closed."""
WIDTH: Final = 120
"""Width of tables in columns where the output is not a terminal and COLUMNS is not set."""


class Outlet:
    """A text stream for people. What cannot be written is dropped; the first failure is reported on another stream.

    That its reader has gone (``| head``) is no failure, and dropped without a word.

    Attributes:
        lost: why something was dropped; empty if nothing was.
    """

    def __init__(self, stream: TextIO | None, name: str = "", other: "Outlet | None" = None) -> None:
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
            except (OSError, ValueError, ReaderGone) as error:
                self._failed(error)
        return len(text)

    def flush(self) -> None:
        """Pass what was written on to the system, or drop it."""
        if self._stream is not None and not self._gone:
            try:
                self._stream.flush()
            except (OSError, ValueError, ReaderGone) as error:
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

    def _failed(self, error: OSError | ValueError | ReaderGone) -> None:
        if isinstance(error, ReaderGone | BrokenPipeError):
            self._gone, self.lost = True, self.lost or os.strerror(errno.EPIPE)
            _discard(self._stream)
            return
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
    stream = sys.stdout
    return Outlet(stream.stream if isinstance(stream, _OurStdout) else stream, "standard output", standard_error())


def console(outlet: Outlet) -> "Console":
    """A console of rich on an outlet."""
    return _console(cast("TextIO", outlet))


def output_screen() -> "Console":
    """A console of rich on standard output."""
    return _console(sys.stdout)


def error_screen() -> "Console":
    """A console of rich on standard error."""
    return _console(sys.stderr)


def _console(stream: TextIO) -> "Console":
    """A console that does not colour figures, and does not break lines that go elsewhere than to a terminal."""
    from rich.console import Console  # noqa: PLC0415 - the command line itself does without

    made = Console(file=stream, highlight=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.soft_wrap, made.width = True, WIDTH
    return made


class _OurStdout:
    """Takes the place of standard output: text that others print goes to standard error.

    Attributes:
        stream: the real standard output.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        ours = threading.current_thread() is threading.main_thread() and not getattr(_calls, "depth", 0)
        return getattr(self.stream if ours else sys.stderr, name)


_calls = threading.local()
"""``depth``: number of calls of :func:`prints_to_stderr` that are open in a thread."""


@contextlib.contextmanager
def prints_to_stderr() -> Iterator[None]:
    """Within the block, what this thread prints goes to standard error; so does, from then on, what others print.

    Our own threads write through :class:`Outlet` and are not affected.
    """
    if sys.stdout is not None and not isinstance(sys.stdout, _OurStdout):
        sys.stdout = cast("TextIO", _OurStdout(sys.stdout))
    _calls.depth = getattr(_calls, "depth", 0) + 1
    try:
        yield
    finally:
        _calls.depth -= 1


def reserve_stdout() -> None:
    """Let the descriptor of standard output lead to standard error, and keep the real one for ourselves.

    What libraries and programs that this process starts write to the descriptor does not reach standard output then.
    """
    was = sys.stdout
    through = getattr(was, "write_through", False)
    own = os.dup(1)
    # a terminal has no reader that goes, and on Windows a class of its own
    raw = os.fdopen(own, "wb", 0) if os.isatty(own) else _Pipe(own)
    os.dup2(2, 1)
    lines = getattr(was, "line_buffering", False)
    binary = raw if through else io.BufferedWriter(raw)
    sys.stdout = io.TextIOWrapper(
        cast("BinaryIO", binary), was.encoding, was.errors, line_buffering=lines, write_through=through
    )
    sys.__stdout__ = sys.stdout  # type: ignore[misc]
    if not os.isatty(2):
        said = io.BufferedWriter(_Pipe(os.dup(2), ends=False))
        sys.stderr = io.TextIOWrapper(said, sys.stderr.encoding, sys.stderr.errors, line_buffering=True)
        sys.__stderr__ = sys.stderr  # type: ignore[misc]


class _Pipe(io.FileIO):
    """A stream whose reader may go. The first write after that ends the command; what follows is dropped.

    Args:
        descriptor: its descriptor.
        ends: whether the command ends; if not, the first write too is dropped.
    """

    def __init__(self, descriptor: int, *, ends: bool = True) -> None:
        super().__init__(descriptor, "wb")
        self._ends = ends
        self._gone = False

    def write(self, data: "ReadableBuffer") -> int:
        if not self._gone:
            try:
                return super().write(data)
            except OSError as error:
                if error.errno != errno.EPIPE and not (os.name == "nt" and error.errno == errno.EINVAL):
                    raise
            self._gone = True
            if self._ends:
                raise ReaderGone
        return memoryview(data).nbytes


def open_missing_streams() -> None:
    """Open the null device in place of standard streams that are closed.

    Otherwise the next file or socket would get their numbers, and with them what is meant for people.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the lowest free number is this one
            os.open(os.devnull, os.O_RDWR)


def use_replacement_characters() -> None:
    """Let standard output write a question mark for each character that its encoding does not have.

    Python chooses the encoding of redirected output by the system: on a Japanese or western Windows it has few of the
    characters that names and tables need.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # it is None without a console
        sys.stdout.reconfigure(errors="replace")


def flush_streams() -> bool:
    """Flush both streams before the process ends, so that Python itself does not fail on them.

    Returns:
        Whether everything that was written to standard output has arrived.

    Raises:
        ReaderGone: nobody reads standard output any more.
    """
    arrived, gone = True, False
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            arrived = arrived and stream is not sys.stdout
            _discard(stream)
        except ReaderGone:
            gone = True
    if gone:
        raise ReaderGone
    return arrived


def _discard(stream: TextIO | None) -> None:
    """Send what is still buffered to the null device."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())  # type: ignore[union-attr]
        os.close(nowhere)
