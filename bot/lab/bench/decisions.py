"""``oshihiki bench decisions``: values that a policy states for single decisions, compared with their results."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from itertools import islice
from math import inf
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from bot.commands.options import BackendName, Jobs, JsonFigures, figures_table, print_figures
from bot.deciding.players import PlayerSpec, needs_of
from bot.lab import measuring
from bot.lab.judging import Judged, Matter, Strong, Trial, fitted, judged_decisions
from bot.machine.bars import counted
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend, each
from bot.machine.preparation import warm_up
from bot.machine.text import plural
from engine.policy.registry import BATCHED
from engine.rules.recordings import Split
from protocol.logs.game_log import GameLog


def bench_decisions(
    logs: measuring.CorpusLogs = None,
    policy: measuring.WorthPolicy = "value",
    games: measuring.Games = 40,
    walls: Annotated[int, typer.Option(min=2, help="Number of shuffled walls for each decision.")] = 16,
    share: measuring.Share = 0.1,
    nodes: measuring.SearchNodes = 15_000,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    rows: measuring.RowsFile = None,
    validation: measuring.Validation = False,
    disputed: Annotated[
        bool, typer.Option("--disputed", help="Only decisions in which the policy and strong players differ.")
    ] = False,
    matter: Annotated[
        list[Matter] | None, typer.Option("--matter", help="Only decisions of this kind; may be repeated.")
    ] = None,
    within: Annotated[
        float, typer.Option("--within", min=0.0, help="Only decisions whose values differ by no more points.")
    ] = inf,
    strong: Annotated[
        Strong, typer.Option("--strong", help="The network whose choices count as those of strong players.")
    ] = Strong.PHOENIX,
    json: JsonFigures = False,
) -> None:
    """Judge single decisions by playing the hands to their end, with the true hidden hands and shuffled walls.

    Two answers of each decision are compared: the difference of the values that the policy states, and the difference
    of the results in points when phoenix plays on, on all seats.

    Examples:
      oshihiki bench decisions --json
      oshihiki bench decisions --games 200 --walls 32 --rows decisions.jsonl
      oshihiki bench decisions --disputed --share 1
      oshihiki bench decisions --matter call --within 1500 --share 1
      oshihiki bench decisions --policy value:learned=0 --disputed --strong programs-large
    """
    screen = error_screen()
    paths = measuring.recording_paths(logs)
    outputs = Outputs("--rows", paths, rows)
    trial = Trial(PlayerSpec.parse(policy), nodes, walls, share, disputed, frozenset(matter or Matter), within, strong)
    measuring.refuse_other_units(trial.player)
    warm_up(screen, {*needs_of([trial.player]), "simulator", *BATCHED.needs("phoenix")})
    judged: list[Judged] = []
    with measuring.written_at_the_end(judged, rows, outputs):
        seats = islice(measuring.open_seats(paths, Split.VALIDATION if validation else Split.TEST, screen), games)
        found = each(partial(_judge_game, trial=trial), seats, jobs, backend, in_order=True)
        left_out = 0
        for of_game in counted(screen, "games", found, games):
            judged += filter(None, of_game)
            left_out += of_game.count(None)
    if left_out:
        screen.print(f"{plural(left_out, 'decision')} left out: the referee cannot follow their hands to that point")
    if not judged:
        raise InputError("no decision to judge: no held-back game that shows all hands was found")
    figures: dict[str, Any] = {"policy": trial.player.text, "walls": walls, "nodes": nodes, "left_out": left_out}
    figures["strong"] = strong.value
    figures["classes"] = _classes(judged)
    print_figures(figures, _show, json=json)


def _judge_game(seat: tuple[GameLog, int], trial: Trial) -> list[Judged | None]:
    return list(judged_decisions(*seat, trial))


def _classes(judged: list[Judged]) -> list[dict[str, Any]]:
    """Means and fits with their standard errors, by kind of decision and shanten, and for each kind as a whole."""
    groups: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in judged:
        groups[str(one.matter), str(min(one.shanten, 4))].append(one)
        groups[str(one.matter), "all"].append(one)
    return [
        {"matter": matter, "shanten": shanten, "n": len(group), **_means(group), **_fit(group)}
        for (matter, shanten), group in sorted(groups.items())
    ]


def _means(group: list[Judged]) -> Mapping[str, float | None]:
    stated = np.array([one.stated for one in group])
    came = np.array([one.came for one in group])
    off = came - stated

    def error(values: NDArray[np.float64]) -> float | None:
        return round(float(values.std(ddof=1) / len(values) ** 0.5), 1) if len(values) > 1 else None

    return {
        "stated": round(float(stated.mean()), 1),
        "came": round(float(came.mean()), 1),
        "came_error": error(came),
        "off": round(float(off.mean()), 1),
        "off_error": error(off),
    }


def _fit(group: list[Judged]) -> Mapping[str, float | None]:
    fit = fitted(group)
    names = ("per_stated", "per_stated_error", "per_log_chance", "per_log_chance_error")
    figures = (None,) * 4 if fit is None else (*fit.stated, *fit.prior)
    return {name: None if figure is None else round(figure, 2) for name, figure in zip(names, figures, strict=True)}


def _show(figures: dict[str, Any]) -> None:
    table = figures_table("about", "shanten", "n", "stated", "result", "per stated", "per log p")
    for row in figures["classes"]:
        table.add_row(
            row["matter"].replace("_", " "),
            row["shanten"],
            str(row["n"]),
            f"{row['stated']:.0f}",
            _with_error(row, "came", 0),
            _with_error(row, "per_stated", 2),
            _with_error(row, "per_log_chance", 0),
        )
    output_screen().print(table)


def _with_error(row: Mapping[str, Any], name: str, digits: int) -> str:
    error = row[f"{name}_error"]
    if error is None:
        return "" if row[name] is None else f"{row[name]:.{digits}f}"
    return f"{row[name]:.{digits}f} ± {error:.{digits}f}"
