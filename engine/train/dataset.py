"""Recordings stored on disk, so that each archive is read only once: one file for each archive and format."""

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final

import numpy as np
from platformdirs import user_cache_path

from engine.rules.recordings import FORMAT, Recordings
from engine.tables import DAMAGED

FOLDER: Final = user_cache_path("oshihiki", appauthor=False) / "recordings"
_ARRAYS: Final = ("ids", "games", "kyoku", "hands", "events")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class Archive:
    """The contents of a log, a folder or an archive."""

    recordings: Recordings  # the games that can be learned from
    skipped: tuple[str, ...] = ()  # one text for each file that was skipped, with the reason


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


def concatenate(archives: Iterable[Archive]) -> Archive:
    """Several archives as one. A game that appears twice is kept once."""
    parts = list(archives)
    recordings = Recordings.concatenate([part.recordings for part in parts])
    return Archive(recordings.without_doubles(), tuple(text for part in parts for text in part.skipped))
