"""Trials of the bot as a process, with the requirements of each: bad servers, a bad machine, bad policies."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.chaos.hostile import ATTACKS, attacked
from bot.chaos.machine import MACHINE, limits_writing
from bot.chaos.misbehaving import MISBEHAVING, misbehaves
from bot.chaos.table import Trial

REPEATS: Final = {"full disk": 20, "lost folder": 5, "closed pipe": 5}
"""Number of repetitions of faults at random moments in a long trial."""
GAMES: Final = 20
"""Number of games that each policy that misbehaves plays in a long trial; one in a quick one."""
_POLICIES: Final = {f"policy {policy.__name__}": policy for policy in MISBEHAVING}


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
