"""Work distributed over processes or machines: one loop, whatever runs them; processes end with the one that began."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import ExitStack, suppress
from enum import StrEnum
from functools import partial
from importlib import import_module
from itertools import chain, islice
from logging import CRITICAL
from queue import Empty
from threading import Thread
from typing import Any, Final, NamedTuple, TypeVar

from bot.machine.errors import InputError, RunError
from bot.machine.outlet import print_error, prints_to_stderr
from bot.machine.outside import FAULTS, Counted

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
_AHEAD: Final = 2
"""Number of pieces per process that are handed over at a time."""

Work = TypeVar("Work")
Result = TypeVar("Result")


class Backend(StrEnum):
    """The library that runs the processes."""

    LOKY = "loky"
    """Processes of this machine."""
    THREADS = "threading"
    """Threads of this process, for debugging."""
    DASK = "dask"
    """A dask cluster: the one at ``DASK_SCHEDULER_ADDRESS``, or else one started on this machine."""
    RAY = "ray"
    """A ray cluster: the one at ``RAY_ADDRESS``, or else one started on this machine."""


_EXTRAS: Final = {Backend.DASK: "distributed", Backend.RAY: "ray"}


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
    if in_order:
        yield from _in_order(each(partial(_numbered, function), enumerate(work), jobs, backend))
        return
    work = iter(work)
    first = list(islice(work, jobs))
    work = chain(first, work)
    if backend is Backend.LOKY and (len(first) < jobs or jobs == 1):  # too little to be worth starting processes for
        yield from map(function, work)
        return
    with ExitStack() as stack:
        pool = _POOLS[backend](jobs, stack)
        yield from _streamed(pool, function, work)


def _numbered(function: Callable[[Work], Result], piece: tuple[int, Work]) -> tuple[int, Result]:
    return piece[0], function(piece[1])


def _in_order(numbered: Iterable[tuple[int, Result]]) -> Iterator[Result]:
    """The results in the order of their numbers."""
    early: dict[int, Result] = {}
    wanted = 0
    for number, result in numbered:
        early[number] = result
        while wanted in early:
            yield early.pop(wanted)
            wanted += 1


def _cancel(running: Iterable[Future[Any]]) -> None:
    for future in running:
        future.cancel()


class _Pool(NamedTuple):
    """A pool of processes or threads."""

    submit: Callable[..., Future[tuple[Any, Counted]]]  # hands a call over to another process
    size: Callable[[], int]  # number of processes now
    # the errors that mean that a process has ended
    lost: tuple[type[Exception], ...] = (BrokenExecutor, CancelledError)
    stop: Callable[[Iterable[Future[Any]]], None] = _cancel  # breaks off the calls that were handed over


def _streamed(pool: _Pool, function: Callable[[Work], Result], work: Iterator[Work]) -> Iterator[Result]:
    """Yield the results as they are finished."""
    running: dict[Future[tuple[Result, Counted]], Work] = {}
    again: list[Work] = []
    try:
        while True:
            alone = bool(again) and not running  # so that an end would have one cause
            if alone:
                pieces: Iterable[Work] = (again.pop(),)
            else:
                pieces = () if again else islice(work, max(0, _AHEAD * pool.size() - len(running)))
            for piece in pieces:
                try:
                    running[pool.submit(_with_faults, function, piece)] = piece
                except pool.lost as error:
                    raise _ended(error, "and no other takes its place; it") from None
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                piece = running.pop(future)
                try:
                    result, faults = future.result()
                except pool.lost as error:
                    if alone:
                        raise _ended(error, "twice; it") from None
                    if not again:
                        print_error(str(_ended(error, "early, and its share is tried again; it")))
                    again.append(piece)
                else:
                    FAULTS.add(faults)
                    yield result
    finally:
        if running:
            pool.stop(running)


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


def _without_faults(_: object, function: Callable[[Work], Result], piece: Work) -> tuple[Result, Counted]:
    """The result in this process, whose faults are noted where they are counted."""
    return function(piece), {}


# -- what runs work ----------------------------------------------------------------------------------------------------


def _loky(jobs: int, _: ExitStack) -> _Pool:
    def submit(*call: Any) -> Future[Any]:
        try:
            return executor(jobs).submit(*call)  # another one, if a process of the last one has ended
        except BrokenExecutor:
            return executor(jobs).submit(*call)

    # calls that were cancelled before would make a thread of loky fail, which notifies each of them of the end
    return _Pool(submit, lambda: jobs, stop=lambda _: end_workers())


def _threads(jobs: int, stack: ExitStack) -> _Pool:
    threads = stack.enter_context(ThreadPoolExecutor(jobs))
    return _Pool(lambda *call: threads.submit(_without_faults, *call), lambda: jobs)


def _dask(jobs: int, stack: ExitStack) -> _Pool:
    module = _imported(Backend.DASK)
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    own = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": CRITICAL}
    client = stack.enter_context(module.Client(**({"address": address} if address else own)))
    threads = client.get_executor(pure=False)  # dask itself tries again where a worker has ended
    return _Pool(
        threads.submit,
        lambda: sum(client.nthreads().values()) or jobs,
        (BrokenExecutor, CancelledError, module.KilledWorker),
    )


def _ray(jobs: int, stack: ExitStack) -> _Pool:
    module = _imported(Backend.RAY)
    if not module.is_initialized():
        own = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": jobs, "include_dashboard": False}
        with prints_to_stderr():  # it reports lost workers on standard output
            module.init(log_to_driver=False, logging_level=CRITICAL, **own)
        stack.callback(module.shutdown)
    remote = module.remote(max_retries=0)(_with_faults)
    names = ("WorkerCrashed", "NodeDied", "LocalRayletDied", "OutOfMemory", "ObjectLost", "RaySystem")
    lost = tuple(getattr(module.exceptions, f"{name}Error") for name in names)
    return _Pool(
        lambda _, *call: remote.remote(*call).future(),
        lambda: int(module.cluster_resources().get("CPU", jobs)),
        (CancelledError, *lost),
    )


_POOLS: Final[dict[Backend, Callable[[int, ExitStack], _Pool]]] = {
    Backend.LOKY: _loky,
    Backend.THREADS: _threads,
    Backend.DASK: _dask,
    Backend.RAY: _ray,
}


def _imported(backend: Backend) -> Any:
    try:
        return import_module(_EXTRAS[backend])
    except ImportError:
        raise InputError(
            f"--backend {backend}: {backend} is not installed; install oshihiki[{backend}], or leave the option out"
        ) from None


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

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK)
        os._exit(1)

    Thread(target=watch, daemon=True, name="end with the parent").start()
