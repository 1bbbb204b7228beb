"""What games of a trial leave behind, which a long run would grow by: ``python -m tests.chaos.leftovers``.

It is a program, because in the process of other tests their threads and caches would be counted, too.
"""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from functools import lru_cache

from tests.chaos.survive import SOAK, TABLE, Resources
from tests.chaos.table import Trial, behind_faults, play_on
from tests.faults.plan import FaultPlan

BOUNDED = type(lru_cache(len))
TABLES = 4
STRAY = 200
"""Objects of which a few more or less mean nothing; a cache that fills takes more in one game."""
CLOSING = 60
"""Seconds that the last connections may take to close, and the last threads to end."""
HANDLES = 8
"""Open files of which a few more mean nothing."""


def objects():
    """How many there are of each kind, once what nothing refers to is gone; caches with a bound may fill."""
    for each in gc.get_objects():
        if type(each) is BOUNDED and each.__module__.startswith("engine.") and each.cache_parameters()["maxsize"]:
            each.cache_clear()
    gc.collect()
    return Counter(type(one).__name__ for one in gc.get_objects())


async def left_beside(kept, used):
    """What there is more than in ``kept``, and what is in use, after the last connections have closed."""
    for _ in range(CLOSING):
        await asyncio.sleep(1.0)
        grown, now = objects() - kept, Resources.now()
        if sum(grown.values()) < STRAY and now.handles <= used.handles + HANDLES and now.threads <= used.threads:
            break
    return grown, now


async def play() -> None:
    """Play, and raise AssertionError where something is left behind."""
    trial = Trial()
    kept = used = None
    async with behind_faults(1, FaultPlan(seed=1, fault=SOAK)) as (lobby, proxy):
        for part in range(4):
            first = trial.games
            await asyncio.gather(
                *(play_on(trial, proxy.url, first + room, TABLE, 1000 + room) for room in range(TABLES))
            )
            await lobby.ended(trial.games)
            while lobby.results:
                trial.saw(lobby.results.popleft())  # in no variable, which would keep a game while objects are counted
            if part == 1:
                await asyncio.sleep(2.0)  # the last connections close
                kept, used = objects(), Resources.now()
        grown, now = await left_beside(kept, used)
    assert trial.why == []
    assert trial.gone == trial.stuck == trial.crashed == trial.illegal == 0
    assert trial.tally.drops == trial.tally.resumed + trial.tally.ended > 60
    assert now.handles <= used.handles + HANDLES
    assert now.threads <= used.threads
    assert sum(grown.values()) < STRAY, grown


if __name__ == "__main__":
    asyncio.run(play())
