"""Trials of the bot as a process: bad servers, bad policies, and a machine whose disk, folder or pipe fails."""

import asyncio
import json
import random
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.machine.errors import InputError
from bot.store import played
from tests.chaos.child import Ended, Running, run
from tests.chaos.hostile import ATTACKS, attacked
from tests.chaos.misbehaving import MISBEHAVING, misbehaves
from tests.chaos.table import Trial

try:
    import resource
except ImportError:  # not on this system
    resource = None  # type: ignore[assignment]

SETTINGS: Final = {"policy": {"name": "tsumogiri"}, "lobby": {"seats": ["tsumogiri"] * 3}}
SECONDS: Final = 120.0
"""Time within which a few games of players who discard what they draw must end, even on a busy machine."""
MOMENTS: Final = 40_000
"""Number of bytes of a record within which a fault occurs; a short game has about as many."""
REPEATS: Final = {"full disk": 20, "lost folder": 5, "closed pipe": 5}
"""Number of repetitions of faults at random moments in a long trial."""
GAMES: Final = 20
"""Number of games that each policy that misbehaves plays in a long trial; one in a quick one."""
_POLICIES: Final = {f"policy {policy.__name__}": policy for policy in MISBEHAVING}


def limits_writing() -> bool:
    """Whether this system can let writing fail for a running process."""
    return hasattr(resource, "prlimit")


async def full_disk(folder: Path, seed: int) -> tuple[Ended, list[str]]:
    """Let no file grow from a random moment of the first game until its end.

    The games must be played to their end, the message must name what is missing, and the last record must be complete.
    """
    moment = random.Random(seed).randrange(MOMENTS)

    async def meddle(running: Running) -> None:
        await _until(lambda: running.recorded() >= moment or _games(folder) > 0, running)
        _limit(running, 0)
        await _until(lambda: len(list(folder.glob("*.jsonl"))) > 1, running)  # the next game has begun
        _limit(running, None)

    ended, faults = await _play(folder, 3, meddle)
    if not ended.figures.get("not_kept"):
        faults.append("nothing is said of what could not be stored")
    records = [Path(path) for path in ended.figures.get("records", [])]
    if not records or '"end":' not in records[-1].read_text(encoding="utf-8")[-2_000:]:
        faults.append("the last game has no whole record although there was room")
    for record in records:
        for line in record.read_text(encoding="utf-8").splitlines():
            json.loads(line)  # a line is stored whole or not at all
    return ended, faults


async def lost_folder(folder: Path, seed: int) -> tuple[Ended, list[str]]:
    """Remove the folder of records and logs during the first game."""
    moment = random.Random(seed).randrange(MOMENTS)

    async def meddle(running: Running) -> None:
        await _until(lambda: running.recorded() >= moment or _games(folder) > 0, running)
        shutil.rmtree(folder, ignore_errors=True)

    return await _play(folder, 2, meddle)


async def closed_pipe(folder: Path, seed: int) -> tuple[Ended, list[str]]:
    """Close the reading ends of standard output and standard error during the first game."""
    moment = random.Random(seed).randrange(MOMENTS)

    async def meddle(running: Running) -> None:
        await _until(lambda: running.recorded() >= moment or _games(folder) > 0, running)
        for number in (1, 2):
            pipe = running.process._transport.get_pipe_transport(number)  # type: ignore[attr-defined]
            pipe.close()

    ended = await run(
        folder, {**SETTINGS, "log": {"level": "debug"}}, "--tonpu", "--games", "2", seconds=SECONDS, meddle=meddle
    )
    faults = ended.faults((0,), SECONDS)
    if _games(folder) != 2:
        faults.append(f"{_games(folder)} games instead of 2 were played to their end")
    return ended, faults


async def _play(folder: Path, games: int, meddle: Callable[[Running], Awaitable[None]]) -> tuple[Ended, list[str]]:
    ended = await run(folder, SETTINGS, "--tonpu", "--games", str(games), seconds=SECONDS, meddle=meddle)
    faults = ended.faults((0,), SECONDS)
    if ended.figures.get("games") != games:
        faults.append(f"{ended.figures.get('games')} games instead of {games} were played to their end")
    return ended, faults


async def _until(condition: Callable[[], bool], running: Running) -> None:
    while not condition() and not running.ended:  # noqa: ASYNC110 - files send no events
        await asyncio.sleep(0.002)


def _games(folder: Path) -> int:
    """Number of results in the folder."""
    try:
        return played.state(folder)[0]
    except InputError:
        return 0


def _limit(running: Running, size: int | None) -> None:
    """Let no file of the process grow beyond a size; None: lift the limit."""
    if not running.ended:
        _, hard = resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(running.process.pid, resource.RLIMIT_FSIZE, (hard if size is None else size, hard))


MACHINE: Final[dict[str, Callable[[Path, int], Awaitable[tuple[Ended, list[str]]]]]] = {
    "full disk": full_disk,
    "lost folder": lost_folder,
    "closed pipe": closed_pipe,
}
"""Every fault of the machine by name."""


@dataclass(slots=True)
class Held:
    """The outcome of one kind of trial.

    Attributes:
        injected: number of processes on which it was tried.
        held: number of those that met every requirement.
        seconds: longest duration of one, including its start.
        memory: highest peak memory of one in MiB.
    """

    injected: int = 0
    held: int = 0
    seconds: float = 0.0
    memory: float = 0.0

    def fields(self) -> dict[str, Any]:
        """The figures as JSON shows them."""
        return {
            "injected": self.injected,
            "held": self.held,
            "seconds": round(self.seconds, 1),
            "memory_mb": round(self.memory, 1),
        }


def trials(*, quick: bool) -> list[tuple[str, int]]:
    """The trials to run: the name and the seed of each (of policies the number of games); quick ones take seconds."""
    servers = [(name, 0) for name, attack in ATTACKS.items() if attack.quick or not quick]
    faults = [name for name in MACHINE if name != "full disk" or limits_writing()]
    machine = [(name, seed) for name in faults for seed in range(1 if quick else REPEATS[name])]
    return servers + machine + [(name, 1 if quick else GAMES) for name in _POLICIES]


async def try_on_process(name: str, seed: int, held: Held, trial: Trial) -> None:
    """Run one trial in a folder of its own; requirements that were not met are counted and described in ``trial``."""
    with tempfile.TemporaryDirectory(prefix="oshihiki-trial-") as folder:
        if name in ATTACKS:
            ended, faults = await attacked(ATTACKS[name], Path(folder))
        elif name in _POLICIES:
            ended, faults = await misbehaves(Path(folder), _POLICIES[name], seed)
        else:
            ended, faults = await MACHINE[name](Path(folder), seed)
    held.injected += 1
    held.held += not faults
    held.seconds = max(held.seconds, ended.seconds)
    held.memory = max(held.memory, ended.memory)
    trial.broken += bool(faults)
    for fault in faults:
        trial.went_wrong(f"{name}, seed {seed}: {fault}")
