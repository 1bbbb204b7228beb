"""``oshihiki verify``: recorded games against our rules."""

from __future__ import annotations

import json as json_text
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Annotated, Final, Self

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from bot.replay.tally import Tally
from bot.replay.verify import SANMA, verify_logs
from bot.text import brief, clean
from protocol.logs.formats import LogFile
from protocol.logs.sources import open_logs

SHOWN: Final = 20
"""Mismatches told in full unless JSON is asked for, which has them all."""

_ROWS: Final = (
    ("wins: yaku, han, fu, points", "wins"),
    ("payments, honba, sticks, liability", "payments"),
    ("hands shown", "hands"),
    ("draws: kind, tenpai", "draws"),
    ("what follows a hand", "progress"),
    ("final points", "results"),
    ("prompts of a captured server", "prompts"),
    ("furiten it announced", "furiten"),
    ("logs written and read again", "round_trips"),
)
"""What is shown, and the field of :class:`~bot.replay.tally.Tally` that counts it."""


def verify(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Logs, folders or archives: mjlog XML, tenhou.net/6 JSON, mjai, captured client sessions."),
    ],
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes to use; 0: one a core.")] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the figures and every mismatch as JSON.")] = False,
    round_trip: Annotated[
        bool, typer.Option("--round-trip", help="Also write each log in its own format and read it again.")
    ] = False,
) -> None:
    """Replay recorded games and check every action, win, payment and prompt against our rules.

    Exit code 0: all agree; 1: something differs; 2: a file could not be read.
    Excerpts (neither id, version nor end of a game) in folders and archives
    are checked and told apart: people lay them out by hand.

    Examples:
      oshihiki verify game.xml
      oshihiki verify logs/ games.tar.xz --jobs 4 --json
    """
    started = perf_counter()
    screen = Console(stderr=True)
    passed_over: list[str] = []
    files = open_logs(paths, passed_over.append)
    workers = jobs or os.cpu_count() or 1
    if screen.is_terminal:
        with _Bar(screen, paths) as bar:
            tally = verify_logs(bar.watch(files), workers, round_trip=round_trip, on_progress=bar.advance)
    else:
        tally = verify_logs(files, workers, round_trip=round_trip)
    if json:
        typer.echo(json_text.dumps(tally.to_dict(), ensure_ascii=False, indent=1))
    else:
        _tell(tally, perf_counter() - started)
    for name in passed_over:
        screen.print(f"{clean(name)}: passed over, no log", style="dim", markup=False, highlight=False)
    for unread in tally.unreadable:
        screen.print(brief(unread.message, 1000), style="red", markup=False, highlight=False, soft_wrap=True)
    if tally.skipped.get(SANMA):
        several = tally.skipped[SANMA] > 1
        logs = f"{tally.skipped[SANMA]} three-player logs were" if several else "1 three-player log was"
        screen.print(f"{logs} skipped: only four-player games are supported", style="yellow", highlight=False)
    code = exit_code(tally)
    if code:
        raise typer.Exit(code)


def exit_code(tally: Tally) -> int:
    """0 all agree, 1 something differs, 2 nothing differs but input was bad."""
    if tally.errors:
        return 1
    nothing_else = tally.files == 1 and bool(tally.skipped)  # a three-player log by itself
    return 2 if tally.unreadable or tally.files == 0 or nothing_else else 0


def _tell(tally: Tally, seconds: float) -> None:
    """The figures for people."""
    out = Console(highlight=False)
    rate = tally.kyoku / seconds if seconds else 0.0
    read = f"{tally.files} files, {tally.games} games, {tally.kyoku} kyoku, {tally.decisions} decisions"
    out.print(f"{read} in {seconds:.1f} s ({rate:.0f} kyoku/s)")
    table = Table("checked", "count", "exact", box=None, pad_edge=False)
    table.columns[1].justify = table.columns[2].justify = "right"
    kuikae = sum(each.check == "action" for each in tally.tolerated)
    table.add_row("actions", f"{tally.actions}", f"{tally.actions - tally.illegal - kuikae}")
    for title, name in _ROWS:
        count = getattr(tally, name)
        if count:
            table.add_row(title, f"{count}", f"{getattr(tally, name + '_exact')}")
    out.print(table)
    for tolerated in tally.tolerated[:SHOWN]:
        out.print(f"tolerated by the server: {clean(str(tolerated))}", style="yellow", markup=False, soft_wrap=True)
    for found in tally.in_excerpts[:SHOWN]:
        out.print(f"in an excerpt, no whole game: {clean(str(found))}", style="yellow", markup=False, soft_wrap=True)
    for error in tally.errors[:SHOWN]:
        out.print(clean(str(error)), style="red", markup=False, soft_wrap=True)
    if len(tally.errors) > SHOWN:
        out.print(f"… and {len(tally.errors) - SHOWN} more; --json has them all")
    verdict = "everything agrees" if not tally.errors else f"{len(tally.errors)} mismatches"
    unread = f"; {len(tally.unreadable)} files could not be read" if tally.unreadable else ""
    out.print(verdict + unread if tally.games else "nothing to check" + unread, style="bold")


class _Bar:
    """Progress over the bytes of the files on disk; what an archive will unpack to is guessed from those before."""

    def __init__(self, screen: Console, paths: Iterable[Path]) -> None:
        self._sizes = {str(file): file.stat().st_size for path in paths for file in _files(path)}
        self._growth = 5.0
        self._progress = Progress(
            TextColumn("{task.completed:.0%}"),
            BarColumn(),
            TextColumn("{task.fields[files]} files, {task.fields[speed]:.0f} kyoku/s"),
            TextColumn("{task.fields[errors]} mismatches"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=screen,
            transient=True,
        )
        self._task = self._progress.add_task("", total=1.0, files=0, speed=0.0, errors=0)
        self._tally = Tally()
        self._started = perf_counter()
        self._done = 0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def watch(self, files: Iterator[LogFile]) -> Iterator[LogFile]:
        """Pass files on, noting how far they are."""
        current, unpacked = "", 0
        total = sum(self._sizes.values()) or 1
        for file in files:
            source = self._source(file.name, current)
            if source != current:
                if current and unpacked > self._sizes[current]:
                    self._growth = unpacked / max(1, self._sizes[current])
                self._done += self._sizes.get(current, 0)
                current, unpacked = source, 0
            unpacked += len(file.data)
            size = self._sizes.get(current, 0)
            packed = size if file.name == current else min(size, int(unpacked / self._growth))
            self._progress.update(self._task, completed=(self._done + packed) / total)
            yield file

    def _source(self, name: str, current: str) -> str:
        """The file on disk that a log lies in."""
        if current and name.startswith(current):
            return current
        return next((source for source in self._sizes if name.startswith(source)), "")

    def advance(self, tally: Tally) -> None:
        """A batch is done."""
        self._tally.add(tally)
        done = self._tally
        speed = done.kyoku / max(1e-9, perf_counter() - self._started)
        self._progress.update(self._task, files=done.files, speed=speed, errors=len(done.errors))


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.rglob("*") if file.is_file())
    return [path] if path.is_file() else []
