"""Games of one client on a lobby of its own, recorded, on good lines and on bad ones."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack

from pydantic import SecretStr

from bot.config import LobbySettings, build
from bot.deciding.thinker import Thinker
from bot.lobby import LobbyConfig, LobbyServer
from bot.play import wiring
from bot.play.accounts import read_accounts
from bot.play.clock import ClockTracker
from bot.play.player import Player
from bot.play.tally import Tally
from tests.faults.plan import FaultKind, FaultPlan, FaultRule
from tests.faults.proxy import FaultProxy

DROPS = FaultRule(kind=FaultKind.DROP, every=17, offset=6)
OTHERS = tuple(
    FaultRule(kind=kind, chance=0.01)
    for kind in (FaultKind.MALFORMED, FaultKind.UNKNOWN, FaultKind.DUPLICATE, FaultKind.TRUNCATE)
)


KEY = "ID0a1b2c3d-Zz9Yy8Xx"
"""Of an account: whoever comes back is known by it."""


def play(decider=None, clock=None, seed=5, policy="simple", rules=(), key=KEY):
    """One east-only game on a lobby behind these faults, recorded; the record's bytes and the counts."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_play(folder, decider, clock, seed, policy, rules, key))


async def _play(folder, decider, clock, seed, policy, rules, key):
    content = {"policy": {"name": policy, "seed": seed}, "game": {"length": "tonpu"}, "record": {"folder": folder}}
    config = build(content, "test")
    key = SecretStr(key) if key else read_accounts(config)[0].key
    times = {"action": clock.action, "bank": clock.bank} if clock else {}
    offered = LobbySettings(port=0, **times, **{f"fast_{name}": value for name, value in times.items()})
    async with AsyncExitStack() as stack:
        lobby = await stack.enter_async_context(LobbyServer(LobbyConfig(offered, seed=seed)).serve())
        plan = FaultPlan(seed=seed, fault=rules)
        proxy = rules and await stack.enter_async_context(FaultProxy(lobby.url, plan).serve())
        thinking = Thinker(decider) if decider else wiring.thinker(config, 0)
        tally = Tally()
        with wiring.record(config, 0, thinking, key) as keeping:
            player = wiring.live_player(config, thinking, tally)
            if clock:
                player = Player(thinking, ClockTracker(clock, 0.05, 0.5), tally)
            client = wiring.client(config, wiring.route(config, (proxy or lobby).url), key, player, keeping)
            async with asyncio.timeout(600):
                result = await client.play()
            keeping.ended(placement=result.placement)
            thinking.close()
    return keeping.path.read_bytes(), tally
