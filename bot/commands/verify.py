"""``oshihiki verify``: recorded games checked against our rules."""

from __future__ import annotations

import json as json_text
import os
from pathlib import Path
from time import perf_counter
from typing import Annotated, Final

import typer
from rich.console import Console

from bot.commands.options import Jobs
from bot.commands.tables import figures_table
from bot.log_bar import LogBar
from bot.replay.verify import SANMA, verify_logs
from bot.replay.verify_counts import VerifyCounts
from bot.text import brief, clean
from protocol.logs.sources import open_logs

SHOWN: Final = 20
"""Number of mismatches printed in full; JSON has them all."""

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
"""The rows shown, and the field of :class:`~bot.replay.verify_counts.VerifyCounts` that counts each."""


def verify(
    paths: Annotated[
        list[Path],
        typer.Argument(help="Logs, folders or archives: mjlog XML, tenhou.net/6 JSON, mjai, captured client sessions."),
    ],
    jobs: Jobs = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the figures and every mismatch as JSON.")] = False,
    round_trip: Annotated[
        bool, typer.Option("--round-trip", help="Also write each log in its own format and read it again.")
    ] = False,
) -> None:
    """Replay recorded games and check every action, win, payment and prompt against our rules.

    Exit code 0: everything agrees; 1: something differs; 2: a file could not
    be read. Excerpts (neither id, version nor end of a game) in folders and
    archives are checked and reported separately, because people compose them
    by hand.

    Examples:
      oshihiki verify game.xml
      oshihiki verify logs/ games.tar.xz --jobs 4 --json
    """
    started = perf_counter()
    screen = Console(stderr=True)
    passed_over: list[str] = []
    files = open_logs(paths, passed_over.append)
    workers = jobs or os.cpu_count() or 1
    with LogBar(screen, paths, "kyoku") as bar:
        so_far = VerifyCounts()

        def advance(batch: VerifyCounts) -> None:
            so_far.add(batch)
            bar.advance(so_far.files, so_far.kyoku, f"{len(so_far.errors)} mismatches")

        tally = verify_logs(bar.watch(files), workers, round_trip=round_trip, on_progress=advance)
    if json:
        typer.echo(json_text.dumps(tally.to_dict(), ensure_ascii=False, indent=1))
    else:
        _show(tally, perf_counter() - started)
    for name in passed_over:
        screen.print(f"{clean(name)}: skipped, not a log", style="dim", markup=False, highlight=False)
    for unread in tally.unreadable:
        line = brief(f"{unread.file}: {unread.message}", 1000)
        screen.print(line, style="red", markup=False, highlight=False, soft_wrap=True)
    if tally.skipped.get(SANMA):
        several = tally.skipped[SANMA] > 1
        logs = f"{tally.skipped[SANMA]} three-player logs were" if several else "1 three-player log was"
        screen.print(f"{logs} skipped: only four-player games are supported", style="yellow", highlight=False)
    code = exit_code(tally)
    if code:
        raise typer.Exit(code)


def exit_code(tally: VerifyCounts) -> int:
    """The exit code: 0 everything agrees, 1 something differs, 2 nothing differs but input was bad."""
    if tally.errors:
        return 1
    nothing_else = tally.files == 1 and bool(tally.skipped)  # a three-player log by itself
    return 2 if tally.unreadable or tally.files == 0 or nothing_else else 0


def _show(tally: VerifyCounts, seconds: float) -> None:
    """Print the figures for people."""
    out = Console(highlight=False)
    rate = tally.kyoku / seconds if seconds else 0.0
    read = f"{tally.files} files, {tally.games} games, {tally.kyoku} kyoku, {tally.decisions} decisions"
    out.print(f"{read} in {seconds:.1f} s ({rate:.0f} kyoku/s)")
    table = figures_table("checked", "count", "exact")
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
        out.print(f"in an excerpt, not a whole game: {clean(str(found))}", style="yellow", markup=False, soft_wrap=True)
    for error in tally.errors[:SHOWN]:
        out.print(clean(str(error)), style="red", markup=False, soft_wrap=True)
    if len(tally.errors) > SHOWN:
        out.print(f"… and {len(tally.errors) - SHOWN} more; --json has them all")
    verdict = "everything agrees" if not tally.errors else f"{len(tally.errors)} mismatches"
    unread = f"; {len(tally.unreadable)} files could not be read" if tally.unreadable else ""
    out.print(verdict + unread if tally.games else "nothing to check" + unread, style="bold")
