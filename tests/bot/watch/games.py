"""Games to watch over a websocket."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from bot.config import build
from bot.play.accounts import read_accounts
from bot.play.season import Season
from bot.store import played
from bot.watch.place import page_of
from engine.policy.registry import make_policy


def config_for(folder, policy="simple", **more):
    content = {
        "policy": {"name": policy},
        "game": {"length": "tonpu"},
        "lobby": {"seats": ["tsumogiri"] * 3},
        "record": {"folder": str(folder)},
    }
    return build({**content, **more}, "test")


@asynccontextmanager
async def watched(config, pace=0.0, games=1, person=None):
    """A page, and a season that can be watched there: ``(server, season)``; the season is not yet played."""
    folder = config.record.folder

    def advisor():
        return make_policy("simple")

    def watch(sitting):
        if person is None:
            feed = server.stage.open(sitting.account, sitting.record)
        else:
            feed = person.asker = server.stage.open_seat(sitting.account, sitting.record, advisor)
        sitting.stack.callback(server.stage.close, feed)
        return (feed,)

    async def again():
        await server.stage.wait_for_another()
        return True

    async with page_of(partial(played.read, Path(folder))) as server:
        if person is not None:
            server.stage.choose(hints=False, pace="instant")
        yield server, Season(config, read_accounts(config), games, pace, [watch], person, again=person and again)


@asynccontextmanager
async def playing(season):
    """The season is played in the background, and broken off at the end."""
    task = asyncio.create_task(season.play())
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
