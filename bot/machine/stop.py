"""How a run ends: pages at a signal, games after SIGTERM when they are over; nobody waits for a thread."""

import asyncio
import contextlib
import errno
import signal
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import structlog

from bot.machine.outlet import print_error

log = structlog.get_logger()


class _Threads(ThreadPoolExecutor):
    """Threads that may be in the middle of something when the run ends; what they write is whole or not there."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        super().shutdown(wait=False, cancel_futures=True)


_FULL: Final = frozenset((errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM))
"""Errors of the system at which it accepts no connection for a while."""


def _note_faults() -> Callable[[asyncio.AbstractEventLoop, dict[str, Any]], None]:
    """A handler of the loop's faults, which says only once that there is no room for connections."""
    said = False

    def note(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        nonlocal said
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in _FULL:
            loop.default_exception_handler(context)
        elif not said:
            said = True
            print_error(f"connections wait until the system has room for them again: {error.strerror}")

    return note


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run to the end, or until a signal cancels it; threads in which something waits or is read are left behind.

    Raises:
        KeyboardInterrupt: SIGINT came.
        asyncio.CancelledError: it was cancelled otherwise.
    """
    with asyncio.Runner() as runner:
        runner.get_loop().set_default_executor(_Threads())
        runner.get_loop().set_exception_handler(_note_faults())
        runner.run(work)


def run_until_stopped(work: Coroutine[Any, Any, None]) -> None:
    """Run until SIGINT or SIGTERM, which end it alike."""

    async def cancelled_by_sigterm() -> None:
        task = asyncio.current_task()
        with contextlib.suppress(NotImplementedError, RuntimeError):  # some systems, and threads, have no signals
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel if task else lambda: None)
        await work

    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        run(cancelled_by_sigterm())


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
