"""Another program over its standard input and output, a line each way, never waited for without end."""

from __future__ import annotations

import contextlib
import queue
import shlex
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import IO, Final

from bot.errors import InputError, RunError
from bot.text import brief

KEPT: Final = 20
"""Lines of its standard error that are kept for the message when it ends."""
LINE: Final = 1 << 20
"""Characters of one line that are taken."""
FAREWELL: Final = 2.0
"""Seconds it is given to end by itself once its input is closed."""


class Pipe:
    """A running program."""

    def __init__(self, command: str) -> None:
        """Start it.

        Args:
            command: program and arguments, quoted as in a shell; no shell runs.

        Raises:
            InputError: it cannot be started.
        """
        self.command = command
        self._process: Final = _start(command)
        self._replies: queue.Queue[str | None] = queue.Queue()
        self._unsent: queue.Queue[str | None] = queue.Queue()
        self._complaints: deque[str] = deque(maxlen=KEPT)
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        self._threads = [
            threading.Thread(target=work, args=(stream, what), daemon=True)
            for work, stream, what in (
                (_write, stdin, self._unsent.get),
                (_read, stdout, self._replies.put),
                (_read, stderr, self._complaints.append),
            )
        ]
        for thread in self._threads:
            thread.start()

    def send(self, line: str) -> None:
        """Write one line, as soon as it reads; that it has ended is found out by :meth:`receive`."""
        self._unsent.put(line)

    def receive(self, until: float) -> str | None:
        """The next line it writes; None when ``until`` (of :func:`time.monotonic`) comes first.

        Raises:
            RunError: it has ended.
        """
        try:
            line = self._replies.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            self._replies.put(None)
            raise self._ended()
        return line

    def close(self) -> None:
        """Close its input, wait a little, then end it."""
        self._unsent.put(None)
        try:
            self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join()

    def _ended(self) -> RunError:
        try:
            code: object = self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            code = "none: it runs, but has closed its output"
        self._threads[-1].join(FAREWELL)
        words = "; ".join(line.strip() for line in self._complaints if line and line.strip())
        said = f"; it said: {brief(words, 1000)}" if words else ""
        return RunError(f"mjai:{brief(self.command)}: the program has ended (exit code {code}){said}")


def _start(command: str) -> subprocess.Popen[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"mjai:{brief(command)}: cannot be read as a command: {error}") from None
    if not words:
        raise InputError("mjai: names no program; write mjai:COMMAND")
    try:
        return subprocess.Popen(  # noqa: S603 - the user names the program
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
        )
    except OSError as error:
        raise InputError(f"mjai:{brief(command)}: cannot be started: {error.strerror}") from None


def _write(stream: IO[str], take: Callable[[], str | None]) -> None:
    """Write lines until None comes, then close the stream. Where nobody reads any more they are of no use."""
    with contextlib.suppress(OSError), stream:
        while (line := take()) is not None:
            stream.write(line + "\n")


def _read(stream: IO[str], put: Callable[[str | None], object]) -> None:
    """Hand on lines until the stream ends, then None."""
    with stream:
        while line := stream.readline(LINE):
            put(line)
    put(None)
