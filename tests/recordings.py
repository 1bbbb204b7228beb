"""Which recorded games the slow tests walk over: a part of each archive, or all where the environment asks for it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bot.logs.sources import open_logs
from protocol.logs.formats import LogFile

EVERY_RECORDING = bool(os.environ.get("OSHIHIKI_EVERY_RECORDING"))
STEP = 8
"""Of an archive every so many games are walked over."""
RARE = 100
"""A game is walked over, too, if it has a feature that fewer games of the manifest have."""


def recorded_games(corpus: Path, archive: str) -> Iterator[LogFile]:
    """Yield every eighth game of an archive, and each with something rare, such as pao.

    With OSHIHIKI_EVERY_RECORDING in the environment all games of the archive.
    """
    rare = set() if EVERY_RECORDING else _rare(corpus)
    for number, file in enumerate(open_logs([corpus / f"{archive}.tar.xz"])):
        if EVERY_RECORDING or number % STEP == 0 or Path(file.name).stem in rare:
            yield file


def _rare(corpus: Path) -> set[str]:
    """The names of the games that have a rare feature."""
    rows = [line.split("\t") for line in (corpus / "MANIFEST.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    features = {row[1]: row[10].split(",") for row in rows}
    counts = Counter(feature for each in features.values() for feature in each)
    return {name for name, each in features.items() if any(counts[feature] < RARE for feature in each)}
