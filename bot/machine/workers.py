"""Worker processes on this machine, which end with the process that started them, however that ends."""

import os
import sys
import time
from concurrent.futures import Executor
from contextlib import suppress
from queue import Empty
from threading import Thread
from typing import Any, Final

_LOOK: Final = 1.0
"""Seconds between two looks at whether the parent is there."""
_IDLE: Final = 300.0
"""Seconds after which workers without work end."""
_THREADS: Final = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)
"""What bounds the threads of libraries: all workers together have one for each core."""


def executor(jobs: int) -> Executor:
    """Worker processes that stay for the next call with as many; others, if one of them has ended."""
    from loky import get_reusable_executor  # noqa: PLC0415 - one process does without

    share = str(max(1, (os.cpu_count() or 1) // jobs))
    threads = {name: os.environ.get(name, share) for name in _THREADS}
    found: Executor = get_reusable_executor(
        max_workers=jobs, timeout=_IDLE, initializer=end_with, initargs=(os.getpid(),), env=threads
    )
    return found


def end_workers() -> None:
    """End the worker processes of this one, if there are any; they have nothing left to do."""
    loky: Any = sys.modules.get("loky")
    if loky is None:
        return
    found = loky.get_reusable_executor(reuse=True)
    # loky forgets the calls at once, and its thread fails at a number that it has not yet taken from this queue
    with suppress(Empty):
        while True:
            found._work_ids.get_nowait()  # noqa: SLF001 - there is no other way to take them back
    found.shutdown(wait=True, kill_workers=True)


def end_with(parent: int) -> None:
    """Let this process end soon after its parent has died; a worker would wait minutes for work, and hold its files.

    Args:
        parent: number of the parent process.
    """
    Thread(target=_watch, args=(parent,), daemon=True, name="end with the parent").start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)
