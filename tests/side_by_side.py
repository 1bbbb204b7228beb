"""Several processes at one piece of work, as when a user runs the program more than once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from bot.machine import files, journal
from bot.store import database

PATIENCE = 100.0
"""Seconds for which one of them waits for the lock of another, which may stand still on a busy machine."""


def side_by_side(work: Callable[..., object], calls: Iterable[tuple[Any, ...]]) -> None:
    """Call a function of a module in a process for each call, all at once; none of them may fail."""
    context = multiprocessing.get_context("spawn")
    working = [context.Process(target=_patiently, args=(work, *call)) for call in calls]
    for each in working:
        each.start()
    for each in working:
        each.join()
    assert [each.exitcode for each in working] == [0] * len(working)


def _patiently(work: Callable[..., object], *call: Any) -> None:
    database.WAIT = PATIENCE
    journal.locked = partial(files.locked, seconds=PATIENCE)
    work(*call)
