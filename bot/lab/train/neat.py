"""``oshihiki train neat``: evolve networks that value hands, by one-player mahjong."""

from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Final

import typer
from rich.live import Live
from rich.text import Text

from bot.commands.options import BackendName, Jobs
from bot.lab.experiment import Experiment, print_table, shown
from bot.lab.training import Checkpoints, Seed, needing_torch, write_weights
from bot.machine.bars import work_bar
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend, each
from engine.papers.neat import BEST_IN
from engine.papers.neat.network import INPUTS

PAPER: Final = (300, 500)
"""Population and number of generations of the paper's run."""
CHECKPOINT: Final = "checkpoint.npz"
SAVE_EVERY: Final = 60.0
"""Seconds between two checkpoints."""
TELL_EVERY: Final = 10
"""Generations between two lines, where there is no terminal."""
PARTS: Final = 10
"""Number of lines about the lessons, where there is no terminal."""
CHAMPIONS: Final = (
    shown("win_rate", "won", ".2%"),
    shown("points", "points a hand", ",.1f"),
    shown("points_per_win", "points a win", ",.0f"),
    shown("win_turn", "turn of a win", ".2f"),
    *(shown(name, name) for name in ("modules", "hidden", "links")),
)


@dataclass(frozen=True, kw_only=True)
class Evolve(Experiment):
    """Evolve networks that value hands, towards early tenpai and towards valuable tenpai (MM-NEAT).

    A run continues from the checkpoint in its folder, if there is one, with the settings it was started with. The
    champions are chosen on walls that were never used before. Needs pymoo, and with --lessons torch, which are in the
    extra "train".

    Examples:
      oshihiki train neat --population 100 --generations 60
      oshihiki train neat --out paper-1
      oshihiki train neat --inputs extended --seed 2 --out extended-2
      oshihiki train neat --lessons 6000 --inputs extended --walls 400 --population 100 --generations 60
    """

    out: Annotated[
        Path, typer.Option("--out", help="Folder for the champions, with a card each, and for the checkpoint.")
    ] = Path("neat")
    seed: Seed = 1
    jobs: Jobs = 0
    backend: BackendName = Backend.LOKY
    population: Annotated[int, typer.Option(min=10, help="Number of networks in a generation.")] = PAPER[0]
    generations: Annotated[int, typer.Option(min=1, help="Number of generations, with those before.")] = PAPER[1]
    walls: Annotated[int, typer.Option(min=10, help="New walls in the first generation; later there are more.")] = 40
    inputs: Annotated[str, typer.Option(help="paper: the paper's 215 inputs; extended: and how near yaku are.")] = (
        "paper"
    )
    dora: Annotated[bool, typer.Option("--dora", help="Play with dora and red fives.")] = False
    lessons: Annotated[
        int,
        typer.Option(
            min=0,
            help="Begin with networks fitted to the DAG search in this many hands, for wins and for points; 0: with "
            "random ones.",
        ),
    ] = 0

    def figures(self) -> dict[str, Any]:
        """Evolve, and write the champions; their cards."""
        if self.inputs not in INPUTS:
            raise InputError(f"--inputs {self.inputs}: choose one of {', '.join(INPUTS)}")
        evolution = _evolution()
        wanted = evolution.EvolutionSettings(
            population=self.population, walls=self.walls, trust=2 * self.walls, lessons=self.lessons,
            inputs=self.inputs, dora=self.dora, seed=self.seed, rates=evolution.rates_for(self.lessons),
        )  # fmt: skip
        spread = partial(each, jobs=self.jobs, backend=self.backend)
        run = _begun(evolution, self.out / CHECKPOINT, wanted, spread)
        _evolve(run, self.generations, self.out / CHECKPOINT, spread)
        return _write_champions(run, self.generations, self.out)

    def show(self, figures: dict[str, Any]) -> None:
        """Print the champions."""
        rows = [{"champion": name, **card, **card["on_final_walls"]} for name, card in figures.items()]
        print_table(rows, ("champion",), CHAMPIONS)


def _evolution() -> ModuleType:
    """The module that evolves; it needs pymoo."""
    try:
        from engine.papers.neat import evolution  # noqa: PLC0415 - pymoo is an extra
    except ImportError as error:
        raise InputError(f"evolution needs pymoo ({error}); install it with: pip install 'oshihiki[train]'") from error
    return evolution


def _begun(evolution: ModuleType, checkpoint: Path, wanted: Any, spread: Any) -> Any:
    """The run in the checkpoint, or a new one.

    Raises:
        InputError: the folder cannot be written, or the checkpoint cannot be read or belongs to another run.
    """
    from engine.papers.neat.keeping import CheckpointError, resumed  # noqa: PLC0415 - as above

    if not checkpoint.is_file():
        if wanted.lessons:
            needing_torch("engine.papers.neat.taught")
        try:
            checkpoint.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--out {checkpoint.parent}: {error.strerror}") from None
        return _first(evolution, wanted, spread)
    try:
        run = resumed(checkpoint)
    except CheckpointError as error:
        raise InputError(str(error)) from error
    if replace(run.settings, rates=wanted.rates) != wanted:
        raise InputError(f"{checkpoint} is of a run with other settings ({run.settings}); choose another --out")
    return run


def _first(evolution: ModuleType, wanted: Any, spread: Any) -> Any:
    """A new run, with progress shown while the search gives its lessons."""
    screen = error_screen()
    with work_bar(screen) as bar:
        task = bar.add_task("lessons of the search", total=2 * wanted.lessons, visible=bool(wanted.lessons))
        parts = 0

        def watch(done: int, of: int) -> None:
            nonlocal parts
            bar.update(task, completed=done)
            if not screen.is_terminal and PARTS * done // of > parts:
                parts = PARTS * done // of
                screen.print(f"the search has played {done:,} of {of:,} hands", highlight=False)

        return evolution.Evolution(wanted, None, spread, watch)


def _evolve(run: Any, generations: int, checkpoint: Path, spread: Any) -> None:
    """Evolve up to that many generations, with checkpoints at intervals and at the end."""
    from engine.papers.neat.keeping import save  # noqa: PLC0415 - as above

    screen = error_screen()
    kept = Checkpoints(checkpoint, partial(save, run), SAVE_EVERY)
    with Live(console=screen, transient=True, auto_refresh=False) as live:
        while run.generation < generations:
            run.step(spread)
            if screen.is_terminal:
                live.update(_picture(run, generations), refresh=True)
            elif run.generation % TELL_EVERY == 0:
                screen.print(_line(run, generations), highlight=False)
            kept.save_if_due()
    kept.save()


def _line(run: Any, generations: int) -> str:
    turns, points, modules, hidden = run.history[-1]
    return (
        f"generation {run.generation} of {generations}: the leaders have {turns:.2f} turns left at tenpai, "
        f"{points:,.0f} points; {modules:.1f} modules, {hidden:.1f} hidden nodes"
    )


def _picture(run: Any, generations: int) -> Text:
    """The population as a cloud of points, its front marked: turns left at tenpai across, points upwards."""
    width, height = 60, 15
    fitness, front = run.population.fitness, run.front().fitness
    low, high = fitness.min(axis=0), fitness.max(axis=0)
    cells = [[" "] * width for _ in range(height)]
    for points, sign in ((fitness, "·"), (front, "●")):
        for turns, worth in ((points - low) / (high - low + 1e-9)).tolist():
            cells[height - 1 - int(worth * (height - 1))][int(turns * (width - 1))] = sign
    rows = "\n".join("│" + "".join(row) for row in cells)
    axis = f"└{'─' * width}\n {low[0]:<10.2f}{'turns left at tenpai':^{width - 20}}{high[0]:>10.2f}"
    return Text(f"{_line(run, generations)}\n{high[1]:,.0f} points at tenpai\n{rows}\n{axis}")


def _write_champions(run: Any, generations: int, out: Path) -> dict[str, Any]:
    """Write the champions and their cards; the cards."""
    from engine.papers.neat.keeping import champions  # noqa: PLC0415 - as above

    cards = {}
    for name, champion in champions(run).items():
        cards[name] = {
            "what": f"values hands by their tiles; of its generation the best in {BEST_IN[name]}",
            "made_by": "oshihiki train neat",
            "settings": asdict(run.settings),
            "generations": run.generation,
            "finished": run.generation >= generations,
            **champion.facts(),
        }
        write_weights(out / f"{name}.npz", champion.network.to_bytes(), cards[name], Outputs("--out", ()))
    return cards


neat = Evolve.command()
