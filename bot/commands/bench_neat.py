"""``oshihiki bench neat``: the evolved networks in one-player mahjong, beside searches and published figures."""

from __future__ import annotations

import json as json_text
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from time import process_time
from typing import Annotated, Any, Final

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console

from bot.commands.neat_front import draw_front
from bot.commands.options import Jobs, JsonFigures
from bot.commands.solo_pieces import SoloPlay, play_in_pieces
from bot.commands.tables import figures_table
from bot.errors import InputError
from bot.outlet import error_screen, output_screen
from bot.outputs import Outputs
from bot.progress import warm_up
from engine.model.yaku import YAKU_NAMES
from engine.search.neat import solo_kernels as kernels
from engine.search.neat.neat import champion
from engine.search.neat.network import Network, read_network
from engine.search.neat.players import searches
from engine.search.neat.settings import CHAMPIONS
from engine.search.neat.solo import Played, make_walls, play, summary
from engine.tables import WeightsError

PUBLISHED: Final = {
    "MM-NEAT, best of each": (0.1313, 447.6, 3647.8, 13.71),
    "MM-NEAT 49959": (0.1313, 402.0, 3061.6, 13.89),
    "MM-NEAT 49968": (0.1257, 447.6, 3560.5, 14.10),
    "MM-NEAT 49950": (0.1138, 415.1, 3647.8, 14.09),
    "MM-NEAT 49948": (0.1064, 356.9, 3354.5, 13.71),
    "Kaizu 0.0": (0.1751, 693.0, 3957.6, 14.02),
    "Kaizu 0.1": (0.1699, 828.6, 4877.0, 13.95),
    "Kaizu 0.9": (0.1316, 931.5, 7078.2, 14.68),
    "Kaizu 1.0": (0.1127, 904.1, 8022.4, 14.90),
}
"""Tables 6 and 7 of Ihara and Kato: share of hands won, points a hand, points a win, turn of a win. Kaizu et al. played
with dora."""
COLUMNS: Final = ("win_rate", "points", "points_per_win", "win_turn")
YAKU: Final = {8: 15.90, 7: 23.90, 20: 2.02, 18: 2.46, 19: 2.19, 34: 0.70, 9: 3.10, 25: 0.70, 24: 0.08, 23: 0.08}
"""Table 8: percent of the wins of MM-NEAT 49950 that have each yaku, by Tenhou's id."""
SEED: Final = 20_160
"""Seed of the walls; no network was bred or chosen on them."""
LEADS: Final = ("groups", "neither", "pairs")


def bench_neat(
    walls: Annotated[int, typer.Option(min=100, help="Number of walls that the networks play.")] = 10_000,
    searched: Annotated[
        int, typer.Option(min=0, help="Number of these walls that the searches and evaluators play too.")
    ] = 200,
    networks: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Folder of networks (.npz) to play; default: the champions."),
    ] = None,
    dora: Annotated[bool, typer.Option("--dora", help="Play with dora and red fives.")] = False,
    evaluator: Annotated[
        list[str] | None,
        typer.Option("--evaluator", help="Evaluator that plays these walls too; repeatable. Default: perceptron."),
    ] = None,
    search: Annotated[
        bool, typer.Option("--search/--no-search", help="Let the DAG search play, besides the evaluators.")
    ] = True,
    journal: Annotated[
        Path | None,
        typer.Option("--journal", help="File that keeps what the searches do; the same command continues from there."),
    ] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Draw wins against points into this SVG file.")] = None,
    jobs: Jobs = 1,
    json: JsonFigures = False,
) -> None:
    """Play one-player mahjong with the evolved networks, on the same walls as the DAG search.

    The searches are slow, so they play only the first walls; how far each network is below them is measured on those.
    "alpha" rows search with a weight of points against wins, as Kaizu et al. weigh value against speed.

    Examples:
      oshihiki bench neat
      oshihiki bench neat --searched 10000 --jobs 4 --json --journal searched.journal
      oshihiki bench neat --searched 10000 --no-search --evaluator inversion --evaluator handscore
      oshihiki bench neat --networks neat-run --searched 0 --plot front.svg
    """
    screen = error_screen()
    outputs = _outputs(plot, journal, networks)
    players = _networks(networks)
    warm_up(screen, ["neat", "dag"] if searched else ["neat"])
    dealt = make_walls(walls, SEED)
    began = process_time()
    found = {name: play(one, dealt, dora=dora) for name, one in players.items()}
    seconds = process_time() - began
    names = [*(searches() if search else ()), *(f"evaluator {name}" for name in evaluator or ["perceptron"])]
    results = play_in_pieces(names, dealt[:searched], SEED, jobs, journal, dora=dora) if searched else {}
    figures: dict[str, Any] = {
        "walls": walls,
        "dora": dora,
        "decisions_per_s": round(sum(one.decisions for one in found.values()) / max(seconds, 1e-9)),
        "networks": {name: _network_figures(one, searched, results) for name, one in found.items()},
        "searched": {name: {**_figures(done.results), "ms": round(done.ms, 3)} for name, done in results.items()},
        "published": {name: dict(zip(COLUMNS, row, strict=True)) for name, row in PUBLISHED.items()},
    }
    if plot is not None:
        outputs.write(plot, draw_front(figures))
    if json:
        typer.echo(json_text.dumps(figures))
    else:
        _show(figures, output_screen())


def _outputs(plot: Path | None, journal: Path | None, networks: Path | None) -> Outputs:
    """What draws the plot; neither it nor the journal is a file that is read."""
    read = [] if networks is None else list(networks.iterdir())
    Outputs("--journal", read).refuse_inputs(journal)
    outputs = Outputs("--plot", [journal, *read])
    outputs.refuse_inputs(plot)
    return outputs


def _networks(folder: Path | None) -> dict[str, Network]:
    """The networks by name.

    Raises:
        InputError: the folder has none, or one cannot be read.
    """
    if folder is None:
        return {name: champion(name) for name in CHAMPIONS}
    found = {}
    try:
        for path in sorted(folder.glob("*.npz")):
            if path.stem != "checkpoint":
                found[path.stem] = read_network(path.read_bytes(), str(path))
    except (OSError, WeightsError) as error:
        raise InputError(str(error)) from error
    if not found:
        raise InputError(f"--networks {folder}: there is no network (.npz) in this folder")
    return found


def _network_figures(played: Played, searched: int, results: Mapping[str, SoloPlay]) -> dict[str, Any]:
    rows = played.results
    won = rows[:, kernels.WIN_TURN] > 0
    yaku = rows[won, kernels.YAKU].astype(np.int64)
    rates = {YAKU_NAMES[bit].english: _percent((yaku >> bit & 1).mean()) for bit in YAKU} if len(yaku) else {}
    figures = {
        **_figures(rows),
        "turns_left_at_tenpai": round(float(played.fitness[:, 0].mean()), 3),
        "points_at_tenpai": round(float(played.fitness[:, 1].mean()), 1),
        "yaku": rates,
        "modules": [
            {
                "share": _percent(uses.sum() / max(1, played.decisions)),
                **{lead: _percent(uses[at].sum() / max(1, uses.sum())) for at, lead in enumerate(LEADS)},
                "shanten": round(float((uses.sum(axis=0) @ np.arange(kernels.FAR)) / max(1, uses.sum())), 2),
            }
            for uses in played.uses
        ],
    }
    if results:
        few = _figures(rows[:searched])
        figures["on_searched"] = few
        for column, name in (("win_rate", "dag, win"), ("points", "dag, points")):
            if name not in results:
                continue
            best = _figures(results[name].results)[column]
            figures[f"{column}_below_dag"] = _percent(1 - few[column] / best) if best else 0.0
    return figures


def _figures(rows: NDArray[np.float64]) -> dict[str, Any]:
    found = asdict(summary(rows))
    half = {
        "win_rate": 1.96 * (found["win_rate"] * (1 - found["win_rate"]) / len(rows)) ** 0.5,
        "points": 1.96 * float(rows[:, kernels.POINTS].std()) / len(rows) ** 0.5,
    }
    return {
        "hands": found["hands"],
        **{column: round(found[column], 4) for column in COLUMNS},
        "half_width": {column: round(value, 4) for column, value in half.items()},
    }


def _percent(share: float) -> float:
    return round(100 * float(share), 2)


def _show(figures: dict[str, Any], screen: Console) -> None:
    columns = ("player", "hands", "won", "points a hand", "points a win", "turn of a win", "below the dag", "ms")
    table = figures_table(*columns)
    for part in ("networks", "searched", "published"):
        for name, row in figures[part].items():
            half = row.get("half_width")
            below = [f"{row[key]:.0f}%" for key in ("win_rate_below_dag", "points_below_dag") if key in row]
            table.add_row(
                name,
                f"{row['hands']:,}" if "hands" in row else "",
                f"{row['win_rate']:.2%}" + (f" ± {100 * half['win_rate']:.2f}" if half else ""),
                f"{row['points']:,.1f}" + (f" ± {half['points']:.1f}" if half else ""),
                f"{row['points_per_win']:,.1f}",
                f"{row['win_turn']:.2f}",
                ", ".join(below),
                f"{row['ms']:.2f}" if "ms" in row else "",
            )
    screen.print(table)
    screen.print(f"{figures['decisions_per_s']:,} decisions a second and core")
    table = figures_table("yaku, % of wins", "MM-NEAT 49950", *figures["networks"])
    for bit, published in YAKU.items():
        name = YAKU_NAMES[bit].english
        rates = [f"{row['yaku'].get(name, 0.0):.2f}" for row in figures["networks"].values()]
        table.add_row(name, f"{published:.2f}", *rates)
    screen.print(table)
    table = figures_table("network", "module", "used", "groups nearer", "neither", "pairs nearer", "mean shanten")
    for name, row in figures["networks"].items():
        for number, uses in enumerate(row["modules"]):
            shares = [f"{uses[lead]:.1f}%" for lead in LEADS]
            table.add_row(name, str(number), f"{uses['share']:.1f}%", *shares, f"{uses['shanten']:.2f}")
    screen.print(table)
