"""Logs as arrays to learn from: read once on all cores, kept on disk; broken ones are named and skipped."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice, zip_longest
from pathlib import Path
from typing import Final

import numpy as np
from platformdirs import user_cache_path
from rich.console import Console

from bot.logs.sources import batches, open_logs
from bot.machine.bars import counted
from bot.machine.errors import InputError
from bot.machine.parallel import each
from bot.machine.text import brief
from engine.networks.imitation_layout_kernels import WHO_OTHER, WHO_PHOENIX, WHO_TOKUJOU
from engine.rules.codes import HiddenTileError
from engine.rules.recordings import FORMAT, Recordings, UnusableGameError, encode_game
from engine.tables import DAMAGED
from protocol.errors import LogError
from protocol.logs.formats import LogFile, read_log
from protocol.logs.game_log import GameLog
from protocol.tenhou.game_type import Room

FOLDER: Final = user_cache_path("oshihiki", appauthor=False) / "recordings"
"""Where what was read is kept: one file for each archive and format."""
_TOLD = 20
"""Number of skipped files that are named one by one."""
_ARRAYS: Final = ("ids", "games", "kyoku", "hands", "events")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class Archive:
    """The contents of a log, a folder or an archive."""

    recordings: Recordings  # the games that can be learned from
    skipped: tuple[str, ...] = ()  # one text for each file that was skipped, with the reason


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
            digest = digest_of(path, games)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error}); check the path") from error
        archive = load(digest)
        if archive is None:
            archive = _read(path, screen, games, jobs)
            keep(digest, archive)
        archives.append(archive)
    found = concatenate(archives)
    for text in found.skipped[:_TOLD]:
        screen.print(brief(text, 1000), style="yellow", markup=False, highlight=False, soft_wrap=True)
    if len(found.skipped) > _TOLD:
        screen.print(f"… and {len(found.skipped) - _TOLD} more skipped", style="yellow", highlight=False)
    if not len(found.recordings.kyoku):
        raise InputError("there is no game to learn from; give logs of four-player games in which all hands are known")
    return found


def _read(path: Path, screen: Console, games: int, jobs: int) -> Archive:
    files: Iterator[LogFile] = open_logs([path])
    parts: list[Recordings] = []
    skipped: list[str] = []
    encoded = each(_encode, batches(islice(files, games) if games else files), jobs, in_order=True)
    every = (one for some in encoded for one in some)
    for one in counted(screen, f"logs of {brief(path.name)}", every, games or None):
        if isinstance(one, str):
            skipped.append(one)
        else:
            parts.append(one)
    return Archive(Recordings.concatenate(parts), tuple(skipped))


def _encode(files: list[LogFile]) -> list[Recordings | str]:
    """Each game as a recording, or why it is skipped."""
    found: list[Recordings | str] = []
    for file in files:
        try:
            log = read_log(file)
            log_id = log.info.log_id or Path(file.name).stem
            found.append(encode_game(log_id, log.events, room_of(log.info.game_type)))
        except LogError as error:
            found.append(str(error))
        except (HiddenTileError, UnusableGameError) as error:
            found.append(f"{file.name}: {error}")
    return found


def concatenate(archives: Iterable[Archive]) -> Archive:
    """Several archives as one. A game that appears twice is kept once."""
    parts = list(archives)
    recordings = Recordings.concatenate([part.recordings for part in parts])
    return Archive(recordings.without_doubles(), tuple(text for part in parts for text in part.skipped))


# -- what is kept on disk ----------------------------------------------------------------------------------------------


def digest_of(path: Path, games: int = 0) -> str:
    """A name for the contents of a file or folder and the number of games read from it (0: all).

    Raises:
        OSError: the file or folder cannot be read.
    """
    digest = blake2b(f"{FORMAT} {games}".encode(), digest_size=16)
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    for file in files:
        if file != path:
            digest.update(file.relative_to(path).as_posix().encode())
        with file.open("rb") as stream:
            while block := stream.read(_BLOCK):
                digest.update(block)
    return digest.hexdigest()


def load(digest: str, folder: Path | None = None) -> Archive | None:
    """The archive stored under a name in ``folder`` (:data:`FOLDER` by default), or None, also if it is damaged."""
    try:
        with ((folder or FOLDER) / f"{digest}.npz").open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return Archive(Recordings(*(kept[name] for name in _ARRAYS)), tuple(kept["skipped"].tolist()))
    except DAMAGED:
        return None


def keep(digest: str, archive: Archive, folder: Path | None = None) -> None:
    """Store an archive under a name, whole or not at all; if nothing can be written, nothing is stored."""
    folder = folder or FOLDER
    part = folder / f"{digest}.{os.getpid()}.npz"
    arrays = {name: getattr(archive.recordings, name) for name in _ARRAYS}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(part, allow_pickle=False, skipped=np.array(archive.skipped, np.str_), **arrays)
        part.replace(folder / f"{digest}.npz")
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)


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
