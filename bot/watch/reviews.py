"""Reviews of finished games on request, each made by another process at low priority, so that play is not disturbed."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Final, Self

from bot.text import brief

PATIENCE: Final = 600.0
"""Seconds after which a review is given up."""
_AUDIT: Final = "import os, sys; hasattr(os, 'nice') and os.nice(10); from bot.cli import main; main()"


class Reviews(AbstractContextManager["Reviews"]):
    """Makes reviews in a temporary folder, one at a time; the folder is removed at the end."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="oshihiki-watch-")
        self._one = asyncio.Lock()
        self._pages: dict[str, Path] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def page(self, name: str) -> str | None:
        """The review of that name; None if there is none."""
        path = self._pages.get(name)
        return None if path is None else path.read_text(encoding="utf-8")

    async def make(self, name: str, record: Path, lang: str) -> str:
        """Review a record; returns ``'ready'``, or why there is no review."""
        path = Path(self._folder.name) / f"{name}.html"
        command = (sys.executable, "-P", "-c", _AUDIT, "audit", str(record), "-o", str(path), "--lang", lang)
        async with self._one:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
            try:
                async with asyncio.timeout(PATIENCE):
                    _, said = await process.communicate()
            except TimeoutError:
                return f"the review took more than {PATIENCE:.0f} s"
            finally:
                if process.returncode is None:
                    with suppress(ProcessLookupError):
                        process.kill()
                    await process.wait()
        if process.returncode == 0 and path.exists():
            self._pages[name] = path
            return "ready"
        lines = said.decode(errors="replace").strip().splitlines() or ["the review failed"]
        return brief(lines[-1].removeprefix("oshihiki: "))
