"""How a client plays its game, whichever game it is."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass, field

from bot.live.dial import FLOW
from bot.live.patience import PATIENCE, Patience
from bot.sockets import Flow


@dataclass(frozen=True, slots=True)
class Manner:
    """What is the same for every connection of a game.

    Attributes:
        pace: seconds to wait before each answer, for people who look on.
        patience: how long to wait for what.
        flow: how much the server may send.
        stop: once set, no new table is taken.
        reached: the server was there before, so that it is worth waiting for; else it must be there now.
        keep_gpid: called with what a guest's game can be taken up with, and with None once there is none.
        rng: of the jitter between attempts to connect.
    """

    pace: float = 0.0
    patience: Patience = PATIENCE
    flow: Flow = FLOW
    stop: asyncio.Event = field(default_factory=asyncio.Event)
    reached: bool = False
    keep_gpid: Callable[[str | None], None] = lambda _: None
    rng: random.Random = field(default_factory=random.Random)
