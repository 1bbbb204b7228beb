"""Work distributed over processes or machines, through one bounded window; processes end with the one that began."""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from contextlib import contextmanager, suppress
from enum import StrEnum
from itertools import chain, islice
from logging import CRITICAL
from queue import Empty
from threading import Thread
from typing import Any, Final, NamedTuple, TypeVar

from bot.machine.errors import InputError, RunError
from bot.machine.outlet import print_error
from bot.machine.outside import FAULTS, Counted

_LOOK: Final = 1.0
"""Seconds between two looks at whether the parent is there."""
_IDLE: Final = 300.0
"""Seconds after which workers without work end."""
_LIBRARIES: Final = ("OMP", "OPENBLAS", "MKL", "BLIS", "NUMBA")
"""Libraries whose threads are bounded: all workers together have one for each core."""
_AHEAD: Final = 2
"""Number of pieces per process that are handed over at a time."""

Work = TypeVar("Work")
Result = TypeVar("Result")


class Backend(StrEnum):
    """The library that runs the processes."""

    LOKY = "loky"
    """Processes of this machine."""
    DASK = "dask"
    """A dask cluster: the one at ``DASK_SCHEDULER_ADDRESS``, or else one started on this machine."""


class _Pool(NamedTuple):
    submit: Callable[..., Future[Any]]  # hands a call over to another process
    size: Callable[[], int]  # number of processes now
    lost: tuple[type[Exception], ...] = (BrokenExecutor, CancelledError)  # what says that a process has ended


def each(
    function: Callable[[Work], Result],
    work: Iterable[Work],
    jobs: int = 1,
    backend: Backend = Backend.LOKY,
    *,
    in_order: bool = False,
) -> Iterator[Result]:
    """Yield ``function`` of every piece of work.

    The work is read in the calling process, only a little ahead. With one job, or fewer pieces than jobs, everything
    runs in the calling process. Where a process ends before its work is done, the pieces that were under way are tried
    a second time, one by one.

    Args:
        function: what is done with each piece; it and the pieces are sent to other processes.
        work: the pieces.
        jobs: number of processes; a cluster that was started before has its own.
        backend: what runs them.
        in_order: whether the results come in the order of the work, or as they are finished.

    Raises:
        InputError: the backend is not installed.
        RunError: a process has ended before its work was done, and another with the same piece alone.
    """
    work = iter(work)
    first = list(islice(work, jobs))
    work = chain(first, work)
    if backend is Backend.LOKY and (len(first) < jobs or jobs == 1):  # too little to be worth starting processes for
        yield from map(function, work)
        return
    early: dict[int, Result] = {}
    wanted = 0
    with (_dask if backend is Backend.DASK else _loky)(jobs) as pool:
        for number, result in _through_window(pool, function, enumerate(work)):
            if not in_order:
                yield result
                continue
            early[number] = result
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1


def _through_window(
    pool: _Pool, function: Callable[[Work], Result], work: Iterator[tuple[int, Work]]
) -> Iterator[tuple[int, Result]]:
    """Yield the numbers of the pieces with their results, as they are finished."""
    running: dict[Future[tuple[Result, Counted]], tuple[int, Work]] = {}
    again: list[tuple[int, Work]] = []
    while True:
        alone = bool(again) and not running  # so that an end would have one cause
        room = 0 if again else max(0, _AHEAD * pool.size() - len(running))
        for number, piece in [again.pop()] if alone else islice(work, room):
            try:
                running[pool.submit(_with_faults, function, piece)] = number, piece
            except pool.lost as error:
                raise _ended(error, "and no other takes its place; it") from None
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            number, piece = running.pop(future)
            try:
                result, faults = future.result()
            except pool.lost as error:
                if alone:
                    raise _ended(error, "twice; it") from None
                if not again:
                    print_error(str(_ended(error, "early, and its share is tried again; it")))
                again.append((number, piece))
            else:
                FAULTS.add(faults)
                yield number, result


def _ended(error: BaseException, when: str) -> RunError:
    codes = re.search(r"\{.*?\}", str(error))
    return RunError(
        f"a process that worked for this one has ended {codes.group() + ' ' if codes else ''}{when} "
        "ran out of memory, or something from outside ended it"
    )


def _with_faults(function: Callable[[Work], Result], piece: Work) -> tuple[Result, Counted]:
    """The result in another process, and the faults of code from outside meanwhile."""
    FAULTS.report = lambda _: None  # the other process reports them
    return function(piece), FAULTS.take()


@contextmanager
def _dask(jobs: int) -> Iterator[_Pool]:
    try:
        import distributed  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError("--backend dask: dask is not installed; install oshihiki[dask], or leave it out") from None
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    own = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": CRITICAL}
    with distributed.Client(**({"address": address} if address else own)) as client:  # its end takes calls back
        submit = client.get_executor(pure=False).submit  # dask itself tries again where a worker has ended
        lost = (BrokenExecutor, CancelledError, distributed.KilledWorker)
        yield _Pool(submit, lambda: sum(client.nthreads().values()) or jobs, lost)


@contextmanager
def _loky(jobs: int) -> Iterator[_Pool]:
    def submit(*call: Any) -> Future[Any]:
        try:
            return hand_over(jobs, *call)  # to another one, if a process of the last one has ended
        except BrokenExecutor:
            return hand_over(jobs, *call)

    try:
        yield _Pool(submit, lambda: jobs)
    except (
        BaseException
    ):  # cancelling the calls would make a thread of loky fail, which notifies each of them of the end
        end_workers()
        raise


def hand_over(jobs: int, *call: Any) -> Future[Any]:
    """A call in one of as many worker processes, which stay for the next; others begin if one of them has ended.

    They never hear Ctrl-C, which every process at a terminal gets: whoever hears it ends them.
    """
    from multiprocessing import resource_tracker  # noqa: PLC0415 - one process does without

    from loky import get_reusable_executor  # noqa: PLC0415 - as above

    share = str(max(1, (os.cpu_count() or 1) // jobs))
    threads = {name: os.environ.get(name, share) for name in (f"{each}_NUM_THREADS" for each in _LIBRARIES)}
    resource_tracker.ensure_running()  # as the first process begins it, it would let interrupts through again
    with _holding_interrupts():
        workers = get_reusable_executor(
            max_workers=jobs, timeout=_IDLE, initializer=_end_with, initargs=(os.getpid(),), env=threads
        )
        handed: Future[Any] = workers.submit(*call)
    return handed


@contextmanager
def _holding_interrupts() -> Iterator[None]:
    """Hold back Ctrl-C; a process that is started meanwhile never hears it."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)  # one that came meanwhile is heard now


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


def _end_with(parent: int) -> None:
    """Let this process end soon after its parent has died; a worker would wait minutes for work, and hold its files.

    Args:
        parent: number of the parent process.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK)
        os._exit(1)

    Thread(target=watch, daemon=True, name="end with the parent").start()
