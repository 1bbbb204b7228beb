"""Preparation before play, with progress shown to people who wait for it."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)

from bot.machine.compiling import compile_aside, only_one

if TYPE_CHECKING:
    from engine.warmup import Preparation

LOOK: Final = 0.2
"""Seconds between looks at what another program has compiled."""


@dataclass(frozen=True, slots=True)
class Ready:
    """One step that was done: its name, and how many seconds it took."""

    name: str
    seconds: float


def warm_up(screen: Console, needs: Collection[str] | None = None) -> list[Ready]:
    """Compile and load what policies and evaluators with these needs use, or all if None.

    Kernels that are not compiled yet are compiled first, in processes side by side; if another program is doing that,
    it is waited for. At a terminal a bar moves with every kernel and goes away when all is done; elsewhere one line
    says why it takes long. An interrupt leaves what was compiled until then.
    """
    progress = Progress(
        SpinnerColumn(),  # moves while one long kernel is left and the bar stands still
        TextColumn("getting ready: {task.description}"),
        BarColumn(bar_width=24),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=screen,
        transient=True,
        disable=not screen.is_terminal,
    )
    with progress:
        task = progress.add_task("loading", total=None)
        from engine.warmup import preparations  # noqa: PLC0415 - numba takes its time: show the bar first

        wanted = preparations(needs)
        done = _compile(progress, task, wanted)
        progress.update(task, total=len(wanted), completed=0)
        for step in wanted:
            progress.update(task, description=step.name)
            started = perf_counter()
            step.load()
            done.append(Ready(step.name, perf_counter() - started))
            progress.advance(task)
    return done


def _compile(progress: Progress, task: TaskID, wanted: Collection[Preparation]) -> list[Ready]:
    """Compile the kernels that have to be, or wait until another program has; the steps that this took."""
    from engine._jit import CACHE_DIR  # noqa: PLC0415 - as above
    from engine.warmup import uncompiled  # noqa: PLC0415 - as above

    seconds = uncompiled(wanted)
    if not seconds:
        return []
    if not progress.console.is_terminal:
        progress.console.print("getting ready, the first time takes a while …", highlight=False)
    started = perf_counter()
    progress.update(task, total=sum(seconds.values()))
    while left := uncompiled(wanted):
        progress.update(task, description=_compiling(left))
        with only_one(CACHE_DIR) as alone, closing(compile_aside(list(left) if alone else ())) as compiled:
            for name in compiled:
                left = {each: cost for each, cost in left.items() if each != name}
                progress.update(task, advance=seconds[name], description=_compiling(left))
        if alone:
            break
        so_far = sum(seconds.values()) - sum(left.values())
        progress.update(task, completed=so_far, description="waiting for another program that compiles")
        sleep(LOOK)
    return [Ready("kernels", perf_counter() - started)]


def _compiling(left: Collection[str]) -> str:
    """What is being compiled: the number of kernels left, and the name of the last one."""
    if len(left) == 1:
        return f"compiling the last kernel, {next(iter(left)).rpartition('.')[2]}"
    return f"compiling, {len(left)} kernels left"
