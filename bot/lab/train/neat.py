"""``oshihiki train neat``: evolve networks that value hands, by one-player mahjong."""

from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Final

import typer

from bot.commands.options import BackendName, Jobs
from bot.lab.experiment import Experiment, print_table, shown
from bot.lab.training import Checkpoints, FittingScreen, Seed, needing_torch, write_weights
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
        with FittingScreen(error_screen()) as shown:
            run = _begun(evolution, self.out / CHECKPOINT, wanted, spread, shown)
            _evolve(run, self.generations, self.out / CHECKPOINT, spread, shown)
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


def _begun(evolution: ModuleType, checkpoint: Path, wanted: Any, spread: Any, shown: FittingScreen) -> Any:
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
        return _first(evolution, wanted, spread, shown)
    try:
        run = resumed(checkpoint)
    except CheckpointError as error:
        raise InputError(str(error)) from error
    if replace(run.settings, rates=wanted.rates) != wanted:
        raise InputError(f"{checkpoint} is of a run with other settings ({run.settings}); choose another --out")
    return run


def _first(evolution: ModuleType, wanted: Any, spread: Any, shown: FittingScreen) -> Any:
    """A new run; with lessons, the search gives them first."""

    def watch(done: int, of: int) -> None:
        shown.fitted(done, of, f"the search has played {done:,} of {of:,} hands")

    return evolution.Evolution(wanted, None, spread, watch)


def _evolve(run: Any, generations: int, checkpoint: Path, spread: Any, shown: FittingScreen) -> None:
    """Evolve up to that many generations, with checkpoints at intervals and at the end."""
    from engine.papers.neat.keeping import save  # noqa: PLC0415 - as above

    shown.say("evolving")
    kept = Checkpoints(checkpoint, partial(save, run), SAVE_EVERY)
    while run.generation < generations:
        run.step(spread)
        shown.fitted(run.generation, generations, _line(run, generations))
        kept.save_if_due()
    kept.save()


def _line(run: Any, generations: int) -> str:
    turns, points, modules, hidden = run.history[-1]
    return (
        f"generation {run.generation} of {generations}: the leaders have {turns:.2f} turns left at tenpai, "
        f"{points:,.0f} points; {modules:.1f} modules, {hidden:.1f} hidden nodes"
    )


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
