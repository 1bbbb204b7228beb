"""``oshihiki bench replay``: replaying recorded games."""

from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import typer

from bot.commands.options import JsonFigures, PolicyName, print_figures
from bot.config import Policy
from bot.deciding.players import PlayerSpec
from bot.lab.measuring import Games, best_recordings, own_logs
from bot.logs.sources import open_logs
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.preparation import warm_up
from bot.replay.games import Order, replay_file
from protocol.logs.formats import LogFile


def bench_replay(
    logs: Annotated[
        list[Path] | None, typer.Argument(help="Logs to use instead of recordings or newly played games.")
    ] = None,
    policy: PolicyName = None,
    games: Games = 3,
    json: JsonFigures = False,
) -> None:
    """Measure how fast recorded games are replayed for one seat, on one core.

    Recordings are those that OSHIHIKI_CORPUS names, the phoenix room's hanchan first.

    Examples:
      oshihiki bench replay
      oshihiki bench replay games/ --policy dag --games 1 --json
    """
    name = policy or Policy().name
    warm_up(error_screen(), PlayerSpec.parse(name).needs)
    files = _files(logs or best_recordings(), games)
    if not files:
        raise InputError("no log was found; name files, folders or archives that contain logs")
    figures = {"policy": name, **_replay(files[:games], name)}
    print_figures(figures, _show, json=json)


def _show(figures: dict[str, Any]) -> None:
    out = output_screen()
    out.print(f"policy {figures.pop('policy')}, one seat, one core")
    for key, value in figures.items():
        out.print(f"  {key.replace('_', ' ')} {value:,}")


def _replay(files: list[LogFile], policy: str) -> dict[str, Any]:
    """Replay seat 0 of each game; also reports the longest game."""
    seconds, decisions = [], 0
    for file in files:
        started = perf_counter()
        done = replay_file(file, Order(policy, seats=(0,)))
        seconds.append(perf_counter() - started)
        decisions += done.agreement.decisions
    return {
        "games": len(files),
        "decisions": decisions,
        "seconds_a_game": round(sum(seconds) / len(seconds), 3),
        "longest_seconds": round(max(seconds), 3),
        "decision_ms": round(1000 * sum(seconds) / max(1, decisions), 3),
    }


def _files(paths: list[Path], most: int) -> list[LogFile]:
    if paths:
        return list(islice((file for file in open_logs(paths) if file.error is None), most))
    return own_logs()
