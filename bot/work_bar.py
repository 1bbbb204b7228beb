"""Progress over pieces of work: a bar at a terminal, elsewhere a line every so often."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Final, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

T = TypeVar("T")

EVERY: Final = 20.0
"""Seconds between two lines."""


class Lines:
    """How far work is, in a line every so often, where there is no terminal that shows a bar."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._started = self._last = perf_counter()

    def say(self, text: str) -> None:
        """How far it is now; shown if it is time for a line."""
        now = perf_counter()
        if not self._screen.is_terminal and now - self._last >= EVERY:
            self._last = now
            self._screen.print(f"{text} in {now - self._started:.0f} s", highlight=False, markup=False, soft_wrap=True)


def counted(screen: Console, what: str, results: Iterable[T], total: int | None = None) -> Iterator[T]:
    """Yield the results while a bar, or a line every so often, says how many there are."""
    lines = Lines(screen)
    with work_bar(screen) as bar:
        task = bar.add_task(what, total=total)
        for number, result in enumerate(results, 1):
            yield result
            bar.update(task, completed=number)
            lines.say(f"{number} {what}")


def work_bar(screen: Console) -> Progress:
    """A bar for a number of pieces of work, at a terminal only."""
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
