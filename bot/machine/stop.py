"""SIGTERM stops the run after the current game; a second SIGTERM stops it at once."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator

import structlog

log = structlog.get_logger()


@contextlib.contextmanager
def stop_on_sigterm(announce: Callable[[str], None]) -> Iterator[asyncio.Event]:
    """Within the block, SIGTERM sets the yielded event; a second SIGTERM cancels the task that entered the block.

    SIGINT is not changed: it stops at once. On systems without these signals nothing happens.

    Args:
        announce: called with a sentence for people; its errors are ignored.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def asked() -> None:
        at_once = stop.is_set()
        stop.set()  # before any output, which may fail
        if at_once and task is not None:
            task.cancel()
        text = "stopping at once" if at_once else "stopping after the game; a second SIGTERM stops at once"
        with contextlib.suppress(OSError, ValueError):
            log.warning("SIGTERM", then=text)
        with contextlib.suppress(OSError, ValueError):
            announce(text)

    try:
        loop.add_signal_handler(signal.SIGTERM, asked)
    except (NotImplementedError, ValueError, RuntimeError):  # not on this system, or not the main thread
        yield stop
        return
    try:
        yield stop
    finally:
        loop.remove_signal_handler(signal.SIGTERM)
