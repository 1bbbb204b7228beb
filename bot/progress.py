"""Preparation before play, with progress shown to people who wait for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

PATIENCE: Final = 3.0
"""Seconds after which even a console without a terminal is told what takes so long."""


@dataclass(frozen=True, slots=True)
class Ready:
    """One step that was done: its name, and how many seconds it took."""

    name: str
    seconds: float


def warm_up(screen: Console, needs: Collection[str] | None = None) -> list[Ready]:
    """Run the steps of :func:`engine.warmup.steps` for these needs of policies and evaluators, or all.

    At a terminal a bar names what is being done and goes away when all is. Elsewhere one line is written when it
    turns out to take long, which it does once a machine and version.
    """
    progress = Progress(
        TextColumn("getting ready: {task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    )
    done: list[Ready] = []
    told = False
    begun = perf_counter()
    with progress:
        task = progress.add_task("loading", total=None)
        from engine.warmup import steps  # noqa: PLC0415 - numba takes its time: show the bar first

        wanted = steps(needs)

        for step in wanted:
            progress.update(task, description=step.name, total=len(wanted), completed=len(done))
            started = perf_counter()
            step.run()
            done.append(Ready(step.name, perf_counter() - started))
            if not told and not screen.is_terminal and perf_counter() - begun > PATIENCE and step is not wanted[-1]:
                told = True
                screen.print("getting ready, the first time takes a while …", highlight=False)
    return done
