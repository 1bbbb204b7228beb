"""Calls that nothing divides: one thread at a time, and Ctrl-C only when a change is complete."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from bot.machine.errors import InputError


class OneThread:
    """Lets one thread in at a time and refuses the others, whose answers would be to questions that are gone."""

    def __init__(self, what: str) -> None:
        """Guard something; ``what``: how a message names it."""
        self._what: Final = what
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise InputError(
                f"{self._what} is in use by another thread; give each thread one of its own, or let them take turns "
                "with a lock around each call and what follows from it"
            )

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def __reduce__(self) -> tuple[Callable[[str], "OneThread"], tuple[str]]:
        """A copy is used by nobody yet."""
        return OneThread, (self._what,)


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Within the block Ctrl-C is only noted; what it would have done happens when the block ends."""
    before: Any = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # Python hears it elsewhere, or it ends the process, or nobody hears it
        return
    heard: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: heard.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            before(*heard[0])
