"""``oshihiki replay``: recorded games replayed by a policy, and live games reproduced from their records."""

import io
import json as json_text
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import structlog
import typer
from rich.console import Console

from bot import config as configuration
from bot.commands.options import (
    AnyLogs,
    BackendName,
    ConfigFile,
    Fetch,
    Jobs,
    JournalFile,
    JsonAll,
    Nodes,
    Player,
    PolicyName,
    figures_table,
    seat_or_name,
)
from bot.deciding.players import PlayerSpec
from bot.machine import logs as logging
from bot.machine.bars import LogBar
from bot.machine.errors import InputError
from bot.machine.inputs import Inputs
from bot.machine.journal import Results
from bot.machine.origin import engine_hash
from bot.machine.outlet import error_screen, output_screen, say
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend, each
from bot.machine.preparation import warm_up
from bot.machine.text import brief, clean, plural
from bot.machine.values import from_json
from bot.replay.agreement import Agreement, Head
from bot.replay.exact import ExactResult, replay_exactly
from bot.replay.games import Order, Replayed, file_digest, replay_file
from bot.wording.grounds import mode_word
from engine.model.seats import SEATS
from engine.model.tiles import format_tile, format_tiles
from protocol.errors import LogError, reading
from protocol.logs.formats import LogFile
from protocol.logs.record import read_record

SHOWN: Final = 20
"""Number of differences printed; JSON has them all."""
WITH_EXACT: Final = (
    "--exact repeats every decision of a record with the policy and settings in it; "
    "give with it only --limit, --jobs, --backend and --json"
)
ALL: Final = "all"
"""``--seat`` for all four seats, also of a link that states one."""
RECORD: Final = "record"
"""The format of records of live games."""


def replay(
    logs: AnyLogs,
    seat: Player = "",
    policy: PolicyName = None,
    config: ConfigFile = None,
    nodes: Nodes = None,
    exact: Annotated[bool, typer.Option("--exact", help="Reproduce records of live games byte for byte.")] = False,
    agree: Annotated[bool, typer.Option("--agree", help="Print only the counts, not each decision.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many logs.")] = None,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    journal: JournalFile = None,
    json: JsonAll = False,
    fetch: Fetch = False,
) -> None:
    """Replay recorded games and compare each decision with what was played.

    Without --seat the seat that a link or a file's name states (tw=N) is replayed, or all four, as with --seat all.
    A game that several files contain is replayed once: from its record, or, if a seat is named, from the log of the
    whole game. With --exact, live games are replayed from their records, and every decision must be the same, byte for
    byte. Exit code 0: done, or all the same; 1: a decision was different; 2: bad input, or a log could not be read.

    Examples:
      oshihiki replay game.xml --seat 2
      oshihiki replay games.tar.xz --seat P1 --agree --jobs 4 --journal p1.journal
      oshihiki replay records/ --exact --json
      oshihiki replay games/ --agree --backend dask
    """
    screen = error_screen()
    inputs = Inputs(logs, fetch=fetch)
    if exact:
        if agree or journal or policy or nodes or config or seat:
            raise InputError(WITH_EXACT)
        _exactly(inputs, limit, jobs, backend, screen, json=json)
        return
    Outputs("--journal", [*inputs.sources, configuration.place_of(config)], journal)
    chosen = configuration.override(configuration.load(config), {"policy.name": policy}).policy
    order = Order(
        chosen.name,
        chosen.seed,
        chosen.settings,
        nodes,
        *_wanted(seat),
        rows=not agree and journal is None,
    )
    warm_up(screen, PlayerSpec.parse(order.policy, order.options).needs)
    started = perf_counter()
    # a run with another policy or other code must not continue the journal
    belongs_to = {
        "policy": order.policy,
        "seed": order.seed,
        "options": order.options,
        "nodes": order.nodes,
        "seats": list(order.seats or SEATS),
        "player": order.player,
        "engine": engine_hash(),
    }
    kept = kept_logs(journal, belongs_to)
    with LogBar(screen, inputs.sources, "decisions") as bar:
        files = inputs.every_game(whole=bool(seat), limit=limit)
        run = _run(files, order, jobs, backend, kept, bar)
    _finish(run, order, perf_counter() - started, inputs, screen, json=json)


KeptLogs = Results[tuple[str, str], Agreement]
"""The agreement of finished logs, by name and digest."""


def kept_logs(journal: Path | None, order: dict[str, Any]) -> KeptLogs:
    """The results of an earlier run, from its journal.

    Raises:
        InputError: see :func:`~bot.machine.journal.continued`.
    """
    return Results(
        journal,
        "replay",
        order,
        lambda line: ((str(line["log"]), str(line["digest"])), from_json(Agreement, line["agreement"])),
        lambda key, agreement: {"log": key[0], "digest": key[1], "agreement": agreement.fields()},
    )


class _Run:
    """The results of all logs.

    Attributes:
        logs: number of logs replayed, including those of the journal.
        agreement: the counts.
        replayed: each log of this run that has rows or messages.
    """

    def __init__(self) -> None:
        self.logs = 0
        self.agreement = Agreement()
        self.replayed: list[Replayed] = []

    def add(self, done: Replayed) -> None:
        """Add a finished log."""
        self.logs += not (done.skipped or done.error)
        self.agreement.add(done.agreement)
        if done.rows or done.skipped or done.error or done.notes or done.faults:
            self.replayed.append(done)


def _run(files: Iterator[LogFile], order: Order, jobs: int, backend: Backend, kept: KeptLogs, bar: LogBar) -> _Run:
    run = _Run()
    run.logs += len(kept.done)
    for agreement in kept.done.values():
        run.agreement.add(agreement)
    watched = bar.watch(files)
    todo = (file for file in watched if not kept.done or (file.name, file_digest(file)) not in kept.done)
    for done in each(partial(replay_file, order=order), todo, jobs, backend):
        run.add(done)
        if kept.pen and not (done.skipped or done.error):  # of many logs, too much for the memory
            kept.add((done.name, done.digest), done.agreement)
        count = run.agreement.heads[Head.ALL]
        bar.advance(run.logs, run.agreement.decisions, f"{count.same / count.n:.1%} the same" if count.n else "")
    run.replayed.sort(key=lambda each: each.name)
    return run


def _wanted(text: str) -> tuple[tuple[int, ...] | None, str]:
    """The seats and the name of a player that are replayed."""
    if text == ALL:
        return SEATS, ""
    seat, name = seat_or_name(text)
    return None if seat is None else (seat,), name


def _complain(screen: Console, text: str) -> None:
    say(screen, brief(text, 1000), "red")


def _finish(run: _Run, order: Order, seconds: float, inputs: Inputs, screen: Console, *, json: bool) -> None:
    agreement = run.agreement
    for done in run.replayed:
        for line in (done.skipped, done.error):
            if line:
                _complain(screen, f"{done.name}: {line}")
        for line in (*done.notes, *done.faults):
            _complain(screen, line)
    failed = [done for done in run.replayed if done.error]
    if json:
        report: dict[str, Any] = {
            "policy": order.policy,
            "logs": run.logs,
            **agreement.fields(),
            "errors": [{"log": clean(done.name), "error": clean(done.error)} for done in failed],
            "skipped": [
                {"log": clean(done.name), "reason": clean(done.skipped)} for done in run.replayed if done.skipped
            ],
            "passed_over": inputs.fields(),
        }
        if order.rows:
            report["rows"] = [row for done in run.replayed for row in done.rows]
        typer.echo(json_text.dumps(report, ensure_ascii=False))
    elif run.logs:
        _show(run, order, seconds)
    inputs.tell(screen)
    if not run.logs:
        raise InputError("no game was replayed; name logs, and seats or players in them")
    if failed:
        raise typer.Exit(2)


def _show(run: _Run, order: Order, seconds: float) -> None:
    """Print the counts for people, and the first differences."""
    out, agreement = output_screen(), run.agreement
    for row in islice(_differences(run.replayed), SHOWN):
        say(out, row)
    done = plural(run.logs, "log"), plural(agreement.games, "seat"), plural(agreement.decisions, "decision")
    out.print(f"{order.policy}: {', '.join(done)} in {seconds:.1f} s")
    table = figures_table("decisions", "count", "same", "share", "in its first 3")
    for head, count in agreement.heads.items():
        if count.n:
            shares = f"{count.same / count.n:.1%}", f"{count.top3 / count.n:.1%}"
            table.add_row(str(head), f"{count.n}", f"{count.same}", *shares)
    out.print(table)
    against = agreement.heads[Head.PUSH_FOLD].n
    if against:
        played, ours = agreement.safe_played / against, agreement.safe_ours / against
        out.print(f"against riichi a safe tile was discarded in {played:.1%}, and by the policy in {ours:.1%}")
    for text, number in (
        ("different by less than the policy's noise", agreement.close),
        ("not compared: another claim had priority, or the log ends", agreement.unknown),
        ("not compared: the server answered for an absent player", agreement.absent),
        ("where the policy failed", agreement.failed),
        ("where the policy chose an illegal action", agreement.illegal),
        ("hands that could not be followed to their end", agreement.faults),
    ):
        if number:
            out.print(f"{text}: {number:,}")


def _differences(replayed: list[Replayed]) -> Iterator[str]:
    for done in replayed:
        for row in done.rows:
            if not row.get("agrees", True):
                names = (_words(row["played"]), _words(row["ours"]))
                why = f": {row['why'][0]}" if row["why"] else ""
                close = " (as good)" if row["close"] else ""
                place = f"{clean(done.name.rpartition('/')[2])} seat {row['seat']} {row['kyoku']} turn {row['turn']}"
                yield clean(
                    f"{place}: played: {names[0]}; the policy, {mode_word(row['mode'])}: {names[1]}{close}{why}"
                )


def _words(action: dict[str, Any]) -> str:
    name = str(action["kind"])
    tile = f" {format_tile(action['tile'])}" if "tile" in action else ""
    own = f" with {format_tiles(action['own'])}" if "own" in action else ""
    return f"{name}{tile}{own}"


# -- records of live games -----------------------------------------------------------------------------------------


def _exactly(inputs: Inputs, limit: int | None, jobs: int, backend: Backend, screen: Console, *, json: bool) -> None:
    results: list[ExactResult] = []
    errors: list[str] = []
    records = islice((file for file in inputs.every_file() if file.error or file.format == RECORD), limit)
    # the log lines of a live game were written when it was played
    with logging.only_errors(io.StringIO()), LogBar(screen, inputs.sources, "decisions") as bar:
        for result in each(_exact_file, bar.watch(records), jobs, backend):
            if isinstance(result, str):
                errors.append(result)
                continue
            results.append(result)
            bar.advance(len(results), sum(one.decisions for one in results))
    results.sort(key=lambda result: result.source)
    for error in errors:
        _complain(screen, error)
    if not results:
        raise InputError("no record that can be replayed exactly was found; `oshihiki play` writes them")
    decisions = sum(result.decisions for result in results)
    identical = sum(result.identical for result in results)
    first = next(((result, result.differences[0]) for result in results if result.differences), None)
    for result in results:
        for note in result.notes:
            say(screen, f"{clean(result.source)}: {brief(note, 1000)}", "yellow")
    if json:
        report: dict[str, Any] = {"decisions": decisions, "identical": identical}
        if errors:
            report["errors"] = [clean(error) for error in errors]
        if first is not None:
            report["first"] = {"record": first[0].source, **asdict(first[1])}
        typer.echo(json_text.dumps(report, ensure_ascii=False))
    else:
        typer.echo(f"{plural(len(results), 'record')}, {plural(decisions, 'decision')}, {identical:,} identical")
        if first is not None:
            typer.echo(f"first difference: {clean(first[0].source)}: {clean(str(first[1]))}")
    if first is not None or decisions != identical:
        raise typer.Exit(1)
    if errors:
        raise typer.Exit(2)


def _exact_file(file: LogFile) -> ExactResult | str:
    if not structlog.is_configured():  # in a separate process
        logging.set_up("error", stream=io.StringIO())
    if file.error is not None:
        return str(file.error)
    try:
        with reading(file.name):
            return replay_exactly(read_record(file.data, file.name))
    except LogError as error:
        return str(error)
