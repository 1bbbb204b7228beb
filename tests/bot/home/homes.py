"""A home that is served, and what is sent to it."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from urllib.parse import quote

from bot.config import build
from bot.home.place import Home
from bot.page.loopback import listen
from protocol.logs.formats import write_log
from tests.bot.entering import line
from tests.bot.review.games import uneven_game

GAME = write_log(uneven_game(), "mjlog").encode()
"""A log of a game in which seat 2 discards what it draws."""
PIECE = 1 << 16


def game(*names):
    """The log with names of its own."""
    text = GAME.decode()
    for seat, name in enumerate(names):
        text = re.sub(rf'n{seat}="[^"]*"', f'n{seat}="{quote(name)}"', text, count=1)
    return text.encode()


def config_for(folder):
    """A configuration whose policy is a quick judge."""
    return build({"record": {"folder": str(folder / "records")}, "policy": {"name": "simple"}}, "test")


@asynccontextmanager
async def at_home(folder, **more):
    """``(home, link)``"""
    home = Home(config_for(folder), folder / "reviews", fetched=folder / "fetched", **more)
    async with asyncio.timeout(300), home.serve(listen(0)) as server:
        yield home, server.link


async def drop(link, *files):
    """Send files as the page does; the code with which the server closes."""
    async with line(link, "drop/") as socket:
        for name, data in files:
            await socket.send(json.dumps({"name": name, "size": len(data)}))
            for at in range(0, len(data), PIECE):
                await socket.send(data[at : at + PIECE])
        await socket.send('{"end": true}')
        await socket.wait_closed()
        return socket.close_code


async def until(home, fits):
    """Wait until what the page is told fits."""
    while not fits(home.history.run):  # noqa: ASYNC110 - nothing else tells
        await asyncio.sleep(0.02)
    return home.history.run
