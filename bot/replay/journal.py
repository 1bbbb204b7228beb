"""The journal of a long replay: the agreement in each finished log."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.replay.agreement import Agreement
from bot.replay.games import Replayed
from bot.runs.journal import Journal


class ReplayJournal:
    """One line per log.

    Attributes:
        agreement: the sum over the logs that were finished before this run.
    """

    def __init__(self, path: Path, order: dict[str, Any]) -> None:
        """Read the journal, or create it; see :class:`~bot.runs.journal.Journal`."""
        self.agreement = Agreement()
        self._journal = Journal(path, "replay", order)
        self._done = set()
        for name, digest, agreement in self._journal.kept.pieces(
            lambda line: (str(line["log"]), str(line["digest"]), Agreement.of(line["agreement"]))
        ):
            self._done.add((name, digest))
            self.agreement.add(agreement)

    @property
    def done(self) -> int:
        """Number of finished logs."""
        return len(self._done)

    def has(self, name: str, digest: str) -> bool:
        """Whether the log with this name and these bytes is finished."""
        return (name, digest) in self._done

    def add(self, replayed: Replayed) -> None:
        """Add a finished log."""
        self._done.add((replayed.name, replayed.digest))
        self._journal.write({"log": replayed.name, "digest": replayed.digest, "agreement": replayed.agreement.fields()})

    def __enter__(self) -> Self:
        self._journal.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._journal.__exit__(kind, error, at)
