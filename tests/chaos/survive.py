"""Games under faults: nothing may be lost, stuck or illegal."""

import asyncio
import threading
from collections import defaultdict
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, Final, NamedTuple, Self

import typer
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bot.machine.bars import Lines
from bot.machine.outlet import error_screen
from bot.machine.stop import stop_on_sigterm
from bot.machine.text import plural
from engine.model.rules import TONPU
from protocol.tenhou.game_type import GameType
from tests.chaos.process import Held, trials, try_on_process
from tests.chaos.table import CLAIMERS, NAMES, OVERRIDE, POLICIES, Policies, Trial, behind_faults, play_alone, play_on
from tests.faults.plan import FaultKind, FaultPlan, FaultRule

GAMES: Final = 20
QUICK_GAMES: Final = 1
GAP: Final = 16
"""Messages from one cut of a client to its next; the four clients share them, so that every boundary has its cut."""
RUNS: Final = GAP // len(NAMES)
"""Number of runs of a game until every boundary has been cut."""
FAULT_GAMES: Final = 4
RARE: Final = {OVERRIDE: 4}
"""Faults that occur only a few times per game get this many times as many games."""
AT_ONCE: Final = 4
PROCESSES: Final = 2
"""Number of processes that are tried at the same time."""
TABLE: Final = GameType(TONPU, people=True)

OTHERS: Final[dict[str, tuple[FaultRule, ...]]] = {
    **{
        rule.kind.value: (rule,)
        for rule in (
            FaultRule(kind=FaultKind.DELAY, chance=0.02, seconds=0.1),
            FaultRule(kind=FaultKind.JITTER, chance=0.3, seconds=0.01),
            FaultRule(kind=FaultKind.HALF_OPEN, chance=0.003),
            FaultRule(kind=FaultKind.TRUNCATE, chance=0.01),
            FaultRule(kind=FaultKind.MALFORMED, chance=0.02),
            FaultRule(kind=FaultKind.UNKNOWN, chance=0.05),
            FaultRule(kind=FaultKind.DUPLICATE, chance=0.05),
            FaultRule(kind=FaultKind.SLOW_READER, chance=0.05, seconds=0.05),
            FaultRule(kind=FaultKind.FORGET, chance=0.01),
        )
    },
    OVERRIDE: (),
}
"""How often each other fault occurs in its games."""

SOAK: Final = (
    FaultRule(kind=FaultKind.DROP, chance=0.004),
    FaultRule(kind=FaultKind.DROP, chance=0.004, lost=True),
    FaultRule(kind=FaultKind.DELAY, chance=0.002, seconds=0.05),
    FaultRule(kind=FaultKind.JITTER, chance=0.02, seconds=0.005),
    FaultRule(kind=FaultKind.HALF_OPEN, chance=0.0002),
    FaultRule(kind=FaultKind.TRUNCATE, chance=0.0005),
    FaultRule(kind=FaultKind.MALFORMED, chance=0.002),
    FaultRule(kind=FaultKind.UNKNOWN, chance=0.005),
    FaultRule(kind=FaultKind.DUPLICATE, chance=0.005),
    FaultRule(kind=FaultKind.SLOW_READER, chance=0.005, seconds=0.02),
    FaultRule(kind=FaultKind.FORGET, chance=0.0005),
)
"""All faults together, as on a bad connection."""

Figures = dict[str, Any]
Job = Callable[[], Coroutine[Any, Any, None]]
_PROCESS: Final = Path("/proc/self")


def players_for(kind: str) -> Policies:
    """The players for the games of a fault: those who cause the situations it applies to."""
    return CLAIMERS if kind == OVERRIDE else POLICIES


def drop_plan(run: int) -> FaultPlan:
    """A plan that cuts each client off at every :data:`GAP`-th message; over :data:`RUNS` runs every boundary is cut.

    In every second run the message at the boundary is lost with the connection.
    """
    return FaultPlan(
        seed=run,
        fault=tuple(
            FaultRule(
                kind=FaultKind.DROP, every=GAP, offset=run % RUNS + RUNS * number, clients=(name,), lost=bool(run % 2)
            )
            for number, name in enumerate(NAMES)
        ),
    )


async def survive(seed: int, *, quick: bool) -> tuple[Trial, Figures]:
    """Break the connection at every message of seeded games, inject every other fault, and try the bot as a process."""
    started = perf_counter()
    games, fault_games = (QUICK_GAMES, 1) if quick else (GAMES, FAULT_GAMES)
    drops = Trial()
    others = {kind: Trial() for kind in OTHERS}
    # the runs of one game alternate between losing the message and not; the next game reverses the order
    jobs: list[Job] = [
        lambda game=game, run=run: play_alone(drops, drop_plan(run), seed + game, TABLE)  # type: ignore[misc]
        for game in range(games)
        for run in range(game % 2 * (RUNS + 1), game % 2 * (RUNS + 1) + RUNS)
    ]
    jobs += [
        lambda kind=kind, game=game: play_alone(  # type: ignore[misc]
            others[kind], FaultPlan(seed=game, fault=OTHERS[kind]), seed + game, TABLE, players_for(kind)
        )
        for kind in OTHERS
        for game in range(fault_games * RARE.get(kind, 1))
    ]
    await _at_once(jobs, AT_ONCE)
    processes = Trial()
    held: dict[str, Held] = defaultdict(Held)
    await _at_once(
        [
            lambda name=name, number=number: try_on_process(name, number, held[name], processes)  # type: ignore[misc]
            for name, number in trials(quick=quick)
        ],
        PROCESSES,
    )
    whole = Trial()
    for trial in (drops, *others.values(), processes):
        whole.add(trial)
    figures = {
        "drops": drops.tally.drops,
        "resumed": drops.tally.resumed,
        "ended": drops.tally.ended,
        "lost": whole.gone,
        "stuck": whole.stuck,
        "illegal": whole.illegal,
        "broken": whole.broken,
        "games": drops.games,
        "resume_ms": drops.tally.resume.ms(),
        "faults": {
            **{kind: _fault_figures(kind, trial) for kind, trial in others.items()},
            **{name: one.fields() for name, one in held.items()},
        },
        "seconds": round(perf_counter() - started, 1),
    }
    return whole, figures


def _fault_figures(kind: str, trial: Trial) -> Figures:
    tally = trial.tally
    return {
        "injected": trial.injected[kind],
        "games": trial.games,
        "drops": tally.drops,
        "resumed": tally.resumed,
        "ended": tally.ended,
        "lost": trial.gone,
        "stuck": trial.stuck,
        "illegal": trial.illegal,
        "late": trial.late,
        "said_again": tally.forgotten,
        "resume_ms": tally.resume.ms(),
    }


async def soak(games: int, at_once: int, seed: int) -> tuple[Trial, Figures]:
    """Play games of four clients in one lobby with all faults, and watch memory, file handles and threads."""
    started = perf_counter()
    trial = Trial()
    watch = Flatness()
    rooms = list(range(1000, 1000 + at_once))

    async with behind_faults(seed, FaultPlan(seed=seed, fault=SOAK)) as (lobby, proxy):

        async def one(number: int) -> None:
            room = rooms.pop()
            await play_on(trial, proxy.url, seed + number, TABLE, room)
            rooms.append(room)
            watch.see(Resources.now())

        async def collect() -> None:
            game = 0
            while True:
                game += 1
                trial.saw(await lobby.ended(game))

        collecting = asyncio.create_task(collect())
        jobs: list[Job] = [lambda number=number: one(number) for number in range(games)]  # type: ignore[misc]
        with stop_on_sigterm(lambda text: typer.echo(f"soak {text}", err=True)) as stop:
            await _at_once(jobs, at_once, stop)
        collecting.cancel()
        trial.injected += proxy.injected
    tally = trial.tally
    figures = {
        "games": trial.games,
        "hands": tally.hands // len(NAMES),
        "decisions": tally.decisions,
        "crashes": trial.crashed,
        "lost": trial.gone,
        "stuck": trial.stuck,
        "illegal": trial.illegal,
        "late": trial.late,
        "drops": tally.drops,
        "resumed": tally.resumed,
        "ended": tally.ended,
        "resume_ms": tally.resume.ms(),
        "faults": dict(sorted((str(kind), count) for kind, count in trial.injected.items())),
        **watch.figures(),
        "seconds": round(perf_counter() - started, 1),
    }
    return trial, figures


async def _at_once(jobs: Sequence[Job], number: int, stop: asyncio.Event | None = None) -> None:
    """Run all jobs, or until ``stop`` is set, several at a time, with progress shown on a terminal."""
    left = list(reversed(jobs))
    screen = error_screen()
    with Progress(
        TextColumn("games"), MofNCompleteColumn(), TimeElapsedColumn(), console=screen, disable=not screen.is_terminal
    ) as progress:
        task = progress.add_task("", total=len(jobs))
        lines = Lines(screen)

        async def work() -> None:
            while left and not (stop and stop.is_set()):
                await left.pop()()
                progress.advance(task)
                done = round(progress.tasks[task].completed)
                lines.say(f"{done} of {plural(len(jobs), 'game')}")

        await asyncio.gather(*(work() for _ in range(number)))


class Resources(NamedTuple):
    """Use at one moment: resident memory in KiB, open file handles (both 0 if the system does not say), threads."""

    memory: int
    handles: int
    threads: int

    @classmethod
    def now(cls) -> Self:
        """The present use of this process."""
        try:
            status = (_PROCESS / "status").read_text()
            memory = int(status.partition("VmRSS:")[2].split()[0])
            handles = sum(1 for _ in (_PROCESS / "fd").iterdir())
        except (OSError, IndexError, ValueError):
            memory = handles = 0
        return cls(memory, handles, threading.active_count())


class Flatness:
    """Follows the use of resources over many games."""

    def __init__(self) -> None:
        self._seen: list[Resources] = []

    def see(self, resources: Resources) -> None:
        """Record the use after one more game."""
        self._seen.append(resources)

    def figures(self) -> dict[str, Any]:
        """First, half-way and last figures, and the mean growth by a game in the second half.

        ``curve`` is the memory after each tenth of the games.
        """
        first, half, last = self._seen[0], self._seen[len(self._seen) // 2], self._seen[-1]
        late = [seen.memory for seen in self._seen[len(self._seen) // 2 :]]
        tenths = [self._seen[max(len(self._seen) * tenth // 10 - 1, 0)] for tenth in range(1, 11)]
        return {
            "memory_mb": {
                "first": _mb(first.memory),
                "half": _mb(half.memory),
                "last": _mb(last.memory),
                "most": _mb(max(seen.memory for seen in self._seen)),
                "curve": [_mb(seen.memory) for seen in tenths],
            },
            "memory_kb_a_game": round(_slope(late), 2),
            "handles": {"first": first.handles, "half": half.handles, "last": last.handles},
            "threads": {"first": first.threads, "half": half.threads, "last": last.threads},
        }


def _mb(kib: int) -> float:
    return round(kib / 1024, 1)


def _slope(values: list[int]) -> float:
    """Slope of the line of least squares."""
    number = len(values)
    if number < 2:
        return 0.0
    middle, mean = (number - 1) / 2, sum(values) / number
    over = sum((at - middle) * (value - mean) for at, value in enumerate(values))
    return over / sum((at - middle) ** 2 for at in range(number))
