"""``oshihiki bench``: the speed of the program's parts on this machine."""

import json as json_text
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.commands import names
from bot.commands.options import JsonFigures, figures_table
from bot.config import Policy
from bot.deciding.players import PlayerSpec
from bot.lab.bench.dag import bench_dag
from bot.lab.bench.dag import render as render_dag
from bot.lab.measuring import best_recordings, own_games, own_logs
from bot.logs.sources import open_logs
from bot.machine.errors import InputError
from bot.machine.inputs import NO_LOG
from bot.machine.outlet import error_screen, output_screen
from bot.machine.preparation import warm_up
from bot.replay.verify import verify_files
from bot.review.examine import examine
from bot.review.fields import audit_fields
from bot.review.many import Job, audit_seats
from bot.review.recording import read_recording
from bot.review.report import render_report
from engine.model.events import Event, Win
from engine.model.seats import SEATS
from engine.model.tiles import TILES, counts34
from engine.model.yaku import DOUBLE_RIICHI, RIICHI
from engine.scoring import WinContext, score_win
from engine.shanten import shanten, shanten_batch, ukeire
from protocol.errors import LogError
from protocol.logs.formats import LogFile, read_log

Figures = dict[str, Any]

BATCH: Final = 100_000
STRETCH: Final = 2_000
"""Number of single calls that are timed together."""
SECONDS: Final = 1.0
"""Each part is measured for at least this long."""


Logs = Annotated[list[Path] | None, typer.Argument(help="Logs to use instead of newly played games.")]


def shanten_speed(json: JsonFigures = False) -> None:
    """Measure how fast shanten and ukeire are counted on this machine, on one core.

    Examples:
      oshihiki bench shanten
      oshihiki bench shanten --json
    """
    warm_up(error_screen(), ("hands in batches",))
    _show("shanten", bench_shanten(), json=json)


def scoring_speed(json: JsonFigures = False) -> None:
    """Measure how fast wins are scored on this machine, on one core.

    Examples:
      oshihiki bench scoring
      oshihiki bench scoring --json
    """
    warm_up(error_screen(), ())
    _show("scoring", bench_scoring(), json=json)


def verify_speed(logs: Logs = None, json: JsonFigures = False) -> None:
    """Measure how fast logs are read and checked on this machine, on one core.

    Examples:
      oshihiki bench verify
      oshihiki bench verify games/ --json
    """
    warm_up(error_screen(), ())
    _show("verify", bench_verify(logs or []), json=json)


def audit_speed(
    logs: Logs = None,
    policy: Annotated[str, typer.Option(help="Name of the policy.", autocompletion=names.policies)] = Policy().name,
    json: JsonFigures = False,
) -> None:
    """Measure how fast the first log is reviewed on this machine, for one seat on one core and for all four.

    Examples:
      oshihiki bench audit
      oshihiki bench audit game.xml --json
    """
    warm_up(error_screen(), PlayerSpec.parse(policy).needs)
    _show("audit", bench_audit(logs or [], policy), json=json)


def dag_speed(
    logs: Logs = None,
    hands: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="A file with one hand per line.")
    ] = None,
    json: JsonFigures = False,
) -> None:
    """Measure the search on this machine, on one core: how long it takes, and how many hands it holds.

    Its hands come from the logs named; otherwise from the recordings that OSHIHIKI_CORPUS names, those of the phoenix
    room first; otherwise from newly played games.

    Examples:
      oshihiki bench dag --json
      oshihiki bench dag games/
      oshihiki bench dag --hands hands.txt --json
    """
    warm_up(error_screen(), ("dag",))
    figures = bench_dag(lambda: _events(logs or best_recordings()), hands)
    if json:
        typer.echo(json_text.dumps(figures))
    else:
        output_screen().print(render_dag(figures))


def _show(part: str, figures: Figures, *, json: bool) -> None:
    """Print the figures of a part as JSON, or as a table."""
    if json:
        typer.echo(json_text.dumps({"part": part, **figures}))
        return
    table = figures_table("measured", "figure", title=f"bench {part}")
    for name, figure in figures.items():
        for label, value in _lines(name.replace("_", " "), figure):
            table.add_row(label, f"{value:,.1f}" if isinstance(value, float) else f"{value:,}")
    output_screen().print(table)


def _lines(name: str, figure: Any) -> Iterator[tuple[str, float | int]]:
    """Yield one line for each number, however deeply nested."""
    if isinstance(figure, dict):
        for key, part in figure.items():
            yield from _lines(f"{name} {key}", part)
    elif isinstance(figure, list):
        for part in figure:
            yield from _lines(name, part)
    else:
        yield name, figure


def bench_shanten() -> Figures:
    """Random hands of fourteen tiles: in a batch, and one by one."""
    source = random.Random(0)  # noqa: S311 - hands, nothing secret
    deals = [source.sample(range(TILES), 14) for _ in range(BATCH)]
    hands = np.array([counts34(deal) for deal in deals], np.uint8)
    fourteens = hands.tolist()
    thirteens = [counts34(deal[:13]) for deal in deals]
    return {
        "hands": BATCH,
        "batch_ns": round(_rounds(lambda: shanten_batch(hands)) / BATCH * 1e9, 1),
        "single_us": round(_each(shanten, fourteens) * 1e6, 2),
        "ukeire_us": round(_each(ukeire, thirteens) * 1e6, 2),
    }


def bench_scoring() -> Figures:
    """The wins of newly played games, one by one."""
    wins = [_context(event) for game in own_games() for event in game.events if isinstance(event, Win)]
    return {
        "wins": len(wins),
        "single_us": round(_rounds(lambda: [score_win(win) for win in wins]) / len(wins) * 1e6, 2),
    }


def bench_verify(paths: list[Path]) -> Figures:
    """Reading and checking logs, with everything included."""
    files = list(open_logs(paths)) if paths else own_logs()
    tally = verify_files(files)
    if not tally.kyoku:
        raise InputError("no log could be verified; name files, folders or archives that contain logs")
    seconds = _rounds(lambda: verify_files(files))
    return {
        "games": tally.games,
        "kyoku": tally.kyoku,
        "kyoku_per_s": round(tally.kyoku / seconds, 1),
        "mismatches": len(tally.errors),
    }


def _events(paths: list[Path]) -> Iterator[Sequence[Event]]:
    if not paths:
        yield from (game.events for game in own_games())
    for file in open_logs(paths):
        try:
            log = read_log(file)
        except LogError:
            continue  # a three-player game, or one broken log among many
        if log.viewer is None:
            yield log.events


def _context(win: Win) -> WinContext:
    yaku = {number for number, _ in win.score.yaku} if win.score else set()
    return WinContext(
        concealed=win.concealed,
        melds=win.melds,
        win_tile=win.tile,
        tsumo=win.seat == win.from_seat,
        seat_wind=27 + win.seat,
        round_wind=27,
        riichi=int(bool(yaku & {RIICHI, DOUBLE_RIICHI})),
        dora_indicators=win.dora_indicators,
        ura_indicators=win.ura_indicators,
    )


def _rounds(work: Callable[[], object]) -> float:
    """Seconds for one round of ``work``: the best of those that fit into :data:`SECONDS`."""
    work()
    best = float("inf")
    begun = perf_counter()
    while perf_counter() - begun < SECONDS:
        started = perf_counter()
        work()
        best = min(best, perf_counter() - started)
    return best


def _each(work: Callable[[Any], object], items: Sequence[Any]) -> float:
    """Seconds per item: the best stretch of them."""
    best = float("inf")
    for start in range(0, len(items), STRETCH):
        stretch = items[start : start + STRETCH]
        started = perf_counter()
        for item in stretch:
            work(item)
        best = min(best, (perf_counter() - started) / len(stretch))
    return best


def bench_audit(paths: list[Path], policy: str) -> dict[str, Any]:
    """Audit one game: read, ask the policy about each decision, write the page; for seat 0, and for all four players.

    Args:
        paths: logs, of which the first is used; without any a hanchan is played.
        policy: name of the policy.
    """
    log, judge = _log(paths), PlayerSpec.parse(policy)
    started = perf_counter()
    try:
        recording = read_recording(log)
    except LogError as error:
        raise InputError(str(error)) from None
    found = examine(recording, 0 if recording.viewer is None else recording.viewer, partial(judge.make, 0))
    examined = perf_counter()
    page = render_report(audit_fields(found)).encode()
    ended = perf_counter()
    figures = {
        "policy": policy,
        "hands": len(found.played.hands),
        "decisions": len(found.rows),
        "seconds": round(ended - started, 3),
        "decision_ms": round(1000 * (examined - started) / max(1, len(found.rows)), 3),
        "page_ms": round(1000 * (ended - examined), 1),
        "page_bytes": len(page),
    }
    return figures if recording.viewer is not None else figures | _four(log, Job(judge))


def _four(log: LogFile, job: Job) -> dict[str, Any]:
    """The figures of the page of all four players, whose audits run side by side."""
    started = perf_counter()
    first, *others = audit_seats(log, SEATS, job, os.cpu_count() or 1)
    page = render_report(first, others=others).encode()
    return {"four_seconds": round(perf_counter() - started, 3), "four_page_bytes": len(page)}


def _log(paths: list[Path]) -> LogFile:
    if paths:
        found = next(iter(open_logs(paths)), None)
        if found is None:
            raise InputError(NO_LOG)
        return found
    return replace(own_logs(1)[0], name="game.xml")
