"""Preparation before play: kernels compiled side by side in processes, and progress for people who wait for it."""

import gc
import os
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from pathlib import Path
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

from bot.machine.errors import RunError
from bot.machine.files import lock, open_private
from bot.machine.outlet import print_error
from bot.machine.parallel import each, end_workers
from bot.machine.text import plural

if TYPE_CHECKING:
    from engine.warmup import Preparation

MOST: Final = 3
"""Processes at most: the longest kernel takes as long as half of all others."""
SELDOM: Final = (100_000, 50, 100)
"""How seldom a process that compiles looks for garbage: looking as often as usual takes an eighth of its time."""
LOOK: Final = 0.2
"""Seconds between looks at what another program has compiled."""


def compile_aside(names: Sequence[str]) -> Generator[str]:
    """Compile kernels in processes on the idle cores; yield the name of each when it is done.

    The kernels are begun in the order given. One that fails, or whose process dies, is left out: whoever calls it
    compiles it. The processes end with the iterator, at once if it is closed early or interrupted.
    """
    jobs = max(1, min(MOST, os.cpu_count() or 1, len(names)))
    try:
        yield from filter(None, each(_compiled, names, jobs))
    except RunError as error:  # a process has died twice; what is left is compiled where it is called
        print_error(str(error))
    finally:
        end_workers()  # each holds all that compiling needs


def _compiled(name: str) -> str:
    """The name of a kernel, once it is compiled; empty if it cannot be."""
    from engine.warmup import compile_by_name  # noqa: PLC0415 - after the process is up, and by it alone

    usual = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        compile_by_name(name)
    except Exception as error:  # noqa: BLE001 - it is said again, and in full, where the kernel is called
        print_error(f"{name} was not compiled ahead: {error}")
        return ""
    finally:
        gc.set_threshold(*usual)
        if parent_process() is not None:
            gc.freeze()  # this process does nothing else, and its pool would go through all of that after every kernel
    return name


@contextmanager
def only_one(folder: Path) -> Iterator[bool]:
    """Whether this program alone may compile into the folder now; the right ends with the context or the program.

    Where it cannot be settled, because the folder cannot be written or the system has no such locks, everybody may.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open_private(folder / "compiling.lock")
    except OSError:
        yield True
        return
    try:
        yield lock(file) is not False
    finally:
        os.close(file)


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


def _compile(progress: Progress, task: TaskID, wanted: "Collection[Preparation]") -> list[Ready]:
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
                left = {one: cost for one, cost in left.items() if one != name}
                progress.update(task, advance=seconds[name], description=_compiling(left))
        if alone:
            break
        so_far = sum(seconds.values()) - sum(left.values())
        progress.update(task, completed=so_far, description="waiting for another program that compiles")
        sleep(LOOK)
    return [Ready("kernels", perf_counter() - started)]


def _compiling(left: Collection[str]) -> str:
    """Progress of compiling: the number of kernels left, and the name of the last one."""
    if len(left) == 1:
        return f"compiling the last kernel, {next(iter(left)).rpartition('.')[2]}"
    return f"compiling, {plural(len(left), 'kernel')} left"
