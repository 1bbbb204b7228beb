"""Ctrl-C while modules are loaded."""

import contextlib
import os
import signal
from collections.abc import Iterator

_STOPPED = b"oshihiki: stopped\n"


@contextlib.contextmanager
def ended_by_an_interrupt() -> Iterator[None]:
    """Within the block, which only imports, Ctrl-C ends the process at once, in one line and with code 130.

    As an exception it could come up in a callback of the import system, where Python prints a traceback and goes on.
    Nothing happens outside the main thread, and where Ctrl-C is ignored or handled already.
    """
    before = signal.getsignal(signal.SIGINT)
    try:
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, _end)
    except ValueError:  # not the main thread
        before = None
    try:
        yield
    finally:
        if before is signal.default_int_handler:
            signal.signal(signal.SIGINT, before)


def _end(*_: object) -> None:
    with contextlib.suppress(OSError):
        os.write(2, _STOPPED)
    os._exit(130)
