"""Programs that this one runs beside itself, a line of text at a time both ways; none of them outlives it."""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import IO, Final
from weakref import WeakSet

from bot.machine.errors import RunError
from bot.machine.text import brief

KEPT: Final = 20
"""Lines of the program's standard error that are kept for the error message when it ends."""
LINE: Final = 1 << 16
"""Maximum length of a line in characters; the rest counts as further lines."""
UNREAD: Final = 1_000
"""Lines that may wait to be read; a program that writes more is cut off."""
FAREWELL: Final = 1.0
"""Seconds that the program has to exit after its input was closed; then it is killed."""
_LOOK: Final = 0.1
"""Seconds after which a reader checks whether the program is still there."""


class RunningProgram:
    """A running program in a separate process group: no Ctrl-C reaches it, and its children are ended with it."""

    def __init__(self, name: str, words: Sequence[str]) -> None:
        """Start it.

        Args:
            name: how messages name it.
            words: program and arguments; no shell runs.

        Raises:
            OSError: it cannot be started.
        """
        self.name = name
        self._process: Final = subprocess.Popen(  # noqa: S603 - the user names the program, or it is this one
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
            start_new_session=True,
        )
        _RUNNING.add(self)
        self._replies: queue.Queue[str] = queue.Queue(UNREAD)
        self._unsent: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._complaints: deque[str] = deque(maxlen=KEPT)
        self._flooded = False
        stdin, stdout, stderr = self._process.stdin, self._process.stdout, self._process.stderr
        self._writing, self._reading, self._listening = self._threads = [
            threading.Thread(target=work, args=(stream, what), daemon=True)
            for work, stream, what in (
                (_write, stdin, self._unsent.get),
                (_read, stdout, self._take),
                (_read, stderr, self._complaints.append),
            )
        ]
        for thread in self._threads:
            thread.start()

    @property
    def runs(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.poll() is None

    def send(self, line: str) -> None:
        """Queue one line for the program. If the program has ended, :meth:`receive` reports it."""
        self._unsent.put(line)

    def receive(self, until: float) -> str | None:
        """The next line that the program writes, or None if ``until`` (of :func:`time.monotonic`) passes first.

        Raises:
            RunError: the program has ended, or was cut off.
        """
        while True:
            left = until - time.monotonic()
            running = self._reading.is_alive()
            with contextlib.suppress(queue.Empty):
                return self._replies.get(timeout=min(max(left, 0.0), _LOOK) if running else 0.0)
            if not running:
                raise self._ended()
            if left <= 0:
                return None

    def close(self) -> None:
        """Close its input, wait :data:`FAREWELL` seconds for it to exit, then kill it. May be called from any thread.

        A thread that is waiting in :meth:`receive` gets its error then.
        """
        self._unsent.put(None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL)
        self.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(FAREWELL)

    def _take(self, line: str) -> bool:
        """Queue a line that was read; returns whether to go on reading."""
        try:
            self._replies.put_nowait(line)
        except queue.Full:
            self._flooded = True
            self.kill()
        return not self._flooded

    def kill(self) -> None:
        """Kill the program, and what it has started and left running."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def reap(self) -> None:
        """Take notice of the end of a program that was killed, so that nothing of it stays in the list of processes."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LOOK)

    def _ended(self) -> RunError:
        try:
            code: object = self._process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            code = "none: it is still running, but has closed its output"
        self._listening.join(FAREWELL)
        words = "; ".join(line.strip() for line in self._complaints if line.strip())
        said = f"; its standard error: {brief(words, 1000)}" if words else ""
        if self._flooded:
            return RunError(f"{self.name}: killed: it wrote {UNREAD} lines that nobody asked for{said}")
        return RunError(f"{self.name}: the program has ended (exit code {code}){said}")


_RUNNING: Final = WeakSet[RunningProgram]()


def kill_programs() -> None:
    """Kill all programs that this process has started, before it ends without waiting for them."""
    for pipe in tuple(_RUNNING):
        pipe.kill()
        pipe.reap()


def _write(stream: IO[str], take: Callable[[], str | None]) -> None:
    """Write lines until None comes, then close the stream. Lines that the program does not read are dropped."""
    with contextlib.suppress(OSError), stream:
        while (line := take()) is not None:
            stream.write(line + "\n")


def _read(stream: IO[str], put: Callable[[str], object]) -> None:
    """Pass on lines until the stream ends or ``put`` returns False."""
    with stream:
        while (line := stream.readline(LINE)) and put(line) is not False:
            pass
