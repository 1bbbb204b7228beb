"""Kernels compiled side by side in processes of their own, by one program at a time."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from bot.machine.workers import end_with

if sys.platform != "win32":
    import fcntl

MOST: Final = 3
"""Processes at most: the longest kernel takes as long as half of all others."""


def compile_aside(names: Sequence[str]) -> Generator[str]:
    """Compile kernels in processes on the idle cores; yield the name of each when it is done.

    The kernels are begun in the order given. One whose process dies is left out: whoever calls it compiles it. The
    processes end with the iterator, at once if it is closed early or interrupted, and soon after this one if it dies.
    """
    waiting = deque(names)
    with ExitStack() as stack:
        idle = [stack.enter_context(_compiler()) for _ in range(min(MOST, os.cpu_count() or 1, len(names)))]
        busy: list[Any] = []
        while True:
            while idle and waiting:
                link = idle.pop()
                with suppress(OSError):  # it died at once
                    link.send(waiting.popleft())
                    busy.append(link)
            if not busy:
                return
            answered: list[Any] = wait(busy)
            for link in answered:
                busy.remove(link)
                try:
                    done = link.recv()
                except (EOFError, OSError):  # it died
                    continue
                idle.append(link)
                yield done


@contextmanager
def _compiler() -> Iterator[Connection]:
    """A process that compiles what is named to it; it is killed in the end."""
    context = get_context("spawn")
    ours, its = context.Pipe()
    process = context.Process(target=_compile_each, args=(its, os.getpid()), daemon=True)
    try:
        with _holding_interrupts():
            process.start()
        its.close()  # so that its death ends what is read here
        yield ours
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
        ours.close()


def _compile_each(link: Connection, parent: int) -> None:
    end_with(parent)
    from engine.warmup import compile_by_name  # noqa: PLC0415 - after the process is up, and by it alone

    with suppress(EOFError):  # whoever asked is gone
        while True:
            name = link.recv()
            compile_by_name(name)
            link.send(name)


@contextmanager
def _holding_interrupts() -> Iterator[None]:
    """Hold back Ctrl-C, which every process at a terminal gets; one that is started meanwhile never hears it."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # to start it, as the first process does, would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)  # one that came meanwhile is heard now


@contextmanager
def only_one(folder: Path) -> Iterator[bool]:
    """Whether this program alone may compile into the folder now; the right ends with the context or the program.

    Where it cannot be settled, because the folder cannot be written or the system has no such locks, everybody may.
    """
    if sys.platform == "win32":
        yield True
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / "compiling.lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        yield True
        return
    try:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(file)
