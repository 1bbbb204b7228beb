"""Settings and callbacks for playing a game, the same for each of its connections."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.live.dial import FLOW
from bot.live.patience import PATIENCE, Patience
from bot.machine.sockets import Flow


@dataclass(frozen=True, slots=True)
class Manner:
    """How a client plays a game.

    Attributes:
        pace: seconds to wait before each answer, for people who watch.
        patience: time limits.
        flow: how much the server may send.
        stop: once set, no new table is joined.
        reached: whether the server was reached before, so that it is worth waiting for; otherwise it must respond now.
        keep_gpid: called with the ``gpid`` that resumes a guest's game, and with None when the game is over.
        rest: awaited after a hand, before the next one is asked for; None: it is asked for at once.
        rng: random numbers for the jitter between attempts to connect.
    """

    pace: float = 0.0
    patience: Patience = PATIENCE
    flow: Flow = FLOW
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    reached: bool = False
    keep_gpid: Callable[[str | None], None] = lambda _: None
    rest: Callable[[], Awaitable[None]] | None = None
    rng: random.Random = field(default_factory=random.Random)
