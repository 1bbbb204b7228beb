"""Stopping: SIGTERM asks to stop after the game, a second one stops at once."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator

import structlog

log = structlog.get_logger()


@contextlib.contextmanager
def stop_on_sigterm(told: Callable[[str], None]) -> Iterator[asyncio.Event]:
    """Within the block, SIGTERM sets the event that is given; the second cancels the task that entered.

    SIGINT is left as it is: it stops at once. Where the system knows no such signals nothing happens.

    Args:
        told: shown to people when it happens; that it fails stops nothing.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def asked() -> None:
        at_once = stop.is_set()
        stop.set()  # before anything is said: whoever should hear it may be gone
        if at_once and task is not None:
            task.cancel()
        text = "stops at once" if at_once else "stops after the game; once more stops at once"
        with contextlib.suppress(OSError, ValueError):
            log.warning("SIGTERM", then=text)
        with contextlib.suppress(OSError, ValueError):
            told(text)

    try:
        loop.add_signal_handler(signal.SIGTERM, asked)
    except (NotImplementedError, ValueError, RuntimeError):  # not on this system, or not the main thread
        yield stop
        return
    try:
        yield stop
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
