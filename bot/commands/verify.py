"""``oshihiki verify``: recorded games checked against our rules."""

import json as json_text
from dataclasses import asdict
from time import perf_counter
from typing import Annotated, Final

import typer

from bot.commands.options import AnyLogs, BackendName, Fetch, Jobs, JsonAll, figures_table
from bot.machine.bars import LogBar
from bot.machine.inputs import NO_LOG, Inputs
from bot.machine.outlet import error_screen, output_screen, say
from bot.machine.parallel import Backend
from bot.machine.text import brief, clean, plural
from bot.replay.verify import SANMA, verify_logs
from bot.replay.verify_counts import VerifyCounts

SHOWN: Final = 20
"""Number of mismatches and of notes printed in full; JSON has them all."""

_ROWS: Final = (
    ("wins: yaku, han, fu, points", "wins"),
    ("payments, honba, sticks, liability", "payments"),
    ("hands shown", "hands"),
    ("draws: kind, tenpai", "draws"),
    ("next hand: dealer, honba, sticks", "progress"),
    ("final points", "results"),
    ("prompts of a captured server", "prompts"),
    ("furiten it announced", "furiten"),
    ("logs written and read again", "round_trips"),
)
"""The rows shown, and the field of :class:`~bot.replay.verify_counts.VerifyCounts` that counts each."""


def verify(
    logs: AnyLogs,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    json: JsonAll = False,
    round_trip: Annotated[
        bool, typer.Option("--round-trip", help="Also write each log in its own format and read it again.")
    ] = False,
    fetch: Fetch = False,
) -> None:
    """Replay recorded games and check every action, win, payment and prompt against our rules.

    Every file is checked, also several of the same game. Exit code 0:
    everything agrees; 1: something differs; 2: a file could not be read, or
    there was no game to check. Excerpts (neither id, version nor end of a
    game) in folders and archives are checked and reported separately, because
    people compose them by hand. What a log does not state, or states in
    words that are not known, is counted apart.

    Examples:
      oshihiki verify game.xml
      oshihiki verify logs/ games.tar.xz --jobs 4 --json
      zcat game.xml.gz | oshihiki verify -
    """
    started = perf_counter()
    screen = error_screen()
    inputs = Inputs(logs, fetch=fetch)
    with LogBar(screen, inputs.sources, "kyoku") as bar:
        so_far = VerifyCounts()

        def advance(batch: VerifyCounts) -> None:
            so_far.add(batch)
            bar.advance(so_far.files, so_far.kyoku, plural(len(so_far.errors), "mismatch", "mismatches"))

        tally = verify_logs(bar.watch(inputs.every_file()), jobs, backend, round_trip=round_trip, on_progress=advance)
    if json:
        report = asdict(tally) | {"passed_over": inputs.fields()}
        typer.echo(json_text.dumps(report, ensure_ascii=False, indent=1))
    elif tally.games or tally.excerpts:
        _show(tally, perf_counter() - started)
    inputs.tell(screen)
    for note in tally.notes[:SHOWN]:
        say(screen, brief(str(note), 1000), "yellow")
    if len(tally.notes) > SHOWN:
        screen.print(f"… and {plural(len(tally.notes) - SHOWN, 'note')} more; --json has them all", style="yellow")
    for unread in tally.unreadable:
        line = brief(str(unread), 1000)
        say(screen, line, "red")
    if tally.skipped.get(SANMA):
        which = plural(tally.skipped[SANMA], "three-player log was", "three-player logs were")
        screen.print(f"{which} skipped: only four-player games are supported", style="yellow", highlight=False)
    if not (tally.games or tally.errors or tally.files == len(tally.unreadable) == 1):
        screen.print(_nothing(tally), style="red", highlight=False, soft_wrap=True)
    code = exit_code(tally)
    if code:
        raise typer.Exit(code)


def _nothing(tally: VerifyCounts) -> str:
    """Why nothing was checked."""
    if tally.unreadable:
        return f"nothing to check: {plural(len(tally.unreadable), 'file')} could not be read"
    if tally.excerpts:
        excerpts = plural(tally.excerpts, "excerpt, which does", "excerpts, which do")
        return f"nothing to check but {excerpts} not count in a folder or an archive; name such a file by itself"
    if tally.files:
        return "nothing to check: no file contains a four-player game"
    return f"nothing to check: {NO_LOG}"


def exit_code(tally: VerifyCounts) -> int:
    """The exit code: 0 everything agrees, 1 something differs, 2 nothing differs but input was bad or missing."""
    if tally.errors:
        return 1
    return 2 if tally.unreadable or tally.left_out or not tally.games else 0


def _show(tally: VerifyCounts, seconds: float) -> None:
    """Print the figures for people."""
    out = output_screen()
    rate = tally.kyoku / seconds if seconds else 0.0
    games, decisions = plural(tally.games, "game"), plural(tally.decisions, "decision")
    read = f"{plural(tally.files, 'file')}, {games}, {tally.kyoku:,} kyoku, {decisions}"
    out.print(f"{read} in {seconds:.1f} s ({rate:.0f} kyoku/s)")
    table = figures_table("checked", "count", "exact", "not stated")
    kuikae = sum(each.check == "action" for each in tally.tolerated)
    table.add_row("actions", f"{tally.actions}", f"{tally.actions - tally.illegal - kuikae}", "0")
    for title, name in _ROWS:
        count = getattr(tally, name)
        if count:
            unstated = getattr(tally, f"{name}_unstated", 0)
            table.add_row(title, f"{count}", f"{getattr(tally, name + '_exact')}", f"{unstated}")
    out.print(table)
    if tally.damaged:
        frames = plural(tally.damaged, "frame")
        out.print(f"{frames} between hands cannot be read: the next deal was not compared with what came before")
    for tolerated in tally.tolerated[:SHOWN]:
        say(out, f"tolerated by the server: {clean(str(tolerated))}", "yellow")
    for found in tally.in_excerpts[:SHOWN]:
        say(out, f"in an excerpt, not a whole game: {clean(str(found))}", "yellow")
    for error in tally.errors[:SHOWN]:
        say(out, clean(str(error)), "red")
    if len(tally.errors) > SHOWN:
        out.print(f"… and {len(tally.errors) - SHOWN} more; --json has them all")
    if not tally.games:
        return
    number = len(tally.errors)
    silent = any(getattr(tally, f"{name}_unstated", 0) for _, name in _ROWS)
    agrees = "everything that is stated agrees" if silent else "everything agrees"
    verdict = plural(number, "mismatch", "mismatches") if number else agrees
    unread = f"; {plural(len(tally.unreadable), 'file')} could not be read" if tally.unreadable else ""
    unread += f"; {plural(tally.left_out, 'hand')} left out" if tally.left_out else ""
    out.print(verdict + unread, style="bold")
