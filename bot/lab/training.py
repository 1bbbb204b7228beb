"""Tools of all ``oshihiki train …``: options, reading of recordings, the course of a fit, cards."""

import json as json_text
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Annotated, Any, ClassVar, Final, NamedTuple, Protocol, TypeVar

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from bot.commands.options import Cores
from bot.lab.experiment import Command, Experiment
from bot.lab.recordings import digest_of, in_turn, read_recordings, readable
from bot.machine.bars import Bar
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from engine.model.events import Event
from engine.rules.recordings import GameColumn, Recordings, Split, held_back
from engine.tables import WeightsError
from engine.train.fits import NothingToLearnError
from protocol.logs.game_log import GameLog

Logs = Annotated[list[Path], typer.Argument(help="Logs, folders or archives of four-player games.")]
Out = Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")]
Games = Annotated[int, typer.Option("--games", min=0, help="Number of games to read; 0: all.")]
OutWeights = Annotated[
    Path | None, typer.Option("--out", help="File for the weights (.npz); the card is written beside it (.json).")
]
GamesOfEach = Annotated[int, typer.Option("--games", min=0, help="Number of games to read from each path; 0: all.")]
SHORT: Final = 100
"""Most characters of what stands in one line of a file of JSON."""
HELD_BACK: Final = "log ids whose hash falls in one tenth (engine.rules.recordings)"
"""The games that no table is fitted on, as the cards describe them."""

Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of initial weights, samples and order.")]
ReadJobs = Annotated[int, Cores(help="Number of processes that read; 0: one per core.")]
JsonCard = Annotated[bool, typer.Option("--json", help="Print the card, which has the figures, as JSON.")]
StartFrom = Annotated[
    Path | None,
    typer.Option(
        "--start-from",
        exists=True,
        dir_okay=False,
        help="Start from these weights (.npz); a larger network, if one is asked for, begins as the same function.",
    ),
]
W = TypeVar("W")


def needing_torch(module: str) -> ModuleType:
    """A module that fits networks, which alone needs torch.

    Raises:
        InputError: torch is not installed.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise InputError(f"training needs torch ({error}); install it with: pip install 'oshihiki[train]'") from error


def outputs_for_weights(out: Path | None, *read: Path | None) -> Outputs:
    """The writer of a file of weights, whose name ends in .npz, and of the card beside it, which ends in .json.

    Raises:
        InputError: the name ends otherwise, or one of the two is a file that is read.
    """
    outputs = Outputs("--out", read, out)
    if out is not None:
        if out.suffix != ".npz":
            raise InputError(f"{out}: name the file of the weights .npz; the card is written beside it as .json")
        outputs.refuse_inputs(out.with_suffix(".json"))
    return outputs


def weights_of(path: Path | None, read: Callable[[bytes, str], W], shipped: Callable[[], W]) -> W:
    """Weights from a file; without one, those that are shipped.

    Raises:
        InputError: they cannot be read.
    """
    try:
        return shipped() if path is None else read(path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
    except WeightsError as error:
        raise InputError(str(error)) from error


def write_weights(out: Path, weights: bytes, card: dict[str, Any], outputs: Outputs) -> None:
    """Write a file of weights and the card beside it."""
    outputs.write(out, weights)
    outputs.write(out.with_suffix(".json"), rendered(card) + "\n")


def every_game(paths: list[Path], games: int, screen: Console) -> Iterator[GameLog]:
    """The games of some logs, at most ``games`` of them (0: all); a log that cannot be read is named and skipped.

    The archives are read in turn, so that even a few games are of all kinds.
    """
    return islice(readable(in_turn(paths), screen), games or None)


def training_games(paths: list[Path], games: int, screen: Console) -> Iterator[GameLog]:
    """The games that may be fitted on: those not held back by their log id."""
    fit = (log for log in every_game(paths, 0, screen) if not held_back(log.info.log_id))
    return islice(fit, games or None)


def hands_of(recordings: Recordings, split: Split) -> NDArray[np.int64]:
    """Rows of the hands of a split.

    Raises:
        InputError: none of the games belongs to it.
    """
    found = recordings.hands_of(split)
    if not len(found):
        raise InputError(
            f"none of the {len(recordings.ids)} games belongs to the {split.name.lower()} split; give some hundreds"
        )
    return found


class FittedWeights(Protocol):
    """Weights that a fit has found."""

    @property
    def flat(self) -> NDArray[Any]:
        """All of them as one vector."""

    def digest(self) -> str:
        """A hash of everything that determines what is computed with them."""

    def to_bytes(self) -> bytes:
        """The contents of their file."""


@dataclass(frozen=True, kw_only=True)
class Fitting(Experiment):
    """Fits weights on recorded games, and measures them on those held back."""

    fits: ClassVar[str]
    """Its name after ``oshihiki train``."""
    what: ClassVar[str]
    """What the weights are, as the card says it."""
    module: ClassVar[str]
    """The module that fits; most need torch."""

    paths: Logs
    out: OutWeights = None
    games: GamesOfEach = 0
    seed: Seed = 1
    jobs: ReadJobs = 0

    @abstractmethod
    def fit(self, fitting: Any, recordings: Recordings, shown: "FittingScreen") -> "Fitted":
        """Fit and measure.

        Args:
            fitting: the module that fits.
            recordings: all games.
            shown: how far it is.
        """

    @property
    def also_read(self) -> tuple[Path | None, ...]:
        """Files that are read besides the recordings."""
        return ()

    def figures(self) -> dict[str, Any]:
        """Fit, and write weights and card, if a file is named; the card.

        Raises:
            InputError: a file has a wrong name or cannot be read, torch is not installed, or there are too few games.
        """
        outputs = outputs_for_weights(self.out, *self.paths, *self.also_read)
        started = perf_counter()
        fitting = needing_torch(self.module)
        recordings = read_recordings(self.paths, error_screen(), games=self.games, jobs=self.jobs).recordings
        try:
            with FittingScreen(error_screen()) as shown:
                found = self.fit(fitting, recordings, shown)
        except NothingToLearnError as error:
            raise InputError(str(error)) from error
        card = {
            "what": self.what,
            "made_by": f"oshihiki train {self.fits}",
            **_data_of(self.paths, self.games, recordings),
            "settings": asdict(found.settings),
            "parameters": found.weights.flat.size,
            "digest": found.weights.digest(),
            "numpy": np.__version__,
            **found.facts,
            "seconds": round(perf_counter() - started),
        }
        if self.out is not None:
            write_weights(self.out, found.weights.to_bytes(), card, outputs)
        return card

    def show(self, figures: dict[str, Any]) -> None:
        """Print what was fitted on how much, and what was measured."""
        games = figures["games"]
        output_screen().print(
            f"{games['train']} games for fitting, {games['test']} for measuring; {figures['parameters']} weights, "
            f"{self.amount(figures)}, {figures['seconds']} s"
        )
        self.show_metrics(figures["metrics"])

    @abstractmethod
    def amount(self, card: dict[str, Any]) -> str:
        """How much was learned from, in words."""

    @abstractmethod
    def show_metrics(self, metrics: dict[str, Any]) -> None:
        """Print what was measured."""


class Fitted(NamedTuple):
    """Weights that were fitted and measured."""

    weights: FittedWeights
    settings: Any  # a dataclass, the settings of the fit
    facts: dict[str, Any]  # what else the card says, ``metrics`` among it


@dataclass(frozen=True, kw_only=True)
class Tables(Command):
    """Makes tables of recorded games, and writes them with their card."""

    fits: ClassVar[str]
    """Its name after ``oshihiki train``."""

    paths: Logs
    out: Out = None
    games: Games = 0
    json: JsonCard = False

    @abstractmethod
    def tables(self) -> dict[str, Any]:
        """The card under its name, and the tables.

        Raises:
            InputError: there is nothing to make them of.
        """

    def run(self) -> None:
        """Make the tables; write them to ``--out`` or, without it, to standard output; ``--json`` prints the card."""
        outputs = Outputs("--out", self.paths, self.out)
        hand_over(self.tables(), self.out, outputs, json=self.json)


def hand_over(tables: dict[str, Any], out: Path | None, outputs: Outputs, *, json: bool) -> None:
    """Write tables to ``out`` or, without it, to standard output; ``json`` prints their card alone."""
    if out is not None:
        outputs.write(out, rendered(tables) + "\n")
    elif not json:
        typer.echo(rendered(tables))
    if json:
        typer.echo(json_text.dumps(tables["card"], ensure_ascii=False))


class Counts(Protocol):
    """Counts over games."""

    def observe(self, events: tuple[Event, ...]) -> object:
        """Add one game."""

    def tables(self) -> dict[str, Any]:
        """The tables that come of it."""


@dataclass(frozen=True, kw_only=True)
class Counting(Tables):
    """Counts tables on the games that may be fitted on."""

    what: ClassVar[str]
    """What the tables are, as the card says it."""
    axes: ClassVar[str]
    """Where their axes are described."""
    counts: ClassVar[Callable[[], Counts]]
    """What counts."""
    facts: ClassVar[Mapping[str, Callable[[Any], int]]]
    """How much was counted: what the card says of the counts, none of which is 0."""

    def tables(self) -> dict[str, Any]:
        """The card and the tables."""
        counts = type(self).counts()
        read = count_games(counts.observe, self.paths, self.games)
        facts = {name: fact(counts) for name, fact in self.facts.items()}
        if not all(facts.values()):
            raise InputError("there is no game to count; give logs of four-player games")
        facts = {"games": read, **facts}
        card = card_of(f"train {self.fits}", self.what, self.paths, **facts, held_back=HELD_BACK, axes=self.axes)
        return {"card": card, **counts.tables()}


def count_games(observe: Callable[[tuple[Event, ...]], object], paths: list[Path], games: int) -> int:
    """Let ``observe`` see the games that may be fitted on, at most ``games`` of them (0: all); their number."""
    read = 0
    for log in training_games(paths, games, error_screen()):
        observe(log.events)
        read += 1
    return read


class Checkpoints:
    """The checkpoint of a long fit, saved at intervals and at the end; none is kept without a path."""

    def __init__(self, path: Path | None, save: Callable[[Path], object], every: float = 180.0) -> None:
        """Take the file, what saves into it, and the seconds between two times."""
        self._path, self._save, self._every = path, save, every
        self._saved = perf_counter()

    def save_if_due(self) -> None:
        """Save if it is time."""
        if perf_counter() - self._saved > self._every:
            self.save()

    def save(self) -> None:
        """Save now."""
        if self._path is not None:
            self._save(self._path)
        self._saved = perf_counter()


def checkpoint_to_resume(checkpoint: Path | None) -> Path:
    """The checkpoint from which ``--resume`` goes on.

    Raises:
        InputError: there is none.
    """
    if checkpoint is None or not checkpoint.is_file():
        raise InputError(f"--resume: there is no checkpoint {checkpoint or 'without --out'}; start without it")
    return checkpoint


def _data_of(paths: list[Path], limit: int, recordings: Recordings) -> dict[str, Any]:
    """A card's facts about the recordings: sources with their digests, games by split, hands."""
    parts = recordings.games[:, GameColumn.SPLIT]
    return {
        "sources": [{"name": path.name, "digest": digest_of(path, limit)} for path in paths],
        "games": {split.name.lower(): int((parts == split).sum()) for split in Split},
        "kyoku": len(recordings.kyoku),
        "split": "by a hash of the log id (engine.rules.recordings): "
        "a tenth to test, a twentieth of the rest to validate",
    }


def card_of(command: str, what: str, paths: list[Path], **facts: object) -> dict[str, Any]:
    """The card of fitted tables: what they are, the command and the logs that they come from, further facts."""
    return {
        "what": what,
        "made_by": f"oshihiki {command}",
        "sources": [path.name for path in paths],
        **facts,
    }


def rendered(value: Any, depth: int = 0) -> str:
    """JSON in which what is short stands in one line, and so does each list of numbers."""
    text = json_text.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        parts = [f"{json_text.dumps(name)}: {rendered(part, depth + 1)}" for name, part in value.items()]
    elif isinstance(value, list) and value and isinstance(value[0], dict | list):
        parts = [rendered(part, depth + 1) for part in value]
    else:
        return text
    if not parts or (depth and len(text) <= SHORT):
        return text
    margin = " " * (depth + 1)
    return f"{text[0]}\n{margin}" + f",\n{margin}".join(parts) + f"\n{margin[1:]}{text[-1]}"


class FittingScreen(Bar):
    """Progress of a fit on standard error: a bar on a terminal, otherwise a line now and then."""

    def __init__(self, screen: Console) -> None:
        columns = TextColumn("{task.description}"), BarColumn(bar_width=24), TextColumn("{task.fields[note]}")
        super().__init__(
            screen, *columns, TimeElapsedColumn(), TimeRemainingColumn(), what="fitting", total=None, note=""
        )
        self._told = 0.0

    def say(self, what: str) -> None:
        """Name the stage that begins."""
        self.update(description=what, total=None, note="")
        self._told = 0.0
        if not self.screen.is_terminal:
            self.screen.print(f"{what} …", highlight=False)

    def of(self, unit: str, total: int) -> Callable[[int, float], None]:
        """What a fit calls with the number of its rows done and the recent loss; ``unit``: what the rows are."""
        return lambda done, loss: self.fitted(done, total, f"{done:,} {unit}, loss {loss:.4f}")

    def fitted(self, done: int, of: int, note: str) -> None:
        """Show how much of the fit is done, and a note on it."""
        self.update(total=of, completed=done, note=note)
        if not self.screen.is_terminal and (done - self._told) * 20 >= of:
            self._told = done
            self.screen.print(f"fitting {done / of:.0%}: {note}", highlight=False)
