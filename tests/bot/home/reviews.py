"""Reviews made at home."""

from __future__ import annotations

import asyncio
import json

from bot.watch.reviews import Reviews
from tests.bot.entering import line
from tests.bot.home.homes import drop, game, until

PLAYERS = ("Anna", "Ben", "Cleo", "Dan")


def held_up(monkeypatch):
    """No review is made before this event is set, however quickly one would be."""
    go_on, made = asyncio.Event(), Reviews._made

    async def waits(reviews, *given):
        await go_on.wait()
        return await made(reviews, *given)

    monkeypatch.setattr(Reviews, "_made", waits)
    return go_on


async def reviewed(home, link, seat=0, names=PLAYERS):
    """The only game that is dropped, reviewed; the job as the page is told of it."""
    await drop(link, ("game.xml", game(*names)))
    key = list(home.history.run["dropped"]["games"])[-1]["key"]
    before = len(home.history.run.get("jobs", ()))
    async with line(link) as socket:
        await socket.send(json.dumps({"do": "review", "key": key, "seat": seat}))
        await until(home, lambda run: len(run.get("jobs", ())) > before)
        await until(home, lambda run: run["jobs"][-1]["state"] not in {"waiting", "making"})
        job = home.history.run["jobs"][-1]
        await until(home, lambda run: any(one["page"] == job["page"] for one in run.get("reviews", ())))
    return job
