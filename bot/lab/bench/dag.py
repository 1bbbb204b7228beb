"""``oshihiki bench dag``: the size and the speed of the DAG search on hands from games.

The hands are closed ones at a player's fourth discard, one seat per game, drawn by lot. Sizes are
those of the paper's Table 1 under this reading: shanten of the 14 tiles towards standard form, only that form searched,
seen tiles not subtracted, riichi, red fives and kans not counted as other hands, an added set possible where the
remaining concealed tiles suffice for it. Times are those of the whole evaluation, from position to worths, under real
conditions.
"""

import random
import resource
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import thread_time
from typing import Annotated, Any, Final

import numpy as np
import typer

from bot.lab.bench.speed import Logs
from bot.lab.experiment import Experiment, print_table, shown
from bot.lab.seats import best_recordings, own_games
from bot.logs.sources import open_logs
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.preparation import warm_up
from engine.model.budget import Budget
from engine.model.events import Discard, Event, StartGame
from engine.model.tiles import allocate136, parse_tiles37
from engine.search.dag.graph import Bounds, list_hands, number_of
from engine.search.dag.graph_kernels import Root
from engine.search.dag.model import DRAWS, FULL
from engine.search.dag.search import DagEvaluator
from engine.search.position import Position, PositionError, Sketch
from engine.shanten import standard_shanten
from engine.state import GameState, visible_to
from protocol.errors import LogError
from protocol.logs.formats import read_log

TIMED, SIZED = 30, 500
"""Hands that are timed, and hands that are counted, for each shanten."""
FOURTH: Final = 3
"""Number of discards a player has made before the sampled decision."""

SPEEDS: Final = (
    ("draws", "0", 0, 1),
    ("draws", "1", 1, 2),
    ("draws", "2", 2, 3),
    ("draws", "3", 3, 4),
    ("full", "0", 0, 1),
    ("full", "1", 1, 2),
    ("full", "2", 2, 3),
    ("full", "3n3", 3, 3),
    ("full", "3n4", 3, 4),
)
"""Model, name of the figure, shanten, n."""

MODELS: Final = {"draws": DRAWS, "full": FULL}
PAPER: Final = (
    (1, 1, (57, 180)),
    (1, 2, (2_323, 5_804)),
    (1, 3, (13_631, 32_859)),
    (2, 2, (337, 765, 949)),
    (2, 3, (7_865, 20_044, 26_602)),
    (3, 3, (2_091, 4_802, 6_305)),
    (3, 4, (36_919, 103_249, 139_468)),
    (4, 4, (10_737, 30_243, 40_614)),
)
"""Table 1: shanten, n, mean |Q_S| for m_f = 0, 1, 2."""

UNBOUND: Final = Budget(nodes=100_000_000)
"""A bound that does not reduce the search while it is measured."""
NAMES: Final = {"3n3": "3, n = 3", "3n4": "3, n = 4"}
SIZES: Final = (
    shown("n", "n"),
    shown("m_f", "calls"),
    shown("mean", "here", ","),
    shown("paper", "the paper", ","),
    shown("ratio", "ratio", ".2f"),
)


@dataclass(slots=True)
class Hands:
    """The hands measured, by shanten."""

    timed: dict[int, list[Position]] = field(default_factory=dict)  # by shanten over all forms, as the search counts it
    sized: dict[int, list[Position]] = field(default_factory=dict)  # by shanten towards standard form, as in Table 1

    def add(self, position: Position, each: int, sized: int) -> None:
        """Add a hand if there is still room for its shanten."""
        for rows, far, most in (
            (self.timed, position.shanten, each),
            (self.sized, standard_shanten(position.counts), sized),
        ):
            row = rows.setdefault(far, [])
            if len(row) < most:
                row.append(position)

    def full(self, each: int, sized: int) -> bool:
        """Whether enough hands were found."""
        return all(
            len(rows.get(far, ())) >= most
            for rows, needed, most in (
                (self.timed, {far for _, _, far, _ in SPEEDS}, each),
                (self.sized, {far for far, _, _ in PAPER}, sized),
            )
            for far in needed
        )


@dataclass(frozen=True, slots=True)
class Run:
    """One evaluation: its model, seconds of processor time, hands, and links times own draws."""

    model: str
    seconds: float
    hands: int
    steps: int


@dataclass(frozen=True, kw_only=True)
class Searching(Experiment):
    """Measure the search on this machine, on one core: how long it takes, and how many hands it holds.

    Its hands come from the logs named; otherwise from the recordings that OSHIHIKI_CORPUS names, those of the phoenix
    room first; otherwise from newly played games.

    Examples:
      oshihiki bench dag --json
      oshihiki bench dag --logs games/
      oshihiki bench dag --hands hands.txt --json
    """

    logs: Logs = None
    hands: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="A file with one hand per line.")] = (
        None
    )

    def figures(self) -> dict[str, Any]:
        """Median ms by model, mean |Q_S| beside the paper's, processor time for each link and turn, and memory."""
        warm_up(error_screen(), ("dag",))
        events = events_of(self.logs or best_recordings())
        found = read_hands(self.hands) if self.hands else sample(events, TIMED, SIZED)
        if not any(found.timed.values()):
            raise InputError("there is no hand to measure; name logs, or a file of hands")
        speeds: dict[str, dict[str, float]] = {"draws": {}, "full": {}}
        runs: list[Run] = []
        for model, name, far, exchanges in SPEEDS:
            if rows := [_run(position, model, exchanges) for position in found.timed.get(far, ())]:
                speeds[model][name] = round(statistics.median(row.seconds for row in rows) * 1e3, 3)
                runs += rows
        counted = [
            (far, n, calls, paper, [size(position, n, calls) for position in row])
            for far, n, papers in PAPER
            if (row := found.sized.get(far))
            for calls, paper in enumerate(papers)
        ]
        return {
            "model": speeds,
            "sizes": [
                {"shanten": far, "n": n, "m_f": calls, "mean": round(statistics.mean(sizes)), "paper": paper}
                for far, n, calls, paper, sizes in counted
            ],
            "ns_per_edge_turn": round(sum(run.seconds for run in runs) / sum(run.steps for run in runs) * 1e9, 3),
            "peak_mib": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
        }

    def show(self, figures: dict[str, Any]) -> None:
        """Print tables of times and sizes."""
        speeds = figures["model"]
        names = [name for name in ("0", "1", "2", "3", "3n3", "3n4") if any(name in row for row in speeds.values())]
        columns = [shown(name, NAMES.get(name, name), ",.2f") for name in names]
        rows = [{"model": model, **row} for model, row in speeds.items()]
        print_table(rows, ("model",), columns, "median milliseconds")
        rows = [{**row, "ratio": row["mean"] / row["paper"]} for row in figures["sizes"]]
        print_table(rows, ("shanten",), SIZES, "hands searched, mean")
        cost = f"{figures['ns_per_edge_turn']:.2f} ns per link and turn, at most {figures['peak_mib']:,.0f} MiB"
        output_screen().print(cost, style="dim")


def events_of(paths: list[Path]) -> Iterator[Sequence[Event]]:
    """Yield the events of each game that can be read and shows all hands; without paths, of newly played ones."""
    if not paths:
        yield from (game.events for game in own_games())
    for file in open_logs(paths):
        try:
            log = read_log(file)
        except LogError:
            continue  # a three-player game, or one broken log among many
        if log.viewer is None:
            yield log.events


def sample(games: Iterable[Sequence[Event]], each: int, sized: int) -> Hands:
    """Closed hands at the fourth discard of one seat per game, from half of the games.

    Of each shanten ``each`` hands are to be timed and ``sized`` to be counted.
    """
    source = random.Random(0)  # noqa: S311 - hands, nothing secret
    found = Hands()
    for events in games:
        if found.full(each, sized):
            break
        start = events[0]
        taken, seat = source.random() < 0.5, source.randrange(4)
        if not taken or not isinstance(start, StartGame):
            continue
        state = GameState(seat, start.rules)
        for event in events:
            if (
                isinstance(event, Discard)
                and event.seat == seat
                and len(state.rivers[seat]) == FOURTH
                and not state.melds[seat]
                and not state.riichi[seat]
            ):
                found.add(Position.from_state(state), each, sized)
            state.apply(visible_to(event, seat))
    return found


def read_hands(path: Path) -> Hands:
    """Hands from a file, one hand of fourteen tiles per line, evaluated as at the fourth discard.

    Raises:
        InputError: a line is not such a hand; the message says which and why.
    """
    found = Hands()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read as a list of hands: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            position = Sketch(allocate136(parse_tiles37(line.strip())), turn=FOURTH + 1).position()
        except (PositionError, ValueError) as error:
            raise InputError(f"{path}, line {number}: {error}") from error
        if not position.to_discard:
            raise InputError(f"{path}, line {number}: {line.strip()} has 13 tiles; write 14, including the drawn one")
        found.add(position, len(lines), len(lines))
    return found


def size(position: Position, exchanges: int, calls: int) -> int:
    """|Q_S| under the reading described above."""
    held = np.array(position.counts, np.int8)
    free = (4 - held).astype(np.int8)
    return number_of(list_hands(Root(held, free, free), Bounds(exchanges + 1, calls, 0, False, False)))


def _run(position: Position, model: str, exchanges: int) -> Run:
    # the better of two runs, because the first may wait for memory
    evaluator = DagEvaluator(replace(MODELS[model], exchanges=exchanges))
    seconds = []
    for _ in range(2):
        started = thread_time()
        found = evaluator.evaluate(position, budget=UNBOUND)
        seconds.append(thread_time() - started)
    return Run(model, min(seconds), found.nodes, found.edges * max(1, position.draws_left))


bench_dag = Searching.command()
