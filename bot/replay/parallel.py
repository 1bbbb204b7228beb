"""Work distributed over processes or machines, through joblib and its backends."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from importlib import import_module
from itertools import chain, islice
from typing import Any, Final, TypeVar

from bot.errors import InputError

Work = TypeVar("Work")
Result = TypeVar("Result")


class Backend(StrEnum):
    """What runs the processes."""

    LOKY = "loky"
    """joblib's own backend, on this machine."""
    THREADS = "threading"
    """Threads of this process, for debugging."""
    DASK = "dask"
    """A dask cluster: the one at ``DASK_SCHEDULER_ADDRESS``, or else one started on this machine."""
    RAY = "ray"
    """A ray cluster: the one at ``RAY_ADDRESS``, or else one started on this machine."""


_AT_ONCE: Final = 8
"""Number of pieces per process given to a backend that does not stream results."""

_EXTRAS: Final = {Backend.DASK: "distributed", Backend.RAY: "ray.util.joblib"}


def each(
    function: Callable[[Work], Result], work: Iterable[Work], jobs: int = 1, backend: Backend = Backend.LOKY
) -> Iterator[Result]:
    """Yield ``function`` of every piece of work, in the order of completion.

    The work is read in the calling process, only a little ahead. With one job, or fewer pieces than jobs, everything
    runs in the calling process.

    Raises:
        InputError: the backend is not installed.
    """
    work = iter(work)
    first = list(islice(work, jobs))
    work = chain(first, work)
    if backend is Backend.LOKY and (len(first) < jobs or jobs == 1):  # too little to be worth starting processes for
        yield from map(function, work)
        return
    from joblib import Parallel, delayed, parallel_config  # noqa: PLC0415 - one process does without

    with _cluster(backend, jobs), parallel_config(backend=str(backend), n_jobs=jobs):
        if backend is Backend.RAY:  # ray returns results only all at once
            while several := list(islice(work, _AT_ONCE * jobs)):
                yield from Parallel(batch_size=1)(delayed(function)(piece) for piece in several)
            return
        pool = Parallel(return_as="generator_unordered", pre_dispatch="2*n_jobs", batch_size=1)
        yield from pool(delayed(function)(piece) for piece in work)


def _cluster(backend: Backend, jobs: int) -> AbstractContextManager[Any]:
    """The context in which the backend works."""
    if backend not in _EXTRAS:
        return nullcontext()
    try:
        module: Any = import_module(_EXTRAS[backend])
    except ImportError:
        raise InputError(
            f"--backend {backend}: {backend} is not installed; install oshihiki[{backend}], or leave the option out"
        ) from None
    if backend is Backend.RAY:
        module.register_ray()
        return nullcontext()
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    client: AbstractContextManager[Any] = module.Client(
        **({"address": address} if address else {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None})
    )
    return client
