"""Preparation before play: kernels compiled side by side in processes, and progress for people who wait for it."""

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Any, Final

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

from bot.machine.files import lock, open_private
from bot.machine.parallel import end_with
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

    The kernels are begun in the order given. One whose process dies is left out: whoever calls it compiles it. The
    processes end with the iterator, at once if it is closed early or interrupted, and soon after this one if it dies.
    """
    waiting = deque(names)
    with ExitStack() as stack:
        idle = [stack.enter_context(_compiler()) for _ in range(min(MOST, os.cpu_count() or 1, len(names)))]
        busy: list[Any] = []
        while True:
            while idle and waiting:
                link = idle.pop()
                with suppress(OSError):  # it died at once
                    link.send(waiting.popleft())
                    busy.append(link)
            if not busy:
                return
            answered: list[Any] = wait(busy)
            for link in answered:
                busy.remove(link)
                try:
                    done = link.recv()
                except (EOFError, OSError):  # it died
                    continue
                idle.append(link)
                yield done


@contextmanager
def _compiler() -> Iterator[Connection]:
    """A process that compiles what is named to it; it is killed in the end."""
    context = get_context("spawn")
    ours, its = context.Pipe()
    process = context.Process(target=_compile_each, args=(its, os.getpid()), daemon=True)
    try:
        with _holding_interrupts():
            process.start()
        its.close()  # so that its death ends what is read here
        yield ours
    finally:
        if process.pid is not None:
            process.kill()
            process.join()
        ours.close()


def _compile_each(link: Connection, parent: int) -> None:
    end_with(parent)
    gc.freeze()
    gc.set_threshold(*SELDOM)
    from engine.warmup import compile_by_name  # noqa: PLC0415 - after the process is up, and by it alone

    with suppress(EOFError):  # whoever asked is gone
        while True:
            name = link.recv()
            compile_by_name(name)
            link.send(name)


@contextmanager
def _holding_interrupts() -> Iterator[None]:
    """Hold back Ctrl-C, which every process at a terminal gets; one that is started meanwhile never hears it."""
    if sys.platform == "win32":
        yield
        return
    resource_tracker.ensure_running()  # to start it, as the first process does, would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)  # one that came meanwhile is heard now


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
                left = {each: cost for each, cost in left.items() if each != name}
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
