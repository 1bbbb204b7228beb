"""The live page of a run: its server, and the results of the day."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any

from bot.machine.errors import InputError
from bot.machine.text import brief
from bot.page.loopback import listen
from bot.play import results
from bot.play.results import Entry
from bot.watch.feed import Stage
from bot.watch.reviews import Reviews
from bot.watch.server import WatchServer


@asynccontextmanager
async def page_of(read: Callable[[], Sequence[Entry]], port: int = 0) -> AsyncIterator[WatchServer]:
    """Serve a live page until the block ends.

    Args:
        read: reads the results of all games.
        port: port to listen on; 0: any free one.

    Raises:
        InputError: the port cannot be used.
    """
    try:
        listening = listen(port)
    except OSError as error:
        raise InputError(f"--port {port}: cannot be used: {error.strerror or error}; choose another") from None
    stage = Stage(lambda: today(read()))
    with Reviews() as reviews:
        async with WatchServer(stage, reviews, listening).serve() as server:
            stage.show_results()
            yield server


def today(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Today's results by account and policy, as JSON shows them."""
    now = datetime.now().astimezone().date()
    days = results.days(one for one in entries if one.day == now)
    return [{**day.fields(), "account": brief(", ".join(filter(None, (day.account, day.policy))), 48)} for day in days]
