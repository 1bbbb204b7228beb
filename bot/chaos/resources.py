"""Resources that the process uses, and whether their use grows."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

_PROCESS: Final = Path("/proc/self")


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
