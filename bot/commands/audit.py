"""``oshihiki audit``: every decision of a player compared with what a policy would have done."""

import json as json_text
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeRemainingColumn

from bot.commands.options import (
    AnyLogs,
    BackendName,
    ConfigFile,
    Fetch,
    Jobs,
    JsonAll,
    Nodes,
    Player,
    PolicyName,
    command_lines,
    judge_of,
    path_word,
    program_word,
    seat_or_name,
    with_interval,
)
from bot.config import place_of
from bot.deciding.players import needs_of
from bot.machine.bars import LogBar, bar_of
from bot.machine.errors import InputError, RunError
from bot.machine.inputs import NO_LOG, Inputs
from bot.machine.outlet import say
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend
from bot.machine.preparation import warm_up
from bot.machine.text import brief, clean, plural
from bot.replay.steps import decision_points
from bot.review.document import Judge, Review, Room, Score
from bot.review.examine import LANES, OnRow
from bot.review.folder import INDEX, totals, write_folder
from bot.review.many import Done, Job, audit_logs, audit_seats, find_seat
from bot.review.recording import Recording, read_recording, shared_log
from bot.review.report import render_report, render_summary
from bot.review.wording import Wording
from bot.wording.languages import Lang
from engine.model.seats import SEATS, turn_order
from protocol.errors import LogError, reading
from protocol.logs.formats import LogFile

Spread = tuple[int, Backend]
"""Number of processes, and what runs them."""
PAGES: Final = {".html", ".htm"}
"""Endings of the names of pages."""


def audit(
    logs: AnyLogs,
    seat: Player = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Page for one game (report.html), or folder for many.")
    ] = None,
    json: JsonAll = False,
    policy: PolicyName = None,
    config: ConfigFile = None,
    nodes: Nodes = None,
    lang: Annotated[Lang, typer.Option(help="Language of the report.")] = Lang.EN,
    anonymous: Annotated[bool, typer.Option("--anonymous", help="Leave out names and the log id.")] = False,
    reports: Annotated[
        bool, typer.Option("--reports/--no-reports", help="Write a page for each of many games.")
    ] = True,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    fetch: Fetch = False,
) -> None:
    """Review a player's decisions: what was played, what the bot would play, and what the difference is worth.

    The player is that of --seat, or of tw=N in a link or a file's name; a record of a live game needs neither, and
    where nobody is named the page of one log shows all four players. The report is one HTML file that needs nothing
    else; without -o ten lines are printed, or with --json everything. Many games, each audited once, give a folder with
    totals, plots and a page for each; a second run continues where the first stopped. Exit code 2: some logs could not
    be audited; the others were.

    Examples:
      oshihiki audit game.xml --seat 2 -o report.html
      oshihiki audit game.xml --seat Tanaka --policy value:utility=dan
      oshihiki audit game.xml -o report.html
      oshihiki audit games/ --seat Tanaka -o review/
      oshihiki audit "https://tenhou.net/6/#json=…" --seat 0 -o report.html
    """
    job = Job(judge_of(policy, config), nodes, *seat_or_name(seat), lang, anonymous, reports)
    inputs = Inputs(logs, fetch=fetch)
    outputs = Outputs("--output", [*inputs.sources, place_of(config)] if output is not None else ())
    screen = Console(stderr=True)
    files = inputs.every_game(whole=bool(seat))
    if not (first := list(islice(files, 2))):
        raise InputError(NO_LOG)
    folder = output is not None and (output.is_dir() or output.suffix.lower() not in PAGES)
    if folder or len(first) > 1:
        if output is not None and not folder:
            raise InputError(f"{clean(str(output))}: more than one log; name a folder for them with -o FOLDER")
        job = replace(job, folder=output)
        _many(inputs, chain(first, files), job, (jobs, backend), screen, outputs, json=json)
    else:
        _one(first[0], inputs, job, screen, outputs, output, json=json, spread=(jobs, backend))


# -- one game ----------------------------------------------------------------------------------------------------------


def _one(
    file: LogFile,
    inputs: Inputs,
    job: Job,
    screen: Console,
    outputs: Outputs,
    page: Path | None,
    *,
    json: bool,
    spread: Spread,
) -> None:
    """Audit one game: one player or, on a page where none is named, all four, distributed as ``spread`` says."""
    outputs.refuse_inputs(page)
    job = job.for_log(file)
    try:
        recording = read_recording(file)
        everybody = page is not None and recording.viewer is None and job.seat is None and not job.seat_name
        seat = 0 if everybody else find_seat(recording, job.seat, job.seat_name)
        if seat is None:
            players = ", ".join(brief(name, 24) for name in recording.names)
            raise InputError(f"{clean(file.name)}: no player is named {clean(job.seat_name)!r}; players: {players}")
        warm_up(screen, needs_of([job.judge]))
        with reading(file.name, InputError, RunError):
            if everybody:
                with _bar_of(screen, len(SEATS), "players") as advance:
                    found = audit_seats(file, turn_order(seat), job, *spread, advance)
            else:
                with _bar(screen, recording, seat) as on_row:
                    found = [job.audit(recording, seat, on_row, lanes=LANES)]
    except LogError as error:
        raise InputError(brief(str(error), 1000)) from None
    _tell_notes(screen, file.name, recording.notes)
    fields = found[0]
    if page is not None:
        log = "" if job.anonymous else shared_log(file)
        outputs.write(page, render_report(fields, job.lang, found[1:], log))
    if json:
        shown = fields if job.anonymous else fields | {"passed_over": inputs.fields()}
        typer.echo(json_text.dumps(shown, ensure_ascii=False))
    elif page is None:
        typer.echo(render_summary(fields, job.lang), nl=False)
    if page is not None:
        for one in found:
            whose = f"seat {one['seat']} {one['names'][0]}".rstrip() + ", " if everybody else ""
            line = f"{clean(str(page))}: {whose}{_summary(one)}"
            say(screen, line)
    inputs.tell(screen)


def _tell_notes(screen: Console, name: str, notes: Iterable[str]) -> None:
    for note in notes:
        text = brief(f"{name}: {note}", 1000)
        say(screen, text, "yellow")


def _summary(fields: Review) -> str:
    score, policy = fields["score"], fields["policy"]
    said = Wording.of(policy, Lang.EN)
    if not score["judged"]:
        return f"{plural(score['decisions'], 'decision')}, of which none was judged"
    return (
        f"{plural(score['judged'], 'decision')} judged, {_rating(policy, score, fields['reference'])}, "
        f"{plural(score['blunders'], 'blunder')}, {plural(score['mistakes'], 'mistake')}, "
        f"{plural(score['inaccuracies'], 'inaccuracy', 'inaccuracies')}, "
        f"{said.amount(score['lost'])} {said.unit(policy['unit'])} lost"
    )


def _rating(policy: Judge | None, score: Score, reference: Mapping[str, Room]) -> str:
    """What was lost in a hundred decisions, and how that stands among the players of the strongest room known."""
    said = Wording.of(policy, Lang.EN)
    if policy is None or score["per_hundred"] is None:
        return "no rating"
    lost = f"{said.rating(score['per_hundred'])} {said.unit(policy['unit'])} lost in 100"
    best = next(iter(reference), None)
    if best is None or (percentile := reference[best]["percentile"]) is None:
        return lost
    return f"{lost} (better than {percentile}% of games in the {said.words[f'room_{best}']})"


@contextmanager
def _bar(screen: Console, recording: Recording, seat: int) -> Iterator[OnRow]:
    """A progress bar over the decisions of a game, if the output is a terminal."""
    count = sum(1 for _ in decision_points(recording.source, seat, [])) if screen.is_terminal else 0
    with _bar_of(screen, count, "decisions") as advance:
        yield lambda _row: advance()


@contextmanager
def _bar_of(screen: Console, count: int, what: str) -> Iterator[Callable[[], None]]:
    """A progress bar, if the output is a terminal; yields what advances it."""
    columns = SpinnerColumn(), TextColumn("auditing"), BarColumn(bar_width=30), MofNCompleteColumn(), TextColumn(what)
    with bar_of(screen, *columns, TimeRemainingColumn()) as bar:
        task = bar.add_task("", total=count)
        yield lambda: bar.advance(task)


# -- many games --------------------------------------------------------------------------------------------------------


def _counting(bar: LogBar) -> Callable[[Done], None]:
    """Counts games on a bar."""
    counts = Counter[str]()

    def note(done: Done) -> None:
        counts.update(games=1, kept=done.kept, failed=bool(done.error))
        if done.fields is not None and not done.kept:
            counts["decisions"] += done.fields["score"]["decisions"]
        note = f"{counts['kept']} done earlier, {counts['failed']} not audited"
        bar.advance(counts["games"], counts["decisions"], note)

    return note


def _places(found: Mapping[str, Any] | None) -> str:
    """Mean places as they came and without the luck of the draw, if that is known."""
    if found is None:
        return ""
    came, without = (with_interval(found[name], 2) for name in ("placement", "placement_without"))
    return f", mean place {came}, without the luck of the draw {without}"


def _many(
    inputs: Inputs, files: Iterator[LogFile], job: Job, spread: Spread, screen: Console, outputs: Outputs, *, json: bool
) -> None:
    if job.folder is not None:
        outputs.refuse_inputs(job.folder / INDEX)
    warm_up(screen, needs_of([job.judge]) | {"critic"})
    with LogBar(screen, inputs.sources, "decisions") as bar:
        found = audit_logs(bar.watch(files), job, *spread, _counting(bar))
    summed = totals(found) if job.folder is None else write_folder(job.folder, found, job.seat_name, job.lang, outputs)
    failed = [done for done in found if done.error]
    if json:
        errors = [{"log": clean(done.name), "error": done.error} for done in failed]
        shown = summed | {"errors": errors, "passed_over": inputs.fields()}
        typer.echo(json_text.dumps(shown, ensure_ascii=False))
    for done in found:
        _tell_notes(screen, done.name, done.notes)
    for done in failed:
        say(screen, f"{clean(done.name)}: {done.error}", "red")
    inputs.tell(screen)
    if not summed["games"]:
        raise InputError(
            "no game was audited" + (f": no player is named {clean(job.seat_name)!r}" if job.seat_name else "")
        )
    if not json:
        score, games = summed["score"], plural(summed["games"], "game")
        where = "" if job.folder is None else f"; see {clean(str(job.folder / INDEX))}"
        rating = _rating(summed["policy"], score, summed["reference"])
        counted = score["judged"] or score["decisions"]
        judged = f" judged: {rating}" if score["judged"] else ", of which none was judged"
        what = f"{games}, {plural(summed['hands'], 'hand')}, {plural(counted, 'decision')}"
        typer.echo(f"{what}{judged}{_places(summed['without_draws'])}{where}")
        if job.folder is not None and score["differences"]:
            for line in (
                "next:",
                *command_lines((program_word(), "practice", path_word(job.folder)), screen.width, "  "),
            ):
                say(screen, clean(line))
    if failed:
        raise typer.Exit(2)
