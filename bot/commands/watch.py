"""``oshihiki watch``: recorded games on the live page, also while they are being played."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Annotated

import typer

from bot import results
from bot.commands.options import WatchPort
from bot.live.stop import stop_on_sigterm
from bot.outlet import console, standard_error
from bot.watch.records import Folder
from bot.watch.serving import page_of


def watch(
    place: Annotated[Path, typer.Argument(metavar="RECORD|FOLDER", help="A record (.jsonl), or a folder of records.")],
    port: WatchPort = 0,
) -> None:
    """Show recorded games on a page of this machine, until Ctrl-C.

    The page shows the table, the bot's decisions, their figures and reasons, step by step. A record that is being
    written is followed live, so a bot that runs elsewhere on this machine can be watched. Of a folder the newest
    records are shown, and new ones as they appear.

    Examples:
      oshihiki watch games/20261122-120000-1.jsonl
      oshihiki watch games/
    """
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_watch(Folder(place), port))


async def _watch(records: Folder, port: int) -> None:
    screen = console(standard_error())
    with stop_on_sigterm(lambda _: None) as stop:
        async with page_of(lambda: results.read(records.folder), port) as server:
            following = asyncio.create_task(records.follow(server.stage))
            screen.print(f"watch: {server.link}", highlight=False, soft_wrap=True, markup=False)
            stopping = asyncio.create_task(stop.wait())
            try:
                await asyncio.wait((following, stopping), return_when=asyncio.FIRST_COMPLETED)
                if following.done():
                    following.result()
            finally:
                for task in (following, stopping):
                    task.cancel()
