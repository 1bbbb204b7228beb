"""Reviews of games on request, each made by another process at low priority, so that play is not disturbed.

The process is ``oshihiki audit``, which writes the report's page and prints the audit as JSON; from that come the
rows that stand beside the table.
"""

import asyncio
import json
import sys
import tempfile
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any, Final, Self

from bot.audit.report import report_data
from bot.audit.wording import Wording
from bot.machine.files import replace_file
from bot.machine.text import brief
from bot.watch.feed import LogView
from bot.wording.grounds import note_word
from bot.wording.languages import Lang
from engine.policy.grounds import Note
from protocol.logs.formats import FORMATS

PATIENCE: Final = 600.0
"""Seconds after which a review is given up."""
_AUDIT: Final = "import os, sys; hasattr(os, 'nice') and os.nice(10); from bot.cli import program; program()"
_SPOKEN: Final = ("say", "grounds", "points")
"""Fields of a row that differ between languages."""
_SAME: Final = ("number", "turn", "own_turn", "played", "chosen", "verdict", "grade", "loss", "noise", "table")

Row = dict[str, Any]


class Reviews(AbstractContextManager["Reviews"]):
    """Makes reviews in a temporary folder, one at a time; the folder is removed at the end."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="oshihiki-watch-")
        self._one = asyncio.Lock()
        self._pages: dict[str, Path] = {}
        self._rows: dict[str, list[Row]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def page(self, name: str) -> str | None:
        """The review of that name; None if there is none."""
        try:
            return self._pages[name].read_text(encoding="utf-8")
        except (KeyError, OSError):  # it was not made, or the folder has been emptied
            return None

    def rows(self, name: str) -> list[Row]:
        """The decisions of a review, as they stand beside the table; none if there is no review."""
        return self._rows.get(name, [])

    async def make(self, name: str, record: Path | None, view: LogView | None, lang: Lang) -> str:
        """Review a record, or a log as one seat played it; returns ``'ready'``, or why there is no review."""
        path = Path(self._folder.name) / f"{name}.html"
        source, seat = record, []
        if view is not None:
            source = Path(self._folder.name) / f"{name}{FORMATS[view.file.format].suffix}"
            seat = ["--seat", str(view.seat)] if view.whole else []
            replace_file(source, view.file.data)
        command = (sys.executable, "-P", "-c", _AUDIT, "audit", str(source), "-o", str(path), "--lang", lang, "--json")
        async with self._one:
            try:
                process = await asyncio.create_subprocess_exec(
                    *command,
                    *seat,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                )
            except OSError as error:
                return f"the review could not be started: {error.strerror}"
            try:
                async with asyncio.timeout(PATIENCE):
                    printed, said = await process.communicate()
            except TimeoutError:
                return f"the review took more than {PATIENCE:.0f} s"
            finally:
                if process.returncode is None:
                    with suppress(ProcessLookupError):
                        process.kill()
                    await process.wait()
        if process.returncode == 0 and path.exists():
            self._pages[name] = path
            self._rows[name] = await asyncio.to_thread(_rows_of, printed)
            return "ready"
        lines = said.decode(errors="replace").strip().splitlines() or ["the review failed"]
        return brief(lines[-1].removeprefix("oshihiki: "))


def _rows_of(printed: bytes) -> list[Row]:
    """The decisions of an audit, worded in every language; none if there is no audit in what was ``printed``."""
    try:
        fields = json.loads(printed)
        policy = fields["policy"]
        spoken = {lang: report_data(fields, Wording.of(policy, lang)) for lang in Lang}
    except (KeyError, TypeError, ValueError):
        return []
    decimals = spoken[Lang.EN]["decimals"]
    every = zip(fields["decisions"], *(found["decisions"] for found in spoken.values()), strict=True)
    return [
        {
            **{name: row[name] for name in _SAME},
            **{name: {lang.value: each[name] for lang, each in zip(spoken, said, strict=True)} for name in _SPOKEN},
            "candidates": [_noted(one) for one in row["candidates"]],
            "decimals": decimals,
            "unit": policy["unit"],
        }
        for row, *said in every
    ]


def _noted(candidate: Row) -> Row:
    """A candidate whose note, if it has one, is in words."""
    if not candidate.get("note"):
        return candidate
    return {**candidate, "note": {lang.value: note_word(Note(candidate["note"]), lang) for lang in Lang}}
