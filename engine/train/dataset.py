"""Recordings kept on disk, so that an archive is read once: one file an archive and format."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Final
from zipfile import BadZipFile

import numpy as np
from platformdirs import user_cache_path

from engine.train.recordings import FORMAT, Recordings

FOLDER: Final = user_cache_path("oshihiki", appauthor=False) / "recordings"
_ARRAYS: Final = ("ids", "games", "kyoku", "hands", "events")
_BLOCK: Final = 1 << 20


@dataclass(frozen=True)
class Archive:
    """What was found in a log, a folder or an archive.

    Attributes:
        recordings: the games that can be learned from.
        skipped: what was passed over and why, one text each.
    """

    recordings: Recordings
    skipped: tuple[str, ...] = ()


def digest_of(path: Path, games: int = 0) -> str:
    """A name for the contents of a file or folder, and for how many games of it are read (0: all).

    Raises:
        OSError: it cannot be read.
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
    """What was kept under that name (in ``folder``, else :data:`FOLDER`), or None; a damaged file counts as none."""
    try:
        with ((folder or FOLDER) / f"{digest}.npz").open("rb") as file, np.load(file, allow_pickle=False) as kept:
            return Archive(Recordings(*(kept[name] for name in _ARRAYS)), tuple(kept["skipped"].tolist()))
    except (OSError, ValueError, EOFError, KeyError, BadZipFile):
        return None


def keep(digest: str, archive: Archive, folder: Path | None = None) -> None:
    """Keep it under that name, whole or not at all; where nothing can be written nothing is kept."""
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


def joined(archives: Iterable[Archive]) -> Archive:
    """Several as one. A game found twice is kept once."""
    parts = list(archives)
    recordings = Recordings.joined([part.recordings for part in parts])
    return Archive(recordings.without_doubles(), tuple(text for part in parts for text in part.skipped))
