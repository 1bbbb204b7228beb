"""Another program over its standard input and output, a line each way, never waited for without end."""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
import time
from collections import deque
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
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("it is empty")
            self._process: Final = subprocess.Popen(  # noqa: S603 - the user names the program
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise InputError(f"mjai:{brief(command)}: cannot be started: {reason}") from None
        self.command = command
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._complaints: deque[str] = deque(maxlen=KEPT)
        self._threads = (
            threading.Thread(target=_pump, args=(self._process.stdout, self._lines.put), daemon=True),
            threading.Thread(target=_pump, args=(self._process.stderr, self._complain), daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def send(self, line: str) -> None:
        """Write one line.

        Raises:
            RunError: it has ended.
        """
        stdin = self._process.stdin
        try:
            if stdin is not None:
                stdin.write(line + "\n")
                stdin.flush()
        except (OSError, ValueError):
            raise self._ended() from None

    def receive(self, until: float) -> str | None:
        """The next line it writes; None when ``until`` (of :func:`time.monotonic`) comes first.

        Raises:
            RunError: it has ended.
        """
        try:
            line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise self._ended()
        return line

    def close(self) -> None:
        """Close its input, wait a little, then end it."""
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except OSError:
                pass  # it has ended: what was not written is of no use any more
        try:
            self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()

    def _complain(self, line: str | None) -> None:
        if line is not None:
            self._complaints.append(line)

    def _ended(self) -> RunError:
        try:
            code: object = self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            code = "still running, but its output is closed"
        self._threads[1].join(FAREWELL)
        words = "; ".join(line.strip() for line in self._complaints if line.strip())
        said = f"; it said: {brief(words, 1000)}" if words else ""
        return RunError(f"mjai:{brief(self.command)}: the program has ended (exit code {code}){said}")


def _pump(stream: IO[str] | None, put: object) -> None:
    """Move lines until the stream ends, then None."""
    assert callable(put)
    if stream is not None:
        while line := stream.readline(LINE):
            put(line)
    put(None)
