"""Standard output and standard error that never raise: a reader that has gone or a full disk must not end a game."""

import contextlib
import errno
import io
import os
import sys
import threading
from collections.abc import Iterator
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TextIO, cast

from bot.machine.errors import ReaderGone

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer
    from rich.console import Console

WIDTH: Final = 120
"""Width of tables in columns where the output is not a terminal and COLUMNS is not set."""


class Outlet:
    """A text stream for people that never raises: what cannot be written is dropped.

    The first failure is reported on standard error, unless it is that the reader has gone (``| head``).
    """

    def __init__(self, stream: TextIO | None, name: str = "") -> None:
        """Wrap a stream; None if the process was started without it. ``name`` is that of the report; empty: none."""
        self._stream: Any = io.TextIOBase() if stream is None else stream
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write text, or drop it."""
        try:
            self._stream.write(text)
        except (OSError, ValueError, ReaderGone) as error:
            self._failed(error)
        return len(text)

    def flush(self) -> None:
        """Pass what was written on to the system, or drop it."""
        try:
            self._stream.flush()
        except (OSError, ValueError, ReaderGone) as error:
            self._failed(error)

    def _failed(self, error: OSError | ValueError | ReaderGone) -> None:
        number = error.errno if isinstance(error, OSError) else None
        if number not in (errno.ENOSPC, errno.EDQUOT):  # a disk may have room again; all else is final
            _discard(self._stream)
        if self._name and number != errno.EPIPE and not isinstance(error, ReaderGone):
            reason = (error.strerror if isinstance(error, OSError) else None) or error
            print_error(f"{self._name}: {reason}; what cannot be shown is dropped")
            self._name = ""


def print_error(line: str) -> None:
    """Write a line to standard error, after the name of the program; drop it if that fails."""
    out = Outlet(sys.stderr)
    out.write(f"oshihiki: {line}\n")
    out.flush()


def standard_output() -> Outlet:
    """The process's standard output, for a command that goes on when its reader has gone."""
    stream = sys.stdout
    return Outlet(stream.stream if isinstance(stream, _OurStdout) else stream, "standard output")


def output_screen() -> "Console":
    """A console of rich on standard output; when its reader has gone, the command ends."""
    return console(sys.stdout)


def error_screen() -> "Console":
    """A console of rich on standard error, which never raises."""
    return console(Outlet(sys.stderr))


def console(stream: TextIO | Outlet) -> "Console":
    """A console of rich that does not colour figures, and breaks lines for terminals alone."""
    from rich.console import Console  # noqa: PLC0415 - the command line itself does without

    made = Console(file=cast("TextIO", stream), highlight=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.soft_wrap, made.width = True, WIDTH
    return made


def say(screen: "Console", text: str, style: str = "") -> None:
    """Print a line as it is, whatever it contains: nothing in it is marked up or coloured, and it is not broken."""
    screen.print(text, style=style or None, markup=False, highlight=False, soft_wrap=True)


class _OurStdout:
    """Takes the place of standard output: text that others print goes to standard error.

    Attributes:
        stream: the real standard output.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def __getattr__(self, name: str) -> Any:
        ours = threading.current_thread() is threading.main_thread() and not _others_print.get()
        return getattr(self.stream if ours else sys.stderr, name)


_others_print: ContextVar[bool] = ContextVar("_others_print", default=False)
"""Whether a call of :func:`prints_to_stderr` is open in this thread."""


@contextlib.contextmanager
def prints_to_stderr() -> Iterator[None]:
    """Within the block, what this thread prints goes to standard error; so does, from then on, what others print.

    Our own threads write through :class:`Outlet` and are not affected.
    """
    if sys.stdout is not None and not isinstance(sys.stdout, _OurStdout):
        sys.stdout = cast("TextIO", _OurStdout(sys.stdout))
    before = _others_print.set(True)
    try:
        yield
    finally:
        _others_print.reset(before)


def open_missing_streams() -> None:
    """Open the null device in place of standard streams that are closed.

    Otherwise the next file or socket would get their numbers, and with them what is meant for people.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # the lowest free number is this one
            os.open(os.devnull, os.O_RDWR)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def reserve_stdout() -> None:
    """Let the descriptor of standard output lead to standard error, and keep the real one for ourselves.

    What libraries and programs that this process starts write to the descriptor does not reach standard output then.
    """
    was: Any = sys.stdout
    own = os.dup(1)
    os.dup2(2, 1)
    # a terminal has no reader that goes, and on Windows a class of its own
    raw = os.fdopen(own, "wb", 0) if os.isatty(own) else _Pipe(own, "wb")
    sys.stdout = io.TextIOWrapper(
        cast("BinaryIO", raw if was.write_through else io.BufferedWriter(raw)),
        was.encoding,
        was.errors,
        line_buffering=was.line_buffering,
        write_through=was.write_through,
    )
    sys.__stdout__ = sys.stdout  # type: ignore[misc]
    sys.stderr = cast("TextIO", Outlet(sys.stderr))


class _Pipe(io.FileIO):
    """A stream whose reader may go: the first write after that ends the command, and what follows is dropped."""

    def write(self, data: "ReadableBuffer") -> int:
        try:
            return super().write(data)
        except OSError as error:
            if error.errno != errno.EPIPE and not (os.name == "nt" and error.errno == errno.EINVAL):
                raise
        _discard(self)
        raise ReaderGone


def use_replacement_characters() -> None:
    """Let standard output write a question mark for each character that its encoding does not have.

    Python chooses the encoding of redirected output by the system: on a Japanese or western Windows it has few of the
    characters that names and tables need.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # a test may have put something else there
        sys.stdout.reconfigure(errors="replace")


def flush_streams() -> bool:
    """Flush both streams before the process ends, so that Python itself does not fail on them.

    Returns:
        Whether everything that was written to standard output has arrived.

    Raises:
        ReaderGone: nobody reads standard output any more.
    """
    Outlet(sys.stderr).flush()
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        _discard(sys.stdout)
        return False
    return True


def _discard(stream: Any) -> None:
    """Send what is still buffered, and all that follows, to the null device."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
