"""A page of this machine, shown to whoever called the command: in a browser, or by how to reach it from elsewhere."""

import asyncio
import os
import sys
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from html import escape
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from rich.console import Console

from bot.machine.files import create_private
from bot.machine.outlet import say

if TYPE_CHECKING:
    from bot.page.running import Running

SECONDS: Final = 20.0
"""Seconds within which a browser has opened the page."""

STARTS: Final = 5.0
"""Seconds within which a browser has read the file that leads it to a page which another process serves."""


async def show_page(link: str, screen: Console, entered: asyncio.Event) -> None:
    """Start a browser at the link; where there is no display, say how to reach it from another machine.

    Args:
        link: the address of the page.
        screen: where it is said.
        entered: set once the page has been opened.
    """
    if _has_display():
        with leading_to(link) as address:
            await asyncio.to_thread(webbrowser.open, address)
            with suppress(TimeoutError):
                async with asyncio.timeout(SECONDS):
                    await entered.wait()
        return
    port = urlsplit(link).port
    say(screen, f"from another machine: ssh -L {port}:127.0.0.1:{port} HOST, then open the link there", "dim")


def show_running(command: str, found: "Running", place: str, screen: Console, *, start: bool) -> None:
    """Show a place of the pages that another process serves.

    Args:
        command: who asks.
        found: the pages.
        place: the path and the fragment of the place.
        screen: where it is said.
        start: whether a browser is started, where there is a display.
    """
    link = found.link + place
    say(screen, f"{command}: {link}")
    screen.print("a place of the page of the oshihiki open that is running", style="dim", highlight=False)
    if start and _has_display():
        asyncio.run(_show_for(link, screen))


async def _show_for(link: str, screen: Console) -> None:
    with suppress(TimeoutError):  # whether the page has been opened is not known here
        async with asyncio.timeout(STARTS):
            await show_page(link, screen, asyncio.Event())


@contextmanager
def leading_to(link: str) -> Iterator[str]:
    """The address of a file that leads a browser to a link; it is there until the block ends.

    Everybody on the machine can read how a browser was started, but the file is its owner's alone. It lies in the home
    folder, because browsers in a sandbox see neither hidden folders nor that of temporary files.
    """
    home = Path.home()
    folder = home if os.access(home, os.W_OK) else Path(tempfile.gettempdir())
    path = folder / f"oshihiki-{token_hex(8)}.html"
    create_private(path, f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(link)}">\n'.encode())
    try:
        yield path.as_uri()
    finally:
        with suppress(OSError):
            path.unlink()


def _has_display() -> bool:
    """Whether a browser would be seen here."""
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
