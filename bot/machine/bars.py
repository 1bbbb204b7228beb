"""How far work is, over pieces of it or over many logs: a bar at a terminal, elsewhere a line every so often."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Self, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from bot.logs.sources import Source
from bot.machine.outlet import say
from bot.machine.text import plural
from protocol.logs.formats import LogFile

T = TypeVar("T")

EVERY: Final = 20.0
"""Seconds between two lines."""


class Lines:
    """Progress in a line from time to time, where there is no terminal that shows a bar."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._started = self._last = perf_counter()

    def say(self, text: str) -> None:
        """How far it is now; shown if it is time for a line."""
        now = perf_counter()
        if not self._screen.is_terminal and now - self._last >= EVERY:
            self._last = now
            say(self._screen, f"{text} in {now - self._started:.0f} s")


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
    return bar_of(
        screen, TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(), TimeElapsedColumn()
    )


def bar_of(screen: Console, *columns: ProgressColumn) -> Progress:
    """A bar of these columns, at a terminal only; it goes when the work is done."""
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)


class Bar:
    """A progress bar, shown while it is open as a context.

    Attributes:
        screen: where it is shown.
        lines: takes its place where there is no terminal.
    """

    def __init__(self, screen: Console, *columns: ProgressColumn, what: str = "", **fields: Any) -> None:
        """Create a bar of columns; ``what`` describes the work, ``fields`` are those that the columns name."""
        self.screen, self.lines = screen, Lines(screen)
        self._progress = bar_of(screen, *columns)
        self._task = self._progress.add_task(what, **fields)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, **fields: Any) -> None:
        """Show other values, as :meth:`rich.progress.Progress.update` takes them."""
        self._progress.update(self._task, **fields)


class LogBar(Bar):
    """A progress bar over the bytes of the files on disk; how much an archive contains is estimated from earlier ones.

    If the console is not a terminal, no file is examined, and a line every so often says how far it is.
    """

    def __init__(self, screen: Console, sources: Iterable[Source], unit: str) -> None:
        """Create a bar.

        Args:
            screen: where to show it.
            sources: what will be read.
            unit: what the rate counts.
        """
        columns = (
            TextColumn("{task.completed:.0%}"),
            BarColumn(),
            TextColumn("{task.fields[files]} files, {task.fields[speed]:.3g} " + unit + "/s"),
            TextColumn("{task.fields[note]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        super().__init__(screen, *columns, total=1.0, files=0, speed=0.0, note="")
        shown = screen.is_terminal
        self._unit = unit
        self._sizes = {str(file): _size(file) for each in sources for file in each.files()} if shown else {}
        self._growth = 5.0
        self._started = perf_counter()
        self._done = 0

    def watch(self, files: Iterable[LogFile]) -> Iterator[LogFile]:
        """Yield the files, noting how far they are."""
        if not self._sizes:
            yield from files
            return
        current, unpacked = "", 0
        total = sum(self._sizes.values()) or 1
        for file in files:
            source = self._source(file.name, current)
            if source != current:
                if current and unpacked > self._sizes[current]:
                    self._growth = unpacked / max(1, self._sizes[current])
                self._done += self._sizes.get(current, 0)
                current, unpacked = source, 0
            unpacked += len(file.data)
            size = self._sizes.get(current, 0)
            packed = size if file.name == current else min(size, int(unpacked / self._growth))
            self.update(completed=(self._done + packed) / total)
            yield file

    def advance(self, files: int, units: float, note: str = "") -> None:
        """Show the total number of files and units done; ``note`` is additional text."""
        speed = units / max(1e-9, perf_counter() - self._started)
        self.update(files=files, speed=speed, note=note)
        self.lines.say(f"{plural(files, 'file')}, {units:,.0f} {self._unit}{', ' * bool(note)}{note}")

    def _source(self, name: str, current: str) -> str:
        """The file on disk that contains a log."""
        if current and name.startswith(current):
            return current
        return next((source for source in self._sizes if name.startswith(source)), "")


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except (OSError, ValueError):
        return 0
