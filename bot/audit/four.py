"""The audits of several players of one game, in processes side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bot.audit.hands import hands_of
from bot.audit.many import Job
from bot.audit.openings import Openings, opening_values
from bot.audit.sources import read_recording
from bot.runs.parallel import Backend, each
from protocol.logs.formats import LogFile

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Game:
    """What the processes need to know of a game."""

    file: LogFile
    job: Job
    openings: Openings

    def audit(self, seat: int) -> tuple[int, Fields]:
        """The seat and the fields of its audit."""
        recording = read_recording(self.file)
        return seat, self.job.panel.audit(recording, seat, openings=self.openings, anonymous=self.job.anonymous)


def audit_seats(
    file: LogFile,
    seats: Sequence[int],
    job: Job,
    jobs: int,
    backend: Backend = Backend.LOKY,
    on_seat: Callable[[], None] | None = None,
) -> list[Fields]:
    """The fields of the audits of several seats of a game, in the order of ``seats``.

    Args:
        file: log of the whole game.
        seats: absolute seats.
        job: how to audit.
        jobs: number of processes.
        backend: what runs them.
        on_seat: called after each seat.

    Raises:
        LogError: the log is invalid.
    """
    recording = read_recording(file)
    openings = opening_values(recording, hands_of(recording.events), partial(job.judge.make, job.seed), job.nodes)
    found: dict[int, Fields] = {}
    for seat, fields in each(_Game(file, job, openings).audit, seats, min(jobs, len(seats)), backend):
        found[seat] = fields
        if on_seat is not None:
            on_seat()
    return [found[seat] for seat in seats]
