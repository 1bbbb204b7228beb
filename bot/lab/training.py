"""Tools of all ``oshihiki train …``: options, reading of recordings, the course of a fit, cards."""

import json as json_text
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib import import_module
from itertools import islice
from pathlib import Path
from time import perf_counter
from types import ModuleType
from typing import Annotated, Any, Final, Protocol, TypeVar

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from bot.commands.options import Cores, print_figures
from bot.lab.recordings import in_turn, read_recordings, readable
from bot.machine.bars import Bar
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen
from bot.machine.outputs import Outputs
from engine.model.events import Event
from engine.rules.recordings import GameColumn, Recordings, Split, held_back
from engine.tables import WeightsError
from engine.train.dataset import digest_of
from protocol.logs.game_log import GameLog

Logs = Annotated[list[Path], typer.Argument(help="Logs, folders or archives of four-player games.")]
Out = Annotated[Path | None, typer.Option("--out", help="File to write; default: standard output.")]
Games = Annotated[int, typer.Option("--games", min=0, help="Number of games to read; 0: all.")]
OutWeights = Annotated[
    Path | None, typer.Option("--out", help="File for the weights (.npz); the card is written beside it (.json).")
]
GamesOfEach = Annotated[int, typer.Option("--games", min=0, help="Number of games to read from each path; 0: all.")]
HELD_BACK: Final = "log ids whose hash falls in one tenth (engine.rules.recordings)"
"""The games that no table is fitted on, as the cards describe them."""

Quick = Annotated[bool, typer.Option("--quick", help="Use few games and rows, to see within minutes that all is well.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Seed of initial weights, samples and order.")]
ReadJobs = Annotated[int, Cores(help="Number of processes that read; 0: one per core.")]
JsonCard = Annotated[bool, typer.Option("--json", help="Print the card, which has the figures, as JSON.")]
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


def hand_over(
    tables: dict[str, Any],
    out: Path | None,
    outputs: Outputs,
    render: Callable[[dict[str, Any]], str] | None = None,
    *,
    json: bool,
) -> None:
    """Write tables with their card to ``out`` or, without it, to standard output; ``json`` prints the card alone.

    Args:
        tables: the card under its name, and the tables.
        out: the file.
        outputs: what writes it.
        render: the text of the file; without it, that of :func:`rendered`.
        json: whether the card is printed.
    """
    text = (render or rendered)(tables)
    if out is not None:
        outputs.write(out, text + "\n")
    elif not json:
        typer.echo(text)
    if json:
        typer.echo(json_text.dumps(tables["card"], ensure_ascii=False))


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
    outputs.write(out.with_suffix(".json"), render_card(card) + "\n")


def every_game(paths: list[Path], games: int, screen: Console) -> Iterator[GameLog]:
    """The games of some logs, at most ``games`` of them (0: all); a log that cannot be read is named and skipped.

    The archives are read in turn, so that even a few games are of all kinds.
    """
    return islice(readable(in_turn(paths), screen), games or None)


def training_games(paths: list[Path], games: int, screen: Console) -> Iterator[GameLog]:
    """The games that may be fitted on: those not held back by their log id."""
    fit = (log for log in every_game(paths, 0, screen) if not held_back(log.info.log_id))
    return islice(fit, games or None)


class Counter(Protocol):
    """Counts over games."""

    def observe(self, events: tuple[Event, ...]) -> object:
        """Add one game."""


def count_games(counts: Counter, paths: list[Path], games: int) -> int:
    """Count the games that may be fitted on into ``counts``; the number of games read."""
    read = 0
    for log in training_games(paths, games, error_screen()):
        counts.observe(log.events)
        read += 1
    return read


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


class WeightsRun:
    """A command that fits weights on recordings, from its start to its card.

    Attributes:
        screen: where people see how far it is.
    """

    recordings: Recordings  # what it has read

    def __init__(self, command: str, paths: list[Path], out: Path | None, *read: Path | None) -> None:
        """Begin.

        Args:
            command: its name after ``oshihiki``.
            paths: logs to learn from.
            out: file for the weights.
            read: other files that are read.

        Raises:
            InputError: see :func:`outputs_for_weights`.
        """
        self._command, self._paths, self._out = command, paths, out
        self._outputs = outputs_for_weights(out, *paths, *read)
        self._limit = 0
        self._started = perf_counter()
        self.screen = error_screen()

    def read(self, games: int, jobs: int, quick: int = 0) -> Recordings:
        """Read the recordings: ``games`` of each path (0: all), or ``quick`` of all together, if that is not 0."""
        self._limit = -(-quick // len(self._paths)) if quick else games
        found = read_recordings(self._paths, self.screen, games=self._limit, jobs=jobs)
        self.recordings = found.recordings
        return self.recordings

    def card(self, what: str, settings: Any, weights: FittedWeights, **facts: object) -> dict[str, Any]:
        """The card: what the weights are, what they were fitted on and how, and further facts."""
        return {
            "what": what,
            "made_by": f"oshihiki {self._command}",
            **_data_of(self._paths, self._limit, self.recordings),
            "settings": asdict(settings),
            "parameters": weights.flat.size,
            "digest": weights.digest(),
            "numpy": np.__version__,
            **facts,
            "seconds": round(perf_counter() - self._started),
        }

    def finish(
        self, weights: FittedWeights, card: dict[str, Any], show: Callable[[dict[str, Any]], None], *, json: bool
    ) -> None:
        """Write weights and card, if a file is named; print the card as JSON, or ``show`` it to people."""
        if self._out is not None:
            write_weights(self._out, weights.to_bytes(), card, self._outputs)
        print_figures(card, show, json=json)


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


def rendered(tables: dict[str, Any]) -> str:
    """JSON with one innermost list a line."""
    lines = []
    for name, value in tables.items():
        body = json_text.dumps(value, indent=1, ensure_ascii=False) if name == "card" else _nested(value, 1)
        lines.append(f"{json_text.dumps(name)}: {body}")
    return "{\n" + ",\n".join(lines) + "\n}"


def render_card(card: dict[str, Any]) -> str:
    """A card as JSON, with one fact per line; nested facts are written one per line, two levels deep."""
    lines = []
    for name, value in card.items():
        text = json_text.dumps(value, ensure_ascii=False)
        if isinstance(value, dict) and len(text) > 100:
            inner = [f"  {json_text.dumps(key)}: {_facts(part)}" for key, part in value.items()]
            text = "{\n" + ",\n".join(inner) + "\n }"
        lines.append(f" {json_text.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"


def _facts(value: Any) -> str:
    text = json_text.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict) or len(text) < 100:
        return text
    return (
        "{\n"
        + ",\n".join(f"   {json_text.dumps(key)}: {json_text.dumps(part)}" for key, part in value.items())
        + "\n  }"
    )


def _nested(value: Any, depth: int) -> str:
    if not isinstance(value[0], list):
        return json_text.dumps(value)
    inner = (",\n" + " " * depth).join(_nested(item, depth + 1) for item in value)
    return f"[\n{' ' * depth}{inner}]"


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
        if not self.screen.is_terminal:
            self.screen.print(f"{what} …", highlight=False)

    def fitted(self, done: int, of: int, note: str) -> None:
        """Show how much of the fit is done, and a note on it."""
        self.update(total=of, completed=done, note=note)
        if not self.screen.is_terminal and (done - self._told) * 20 >= of:
            self._told = done
            self.screen.print(f"fitting {done / of:.0%}: {note}", highlight=False)
