"""``oshihiki watch``: recorded games on the live page, also while they are being played, and logs of any format."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated

import typer

from bot.commands.options import WatchPort
from bot.machine.outlet import console, standard_error
from bot.machine.stop import stop_on_sigterm
from bot.play import results
from bot.watch.serving import page_of
from bot.watch.watching import Watched


def watch(
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE", help="A log or record, a folder or archive of them, a link; -: standard input."
        ),
    ],
    seat: Annotated[
        int | None,
        typer.Option("--seat", min=0, max=3, help="Whose view of a log is shown first; 0, the default, deals first."),
    ] = None,
    port: WatchPort = 0,
) -> None:
    """Show games on a page of this machine, until Ctrl-C: logs in any format, records, a folder or archive of them.

    The page steps through a game by events, decisions and hands, plays it by itself, changes the seat, opens the hidden
    hands, and reviews it: the review then stands beside the table. Records of the bot's games show its decisions, their
    figures and reasons; one that is being written is followed live, so that a bot that runs elsewhere on this machine
    can be watched.

    Examples:
      oshihiki watch game.xml --seat 2
      oshihiki watch games.tar.xz
      oshihiki watch "https://tenhou.net/6/#json=…"
      oshihiki watch games/
    """
    with contextlib.suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_watch(Watched(place, seat), port))


async def _watch(watched: Watched, port: int) -> None:
    screen = console(standard_error())
    folder = watched.folder
    with stop_on_sigterm(lambda _: None) as stop:
        async with page_of(lambda: [] if folder is None else results.read(folder), port) as server:
            following = asyncio.create_task(watched.show(server.stage))
            screen.print(f"watch: {server.link}", highlight=False, soft_wrap=True, markup=False)
            stopping = asyncio.create_task(stop.wait())
            try:
                await asyncio.wait((following, stopping), return_when=asyncio.FIRST_COMPLETED)
                if following.done():
                    following.result()
            finally:
                for task in (following, stopping):
                    task.cancel()
