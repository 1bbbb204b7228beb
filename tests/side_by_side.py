"""Several processes at one piece of work, as when a user runs the program more than once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable
from typing import Any


def side_by_side(work: Callable[..., object], calls: Iterable[tuple[Any, ...]]) -> None:
    """Call a function of a module in a process for each call, all at once; none of them may fail."""
    context = multiprocessing.get_context("spawn")
    working = [context.Process(target=work, args=call) for call in calls]
    for each in working:
        each.start()
    for each in working:
        each.join()
    assert [each.exitcode for each in working] == [0] * len(working)
