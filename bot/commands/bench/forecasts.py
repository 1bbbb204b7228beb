"""``oshihiki bench forecasts``: chances and results that a policy states, compared with what came."""

from __future__ import annotations

import json as json_text
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer
from rich.console import Console

from bot.commands.bench.measuring import games_to_judge_by, recording_paths, refuse_other_units
from bot.commands.options import WHO, BackendName, Jobs, JsonFigures, figures_table
from bot.deciding.players import PlayerSpec, needs_of
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from bot.matches.forecasts import Forecast, forecasts
from bot.runs.bars import counted
from bot.runs.parallel import Backend, each
from bot.runs.preparation import warm_up
from engine.model.events import StartKyoku
from engine.model.seats import SEATS
from engine.train.recordings import Split
from protocol.logs.game_log import GameLog

Key = Callable[[Forecast], str]

GROUPS: Final[dict[str, Key]] = {
    "all": lambda _: "",
    "against": lambda one: "against a riichi" if one.against else "no riichi",
    "mode": lambda one: ("folds" if one.folds else "pushes") + (" against a riichi" if one.against else ""),
    "own": lambda one: one.own,
    "shanten": lambda one: f"{min(one.shanten, 4)}",
    "turn": lambda one: f"{(one.turn - 1) // 3 * 3 + 1:2}-{(one.turn - 1) // 3 * 3 + 3:2}",
    "chance": lambda one: "" if one.p_win is None else f"{int(min(one.p_win, 0.999) * 10) * 10:2}%",
}
"""How decisions are grouped, and the name of a decision's group; an empty name of several leaves it out."""
PAIRS: Final = {"win": ("p_win", "won"), "tenpai": ("p_tenpai", "tenpai"), "deal_in": ("p_deal_in", "dealt_in_now")}
"""Names of what is stated and of what came."""


def bench_forecasts(
    logs: Annotated[
        list[Path] | None,
        typer.Option("--logs", help="Logs, folders or archives; default: the folder in OSHIHIKI_CORPUS."),
    ] = None,
    policy: Annotated[str, typer.Option("--policy", help=f"{WHO} Its values must be worths of standings.")] = "value",
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    share: Annotated[float, typer.Option(min=0.0, max=1.0, help="Share of the decisions that are measured.")] = 0.2,
    nodes: Annotated[int, typer.Option(min=100, help="Bound on search nodes per decision.")] = 15_000,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    name: Annotated[
        str, typer.Option("--name", help="Only seats of this player, in every game; default: one seat of each game.")
    ] = "",
    every_game: Annotated[
        bool, typer.Option("--every-game", help="Use all games, because none was used for fitting, whatever its id.")
    ] = False,
    rows: Annotated[Path | None, typer.Option("--rows", help="File for the single decisions, one per line.")] = None,
    json: JsonFigures = False,
) -> None:
    """Compare what a policy states of the actions that were played in recorded games with how the hands ended.

    Of the policy's own games this shows whether its figures are right; of other players' games it also contains how
    differently they play on. Decisions of one hand depend on each other, so a small share gives better error estimates.

    Examples:
      oshihiki bench forecasts --json
      oshihiki arena value phoenix --tonpu --games 200 --logs own && oshihiki bench forecasts --logs own --every-game \
--name value
    """
    screen = error_screen()
    paths = recording_paths(logs)
    outputs = Outputs("--rows", paths)
    outputs.refuse_inputs(rows)
    player = PlayerSpec.parse(policy)
    refuse_other_units(player)
    warm_up(screen, needs_of([player]))
    seats = islice(_seats(paths, name, screen, every_game=every_game), games)
    of_seat = partial(_of_seat, player=player, nodes=nodes, share=share)
    found = each(of_seat, seats, jobs or os.cpu_count() or 1, backend, in_order=True)
    every: list[Forecast] = []
    try:
        for some in counted(screen, "seats", found, games):
            every += some
    finally:  # what was measured is kept, also if the run is stopped
        if rows is not None and every:
            outputs.write(rows, "".join(json_text.dumps(one.fields()) + "\n" for one in every))
    if not every:
        raise InputError("no decision to measure: no such game that shows all hands was found")
    figures: dict[str, Any] = {"policy": player.text, "nodes": nodes, "decisions": len(every), "groups": _groups(every)}
    if json:
        typer.echo(json_text.dumps(figures))
    else:
        _show(figures["groups"])


def _seats(paths: list[Path], name: str, screen: Console, *, every_game: bool) -> Iterator[tuple[GameLog, int]]:
    """Yield games that show all hands, each with a seat: those of the named player, or one of each game in turns."""
    number = 0
    for log, split in games_to_judge_by(paths, screen, every_game=every_game):
        deals = (event for event in log.events if isinstance(event, StartKyoku))
        if split is not Split.TEST or not all(None not in deal.hands for deal in deals):
            continue
        if name:
            yield from ((log, seat) for seat in SEATS if log.start.names[seat] == name)
        else:
            yield log, number % len(SEATS)
        number += 1


def _of_seat(seat: tuple[GameLog, int], player: PlayerSpec, nodes: int, share: float) -> list[Forecast]:
    return list(forecasts(*seat, player, nodes, share))


def _groups(every: Sequence[Forecast]) -> list[dict[str, Any]]:
    rows = []
    for by, key in GROUPS.items():
        named: dict[str, list[Forecast]] = {}
        for one in every:
            named.setdefault(key(one), []).append(one)
        rows += [
            {"by": by, "group": group, "n": len(some), **_means(some)}
            for group, some in sorted(named.items())
            if group or by == "all"
        ]
    return rows


def _means(some: Sequence[Forecast]) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for what, (stated, came) in PAIRS.items():
        known = [(getattr(one, stated), float(getattr(one, came))) for one in some if getattr(one, stated) is not None]
        figures[what] = _pair(known, 4)
    figures["result"] = _pair([(one.result, one.came) for one in some], 1)
    return figures


def _pair(pairs: Sequence[tuple[float, float]], digits: int) -> dict[str, float | int | None]:
    """Means of what was stated and of what came, and the standard error of their difference."""
    if not pairs:
        return {"n": 0, "stated": None, "came": None, "error": None}
    stated, came = np.array(pairs).T
    off = came - stated
    error = round(float(off.std(ddof=1) / len(off) ** 0.5), digits) if len(off) > 1 else None
    mean = partial(round, ndigits=digits)
    return {"n": len(pairs), "stated": mean(float(stated.mean())), "came": mean(float(came.mean())), "error": error}


def _show(groups: list[dict[str, Any]]) -> None:
    heads = [f"{what}: {side}" for what in ("win", "tenpai", "deal-in") for side in ("stated", "came", "±")]
    table = figures_table("by", "group", "n", *heads, "result: stated", "came", "±", words=2)
    for row in groups:
        cells = [_percent(row[what][side]) for what in PAIRS for side in ("stated", "came", "error")]
        table.add_row(row["by"], row["group"], str(row["n"]), *cells, *_points(row["result"]))
    output_screen().print(table)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"


def _points(pair: dict[str, float | None]) -> list[str]:
    return ["" if pair[side] is None else f"{pair[side]:.0f}" for side in ("stated", "came", "error")]
