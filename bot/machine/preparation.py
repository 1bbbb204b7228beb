"""Preparation before play: kernels compiled side by side in processes, and progress for people who wait for it."""

import gc
import os
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from enum import StrEnum
from multiprocessing import parent_process
from pathlib import Path
from time import perf_counter, sleep
from typing import TYPE_CHECKING, Final, NamedTuple

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
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


class Doing(StrEnum):
    """What getting ready does."""

    COMPILING = "compiling"
    WAITING = "waiting"  # until another program has compiled
    LOADING = "loading"


class Step(NamedTuple):
    """What is being made ready, and how far that is."""

    doing: Doing
    what: str = ""  # what needs it, as :class:`engine.warmup.Preparation` names it
    kernel: str = ""  # the kernel that is being compiled, of several the one that was begun first
    left: int = 0  # number of kernels that are not compiled yet
    at: float = 0.0  # how much is done,
    of: float | None = None  # and of how much; None: not known

    def __str__(self) -> str:
        """In a few words, for a terminal."""
        if self.doing is Doing.COMPILING:
            last = f"compiling the last kernel, {self.kernel.rpartition('.')[2]}"
            return last if self.left == 1 else f"compiling, {plural(self.left, 'kernel')} left"
        return "waiting for another program that compiles" if self.doing is Doing.WAITING else self.what or "loading"


OnStep = Callable[[Step], None]
"""Called with each step that begins."""


def warm_up(screen: Console, needs: Collection[str] | None = None, on_step: OnStep | None = None) -> dict[str, float]:
    """Compile and load what policies and evaluators with these needs use, or all if None; the seconds of each step.

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
        task = progress.add_task("", total=None)

        def begin(step: Step) -> None:
            progress.update(task, total=step.of, completed=step.at, description=str(step))
            if on_step is not None:
                on_step(step)

        begin(Step(Doing.LOADING))
        from engine.warmup import preparations  # noqa: PLC0415 - numba takes its time: show the bar first

        wanted = preparations(needs)
        done = _compile(screen, wanted, begin)
        for at, one in enumerate(wanted):
            begin(Step(Doing.LOADING, one.name, at=at, of=len(wanted)))
            started = perf_counter()
            one.load()
            done[one.name] = perf_counter() - started
    return done


def _compile(screen: Console, wanted: "Collection[Preparation]", begin: OnStep) -> dict[str, float]:
    """Compile the kernels that have to be, or wait until another program has; the seconds that this took."""
    from engine._jit import CACHE_DIR  # noqa: PLC0415 - as above
    from engine.warmup import uncompiled, who_needs  # noqa: PLC0415 - as above

    seconds = uncompiled(wanted)
    if not seconds:
        return {}
    if not screen.is_terminal:
        screen.print("getting ready, the first time takes a while …", highlight=False)
    started, total = perf_counter(), sum(seconds.values())

    def say(doing: Doing, left: Mapping[str, float]) -> None:
        first = next(iter(left), "")
        begin(Step(doing, who_needs(first, wanted), first, len(left), total - sum(left.values()), total))

    while left := uncompiled(wanted):
        say(Doing.COMPILING, left)
        with only_one(CACHE_DIR) as alone, closing(compile_aside(list(left) if alone else ())) as compiled:
            for name in compiled:
                left = {one: cost for one, cost in left.items() if one != name}
                if left:
                    say(Doing.COMPILING, left)
        if alone:
            break
        say(Doing.WAITING, left)
        sleep(LOOK)
    return {"kernels": perf_counter() - started}
