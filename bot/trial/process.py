"""Trials of the bot as a process: hostile servers and faults of the machine, with what each must hold."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bot.trial.hostile import ATTACKS, attacked
from bot.trial.machine import MACHINE, limits_writing
from bot.trial.table import Trial

REPEATS: Final = {"full disk": 20, "lost folder": 5, "closed pipe": 5}
"""How often a long trial repeats what comes at a random moment."""


@dataclass(slots=True)
class Held:
    """What came of one kind of trial.

    Attributes:
        injected: number of processes that it was tried on.
        held: number of those for which every promise held.
        seconds: the longest that one took, its start included.
        memory: the most that one occupied in MiB.
    """

    injected: int = 0
    held: int = 0
    seconds: float = 0.0
    memory: float = 0.0

    def fields(self) -> dict[str, Any]:
        """As JSON shows them."""
        return {
            "injected": self.injected,
            "held": self.held,
            "seconds": round(self.seconds, 1),
            "memory_mb": round(self.memory, 1),
        }


def trials(*, quick: bool) -> list[tuple[str, int]]:
    """The trials to run: the name and the seed of each; the quick ones take seconds."""
    servers = [(name, 0) for name, attack in ATTACKS.items() if attack.quick or not quick]
    faults = [name for name in MACHINE if name != "full disk" or limits_writing()]
    return servers + [(name, seed) for name in faults for seed in range(1 if quick else REPEATS[name])]


async def try_on_process(name: str, seed: int, held: Held, trial: Trial) -> None:
    """Run one trial in a folder of its own; what did not hold is counted and described in ``trial``."""
    with tempfile.TemporaryDirectory(prefix="oshihiki-trial-") as folder:
        if name in ATTACKS:
            ended, faults = await attacked(ATTACKS[name], Path(folder))
        else:
            ended, faults = await MACHINE[name](Path(folder), seed)
    held.injected += 1
    held.held += not faults
    held.seconds = max(held.seconds, ended.seconds)
    held.memory = max(held.memory, ended.memory)
    trial.broken += bool(faults)
    for fault in faults:
        trial.went_wrong(f"{name}, seed {seed}: {fault}")
