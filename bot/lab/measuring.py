"""Tools of all benches: options, the games to measure on, the end of a trial."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console

from bot.commands import names
from bot.commands.options import WHO
from bot.deciding.players import PlayerSpec
from bot.lab.recordings import in_turn
from bot.machine.errors import InputError
from bot.machine.outputs import Outputs
from bot.machine.text import brief
from engine.arena import play_game
from engine.model.events import StartKyoku
from engine.model.rules import HANCHAN
from engine.model.seats import SEATS
from engine.policy.registry import make_policy
from engine.rules.recordings import Split, split_of
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs.formats import LogFile, read_log, write_log
from protocol.logs.game_log import LOG_ID, GameLog

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_LOG_ID: Final = re.compile(LOG_ID).search


CorpusLogs = Annotated[
    list[Path] | None,
    typer.Option("--logs", help="Logs, folders or archives; default: the folder in OSHIHIKI_CORPUS."),
]
EveryGame = Annotated[
    bool, typer.Option("--every-game", help="Use all games, because none was used for fitting, whatever its id.")
]
Validation = Annotated[
    bool, typer.Option("--validation", help="Use the games on which constants are chosen, not the test games.")
]
SearchNodes = Annotated[int, typer.Option(min=100, help="Bound on search nodes per decision.")]
WorthPolicy = Annotated[
    str, typer.Option("--policy", help=f"{WHO} Its values must be worths of standings.", autocompletion=names.policies)
]
Games = Annotated[int, typer.Option("--games", min=1, help="Number of games.")]
Share = Annotated[float, typer.Option("--share", min=0.0, max=1.0, help="Share of the decisions that are measured.")]
PlayerName = Annotated[
    str, typer.Option("--name", help="Only seats of this player, in every game; default: one seat of each game.")
]
PlotFile = Annotated[Path | None, typer.Option("--plot", help="Also draw the figures into this SVG file.")]
RowsFile = Annotated[Path | None, typer.Option("--rows", help="File for the single decisions, one per line.")]
OWN_GAMES: Final = 8
"""Number of games played where there are no recordings."""


def recording_paths(logs: list[Path] | None) -> list[Path]:
    """The files of these folders or, without any, the archives of four-player games that OSHIHIKI_CORPUS names.

    Raises:
        InputError: none are named at all.
    """
    if logs:
        return sorted(file for path in logs for file in (path.iterdir() if path.is_dir() else [path]))
    named = os.environ.get("OSHIHIKI_CORPUS", "")
    if not named or not Path(named).is_dir():
        raise InputError(
            "there are no recordings to measure on; name them with --logs, or set OSHIHIKI_CORPUS to their folder"
        )
    return sorted(file for file in Path(named).iterdir() if file.name.partition("-")[0] in {"houou", "tokujou"})


def refuse_other_units(player: PlayerSpec) -> None:
    """Refuse a policy whose values cannot be compared with results.

    Raises:
        InputError: they are not worths of standings.
    """
    if player.make(0).standing(HANCHAN, 0) is None:
        raise InputError(
            f"the values of {player.text} are not worths of standings, so they cannot be compared with results"
        )


def games_to_judge_by(paths: list[Path], screen: Console, *, every_game: bool) -> Iterator[tuple[GameLog, Split]]:
    """Games of the test and the validation split, the archives in turns.

    Args:
        paths: logs, folders or archives.
        screen: where a log that cannot be read is named.
        every_game: all games count as test games, whatever their id.
    """
    wanted = (Split.TEST, Split.VALIDATION)
    for file in in_turn(paths):
        if not (every_game or split_by_name(file) in {*wanted, None}):
            continue
        try:
            log = read_log(file)
        except UnsupportedGameError:
            continue  # three players
        except LogError as error:
            screen.print(brief(str(error), 300), style="yellow", markup=False, highlight=False)
            continue
        split = Split.TEST if every_game else split_of(log.info.log_id)
        if split in wanted:
            yield log, split


def open_seats(
    paths: list[Path], split: Split, screen: Console, *, every_game: bool = False, name: str = ""
) -> Iterator[tuple[GameLog, int]]:
    """Yield the games of a split that show all hands, each with a seat: in turns, or those of the player ``name``.

    For the other arguments see :func:`games_to_judge_by`.
    """
    number = 0
    for log, part in games_to_judge_by(paths, screen, every_game=every_game):
        if part is not split or not is_open(log):
            continue
        if name:
            yield from ((log, seat) for seat in SEATS if log.start.names[seat] == name)
        else:
            yield log, number % len(SEATS)
        number += 1


def is_open(log: GameLog) -> bool:
    """Whether all hands are known."""
    return all(None not in event.hands for event in log.events if isinstance(event, StartKyoku))


@contextmanager
def written_at_the_end(every: Sequence["DataclassInstance"], rows: Path | None, outputs: Outputs) -> Iterator[None]:
    """Write what was measured to the file of ``--rows``, if one is named, also if the run is stopped."""
    try:
        yield
    finally:
        if rows is not None and every:
            outputs.write(rows, "".join(json.dumps(asdict(one)) + "\n" for one in every))


def best_recordings() -> list[Path]:
    """The phoenix room's hanchan in the folder that OSHIHIKI_CORPUS names, or everything in it."""
    named = os.environ.get("OSHIHIKI_CORPUS")
    folder = Path(named) if named else None
    return (sorted(folder.glob("houou-hanchan*")) or [folder]) if folder is not None and folder.is_dir() else []


def own_games(number: int = OWN_GAMES) -> list[GameLog]:
    """Hanchan that four simple players play."""
    games = (play_game([make_policy("simple") for _ in SEATS], HANCHAN, at) for at in range(number))
    return [GameLog(game.events) for game in games]


def own_logs(number: int = OWN_GAMES) -> list[LogFile]:
    """The logs of :func:`own_games`."""
    logs = (write_log(game, "mjlog").encode() for game in own_games(number))
    return [LogFile(f"game-{at}.xml", "mjlog", log) for at, log in enumerate(logs, 1)]


def split_by_name(file: LogFile) -> Split | None:
    """The split by the file's name, without reading the log; None where the name does not tell."""
    found = _LOG_ID(file.name)
    return split_of(found[0]) if found else None
