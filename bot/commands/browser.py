"""A page of this machine, shown to whoever called the command: in a browser, or by how to reach it from elsewhere."""

import asyncio
import os
import sys
import webbrowser
from urllib.parse import urlsplit

from rich.console import Console


async def show_page(link: str, screen: Console) -> None:
    """Start a browser at the link; where there is no display, say how to reach it from another machine."""
    if _has_display():
        await asyncio.to_thread(webbrowser.open, link)
        return
    port = urlsplit(link).port
    screen.print(
        f"from another machine: ssh -L {port}:127.0.0.1:{port} HOST, then open the link there",
        style="dim", highlight=False, soft_wrap=True,
    )  # fmt: skip


def _has_display() -> bool:
    """Whether a browser would be seen here."""
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
