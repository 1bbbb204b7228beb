"""Logs as arrays to learn from: read once on all cores, kept on disk; broken ones are named and skipped."""

from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn

from bot.logs.sources import batches, open_logs
from bot.machine.bars import Lines, bar_of
from bot.machine.errors import InputError
from bot.machine.parallel import each
from bot.machine.text import brief, plural
from engine.networks.imitation_layout_kernels import WHO_OTHER, WHO_PHOENIX, WHO_TOKUJOU
from engine.rules.codes import HiddenTileError
from engine.rules.recordings import Recordings, UnusableGameError, encode_game
from engine.train import dataset
from engine.train.dataset import Archive
from protocol.errors import LogError
from protocol.logs.formats import LogFile, read_log
from protocol.logs.game_log import GameLog
from protocol.tenhou.game_type import Room

_TOLD = 20
"""Number of skipped files that are named one by one."""


def read_recordings(paths: list[Path], screen: Console, *, games: int = 0, jobs: int = 1) -> Archive:
    """Every game in the logs, folders and archives that can be learned from; duplicates are kept once.

    Args:
        paths: what to read; each is stored on disk under a hash of its contents.
        screen: where progress is shown and skipped files are named.
        games: number of games to read from each path; 0: all.
        jobs: number of processes that read.

    Raises:
        InputError: a path cannot be read, or there is no game at all.
    """
    archives = []
    for path in paths:
        try:
            digest = dataset.digest_of(path, games)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
        archive = dataset.load(digest)
        if archive is None:
            progress = bar_of(
                screen,
                TextColumn("reading {task.description}"),
                BarColumn(bar_width=24),
                MofNCompleteColumn(),
                TextColumn("games"),
                TimeElapsedColumn(),
            )
            lines = Lines(screen)
            parts: list[Recordings] = []
            skipped: list[str] = []
            with progress:
                task = progress.add_task(path.name, total=games or None)
                for recordings, passed_over in _batches(path, games, jobs):
                    parts += recordings
                    skipped += passed_over
                    progress.advance(task, len(recordings))
                    lines.say(f"reading {brief(path.name)}: {plural(len(parts), 'game')}")
            archive = Archive(Recordings.concatenate(parts), tuple(skipped))
            dataset.keep(digest, archive)
        archives.append(archive)
    found = dataset.concatenate(archives)
    for text in found.skipped[:_TOLD]:
        screen.print(brief(text, 1000), style="yellow", markup=False, highlight=False, soft_wrap=True)
    if len(found.skipped) > _TOLD:
        screen.print(f"… and {len(found.skipped) - _TOLD} more skipped", style="yellow", highlight=False)
    if not len(found.recordings.kyoku):
        raise InputError("there is no game to learn from; give logs of four-player games in which all hands are known")
    return found


def _batches(path: Path, games: int, jobs: int) -> Iterator[tuple[list[Recordings], list[str]]]:
    files: Iterator[LogFile] = open_logs([path])
    yield from each(_encode, batches(islice(files, games) if games else files), jobs, in_order=True)


def in_turn(paths: Iterable[Path]) -> Iterator[LogFile]:
    """Yield the logs, one of each path in turn, so that even a few are of all kinds."""
    for row in zip_longest(*(open_logs([path]) for path in paths)):
        yield from (file for file in row if file is not None)


def readable(files: Iterable[LogFile], screen: Console) -> Iterator[GameLog]:
    """Yield the games of logs; a log that cannot be read is named and skipped."""
    for file in files:
        try:
            log = read_log(file)
        except LogError as error:
            screen.print(str(error), style="yellow", markup=False, highlight=False)
        else:
            yield log


def room_of(game_type: int | None) -> int:
    """The room of a table by its game type bits (None: unknown), as :class:`GameColumn.ROOM` counts it."""
    bits = (game_type or 0) & Room.PHOENIX
    return {Room.UPPER_DAN: WHO_TOKUJOU, Room.PHOENIX: WHO_PHOENIX}.get(Room(bits), WHO_OTHER)


def _encode(files: list[LogFile]) -> tuple[list[Recordings], list[str]]:
    recordings, skipped = [], []
    for file in files:
        try:
            log = read_log(file)
            log_id = log.info.log_id or Path(file.name).stem
            recordings.append(encode_game(log_id, log.events, room_of(log.info.game_type)))
        except LogError as error:
            skipped.append(str(error))
        except (HiddenTileError, UnusableGameError) as error:
            skipped.append(f"{file.name}: {error}")
    return recordings, skipped
