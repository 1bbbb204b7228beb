"""``oshihiki bench neat``: the evolved networks in one-player mahjong, beside searches and published figures."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Annotated, Any, ClassVar, Final, NamedTuple, Self

import numpy as np
import typer
from numpy.typing import NDArray

from bot.commands.options import Jobs, figures_table
from bot.lab.experiment import Measured
from bot.lab.plots import PlotFile, load_matplotlib, svg_of
from bot.machine.errors import InputError
from bot.machine.journal import Results
from bot.machine.outlet import error_screen, output_screen
from bot.machine.preparation import warm_up
from engine.model.yaku import YAKU_NAMES
from engine.papers.neat import CHAMPIONS
from engine.papers.neat import solo_kernels as kernels
from engine.papers.neat.evaluator import champion
from engine.papers.neat.network import Network, read_network
from engine.papers.neat.solo import SoloResults, by_evaluator, make_walls, play, play_by, searches, summary
from engine.search.registry import make_evaluator
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
PIECE: Final = 20
"""Walls of one piece of work."""
GROUPS: Final = {"networks": "evolved here", "searched": "search", "published": "published"}


class Piece(NamedTuple):
    """Some walls that a player plays: the name of a search, or ``evaluator NAME`` with its settings."""

    player: str
    first: int  # number of the first wall
    walls: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class SoloPlay:
    """A player's results on some walls."""

    player: str
    results: NDArray[np.float64]  # (n, RESULTS) results, wall by wall
    seconds: float  # processor time

    @property
    def ms(self) -> float:
        """Mean processor time of a decision, in milliseconds."""
        turns = self.results[:, kernels.WIN_TURN]
        decisions = np.where(turns > 0, turns, kernels.DRAWS).sum() - len(turns)  # none on the draw that ends the hand
        return 1_000 * self.seconds / max(float(decisions), 1.0)

    @classmethod
    def joined(cls, player: str, parts: "Iterable[SoloPlay]") -> Self:
        """What a player came to on several sets of walls, one after another."""
        own = [part for part in parts if part.player == player]
        return cls(player, np.concatenate([part.results for part in own]), sum(part.seconds for part in own))


@dataclass(frozen=True, kw_only=True)
class Solo(Measured[Piece, SoloPlay]):
    """Play one-player mahjong with the evolved networks, on the same walls as the DAG search.

    The searches are slow, so they play only the first walls; how far each network is below them is measured on those.
    "alpha" rows search with a weight of points against wins, as Kaizu et al. weigh value against speed.

    Examples:
      oshihiki bench neat
      oshihiki bench neat --searched 10000 --jobs 4 --json --journal searched.journal
      oshihiki bench neat --searched 10000 --evaluator inversion --evaluator handscore
      oshihiki bench neat --networks neat-run --searched 0 --plot front.svg
    """

    unit: ClassVar = "pieces"
    journal_of: ClassVar = "solo"
    by_engine: ClassVar = True

    jobs: Jobs = 1
    plot: PlotFile = None
    walls: Annotated[int, typer.Option(min=100, help="Number of walls that the networks play.")] = 10_000
    searched: Annotated[
        int, typer.Option(min=0, help="Number of these walls that the searches or evaluators play too.")
    ] = 200
    networks: Annotated[
        Path | None,
        typer.Option(exists=True, file_okay=False, help="Folder of networks (.npz) to play; default: the champions."),
    ] = None
    dora: Annotated[bool, typer.Option("--dora", help="Play with dora and red fives.")] = False
    evaluator: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluator",
            help="Evaluator that plays these walls; repeatable. Default: the DAG search and perceptron.",
        ),
    ] = None

    @property
    def players(self) -> list[str]:
        """Those that play the first walls."""
        return [f"evaluator {name}" for name in self.evaluator or ()] or [*searches(), "evaluator perceptron"]

    def source(self) -> Iterator[Piece]:
        """The first walls of each player, some at a time."""
        dealt = make_walls(self.walls, SEED)[: self.searched]
        for name in self.players:
            yield from (Piece(name, at, dealt[at : at + PIECE]) for at in range(0, len(dealt), PIECE))

    def key(self, work: Piece) -> tuple[str, int, int]:
        """The player, the first wall, and the number of walls."""
        return work.player, work.first, len(work.walls)

    def order(self) -> dict[str, Any]:
        """The game."""
        return {"seed": SEED, "dora": self.dora}

    def read(self, line: dict[str, Any]) -> tuple[tuple[str, int, int], SoloPlay]:
        """What a player came to on some walls."""
        player, first = str(line["player"]), int(line["first"])
        results = np.array(line["results"], np.float64).reshape(-1, kernels.RESULTS)
        return (player, first, len(results)), SoloPlay(player, results, float(line["seconds"]))

    def line(self, key: tuple[str, int, int], piece: SoloPlay) -> dict[str, Any]:
        """The line of the journal for it."""
        player, first, _ = key
        seconds = round(piece.seconds, 3)
        return {"player": player, "first": first, "results": piece.results.tolist(), "seconds": seconds}

    def measure(self, work: Piece) -> SoloPlay:
        """What a player comes to on some walls."""
        choose = _chooser(work.player)
        began = process_time()
        results = play_by(choose, work.walls, dora=self.dora)
        return SoloPlay(work.player, results, process_time() - began)

    def prove(self, kept: Results[Any, SoloPlay]) -> None:
        """Play the first walls again of each player of whom other code alone has played some."""
        own = {player for player, *_ in kept.done.keys() - kept.foreign}
        for piece in self.source():
            before = kept.done.get(self.key(piece))
            if before is None or piece.player in own:
                continue
            own.add(piece.player)
            again = self.measure(piece)
            if not np.array_equal(again.results, before.results):
                raise InputError(
                    f"--journal {self.journal}: {piece.player} now plays wall {piece.first} and those after it "
                    "differently, because its code has changed; name another file"
                )
            kept.add(self.key(piece), again)

    def figures(self) -> dict[str, Any]:
        """What networks and searches reach, beside what was published; also draws the plot."""
        outputs = self.plot_output([] if self.networks is None else list(self.networks.iterdir()), self.plot)
        if self.plot is not None:
            load_matplotlib()
        players = _networks(self.networks)
        warm_up(error_screen(), ["neat", "dag"] if self.searched else ["neat"])
        dealt = make_walls(self.walls, SEED)
        began = process_time()
        found = {name: play(one, dealt, dora=self.dora) for name, one in players.items()}
        seconds = process_time() - began
        for name in self.players:
            _chooser(name)
        pieces = self.measure_all() if self.searched else []
        results = {name: SoloPlay.joined(name, pieces) for name in self.players} if pieces else {}
        figures: dict[str, Any] = {
            "walls": self.walls,
            "dora": self.dora,
            "decisions_per_s": round(sum(one.decisions for one in found.values()) / max(seconds, 1e-9)),
            "networks": {name: _network_figures(one, self.searched, results) for name, one in found.items()},
            "searched": {name: {**_figures(done.results), "ms": round(done.ms, 3)} for name, done in results.items()},
            "published": {name: dict(zip(COLUMNS, row, strict=True)) for name, row in PUBLISHED.items()},
        }
        if self.plot is not None:
            outputs.write(self.plot, draw_front(figures))
        return figures

    def show(self, figures: dict[str, Any]) -> None:
        """Print the players, the yaku of their wins, and how networks use their modules."""
        screen = output_screen()
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


def _network_figures(played: SoloResults, searched: int, results: Mapping[str, SoloPlay]) -> dict[str, Any]:
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


def _chooser(name: str) -> Any:
    kind, _, rest = name.partition(" ")
    if kind != "evaluator":
        return searches()[name]
    try:
        return by_evaluator(make_evaluator(rest))
    except ValueError as error:
        raise InputError(str(error)) from error


def draw_front(figures: dict[str, Any]) -> str:
    """An SVG with a dot for each row of the figures of ``bench neat``."""

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for group, title in GROUPS.items():
            rows = {name: row for name, row in figures[group].items() if "best of" not in name}
            percents = [100 * row["win_rate"] for row in rows.values()]
            points = [row["points"] for row in rows.values()]
            errors = [(row.get("half_width") or {}).get("points", 0.0) for row in rows.values()]
            axes.errorbar(percents, points, errors, fmt=".", label=title)
            for name, *place in zip(rows, percents, points, strict=True):
                axes.annotate(name, place, (4, 3), textcoords="offset points", fontsize=6, parse_math=False)
        axes.margins(0.15)
        axes.set(xlabel="hands won, %", ylabel="points a hand", xlim=(0, None), ylim=(0, None))
        axes.legend()

    return svg_of(6.4, 4.2, draw)


bench_neat = Solo.command()
