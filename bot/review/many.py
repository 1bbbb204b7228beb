"""Audits in processes side by side: of many games, and of several players of one game."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from pathlib import Path

from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.machine.files import read_small
from bot.machine.inputs import file_stem
from bot.machine.origin import engine_hash
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend, each
from bot.machine.text import brief
from bot.replay.games import seat_of, seats_of
from bot.replay.steps import decision_points
from bot.review import document
from bot.review.document import FORMAT, VERSION, read_review
from bot.review.examine import OnRow, examine
from bot.review.fields import audit_fields
from bot.review.luck import draws_of
from bot.review.recording import Recording, read_recording, shared_log
from bot.review.report import render_report
from bot.store.reviews import DATA, LARGEST, PAGES
from bot.wording.languages import Lang
from bot.wording.troubles import trouble_words
from protocol.errors import LogError, LogTrouble, UnsupportedGameError, reading
from protocol.logs.formats import LogFile


@dataclass(frozen=True, slots=True)
class Job:
    """How games are audited. It holds only values and can be sent to other processes.

    Attributes:
        judge, nodes: the policy, and the bound of its search (None: its own).
        seat: absolute seat, or None.
        seat_name: name of the player; "" if ``seat`` is given.
        lang: language of the reports.
        anonymous: whether to leave out names.
        reports: whether to write a page for each game.
        folder: folder for the results; None: do not store them.
    """

    judge: PlayerSpec
    nodes: int | None = None
    seat: int | None = None
    seat_name: str = ""
    lang: Lang = Lang.EN
    anonymous: bool = False
    reports: bool = True
    folder: Path | None = None

    def audit(
        self,
        recording: Recording,
        seat: int,
        on_row: OnRow | None = None,
        lanes: int = 1,
    ) -> document.Review:
        """The fields of the audit of a seat; see :func:`~bot.review.examine.examine`."""
        found = examine(recording, seat, partial(self.judge.make, 0), self.nodes, on_row, lanes)
        return audit_fields(found, anonymous=self.anonymous)

    def for_log(self, log: LogFile) -> "Job":
        """The job with the seat that the log's link or name states, if no player was chosen otherwise."""
        return self if self.seat is not None or self.seat_name else replace(self, seat=log.seat)


@dataclass(frozen=True, slots=True)
class Done:
    """The result for one log."""

    name: str  # name of the log
    # fields of the audit, of its decisions only the ``differences``; None if there is no audit
    fields: document.Kept | None = None
    report: str = ""  # page of the game, relative to the folder; "" if none was written
    error: str = ""  # why there is no audit; "" if there is one, or the player does not play in it
    trouble: Mapping[str, str] = field(default_factory=dict)  # the error by language
    kept: bool = False  # whether it was taken from an earlier run
    again: str = ""  # name of the log that contains the same game; such a game counts once
    notes: tuple[str, ...] = ()  # what was read otherwise than the log is written; empty for a result that was kept

    @property
    def counts(self) -> bool:
        """Whether there is an audit, and no earlier log of this game."""
        return self.fields is not None and not self.again


OnDone = Callable[[Done], None]
OnProgress = Callable[[int, int], None]
"""Called with the number of decisions that have been judged, and that of all."""
OnAudit = Callable[[document.Review], None]
"""Called with all fields of an audit that has been made, before it is kept."""


def audit_logs(
    logs: Iterable[LogFile],
    job: Job,
    jobs: int = 1,
    backend: Backend = Backend.LOKY,
    on_done: OnDone | None = None,
) -> list[Done]:
    """Audit many logs; one that cannot be audited is named, and the others continue.

    Args:
        logs: logs, read only a little ahead of the work.
        job: how to audit.
        jobs: number of processes.
        backend: what runs them.
        on_done: called with each result in the calling process, in any order.

    Returns:
        All results, by the day of the game, as far as it is known, and by name.
    """
    found = []
    if job.folder is not None:  # other processes may be elsewhere
        job = replace(job, folder=job.folder.absolute())
    for done in each(partial(audit_log, job=job), logs, jobs, backend):
        found.append(done)
        if on_done is not None:
            on_done(done)
    return _once(sorted(found, key=lambda done: (done.fields["date"] if done.fields else "", done.name)))


def _once(found: Iterable[Done]) -> list[Done]:
    """The results, with games that occurred before marked."""
    first: dict[str, str] = {}
    marked = []
    for done in found:
        game = "" if done.fields is None else done.fields["game"]
        before = first.setdefault(game, done.name) if game else done.name
        marked.append(done if before == done.name else replace(done, again=before))
    return marked


def audit_log(
    log: LogFile,
    job: Job,
    on_progress: OnProgress | None = None,
    on_audit: OnAudit | None = None,
    lanes: int = 1,
) -> Done:
    """Audit one log, or find the result of an earlier run; raises nothing."""
    try:
        with reading(log.name, InputError):
            return _audit_log(log, job, on_progress, on_audit, lanes)
    except UnsupportedGameError as error:
        return _not_done(log, error, "a three-player game: only four-player games are supported")
    except LogError as error:
        return _not_done(log, error, error.detail)
    except InputError as error:
        return _not_done(log, error, str(error))


def _not_done(log: LogFile, error: Exception, message: str) -> Done:
    message = brief(message, 500)
    return Done(log.name, error=message, trouble=trouble_words(error, message))


def _audit_log(log: LogFile, job: Job, on_progress: OnProgress | None, on_audit: OnAudit | None, lanes: int) -> Done:
    if log.error is not None:
        raise log.error
    job = job.for_log(log)
    stem = audit_stem(log, job)
    cache = None if job.folder is None else job.folder / DATA / f"{stem}.json"
    report = f"{PAGES}/{stem}.html" if job.folder is not None and job.reports else ""
    if cache is not None and cache.is_file():
        with suppress(InputError):  # one that is damaged is made again
            kept = read_review(cache.name, read_small(cache, cache.name, LARGEST))
            if kept is None or not report or (cache.parent.parent / report).is_file():
                return Done(log.name, kept, report if kept else "", kept=True)
    recording = read_recording(log)
    seat = find_seat(recording, job.seat, job.seat_name)
    outputs = Outputs("", ())  # the digest in their names is of this audit alone: no log has such a name
    summary: document.Kept | None = None
    if seat is not None:
        on_row = None if on_progress is None else _counting(recording, seat, on_progress)
        fields = job.audit(recording, seat, on_row, lanes=lanes)
        if on_audit is not None:
            on_audit(fields)
        if job.folder is not None and report:
            shared = "" if job.anonymous else shared_log(log)
            outputs.write(job.folder / report, render_report(fields, job.lang, log=shared))
        summary = document.kept_of(fields, draws_of(recording, seat))
    if cache is not None:
        outputs.write(cache, json.dumps(summary or {}, ensure_ascii=False))
    return Done(log.name, summary, report if summary else "", notes=recording.notes)


def _counting(recording: Recording, seat: int, on_progress: OnProgress) -> OnRow:
    """A counter of a seat's decisions as they are judged."""
    number, of = count(1), sum(1 for _ in decision_points(recording.source, seat, []))
    return lambda _row: on_progress(next(number), of)


def find_seat(recording: Recording, seat: int | None, name: str) -> int | None:
    """Return the seat to audit: by number, by name, or the only one that a session shows; None if nobody has that name.

    Raises:
        LogError: neither number nor name is given, several players bear the name, or the session shows another seat.
    """
    wanted = seat
    if name:
        own = recording.viewer
        # of one player's session that player is meant
        mine = own is not None and own in seats_of(recording.names, name)
        wanted = own if mine else seat_of(recording.names, name, recording.name)
        if wanted is None:
            return None
    if recording.viewer is not None:
        if wanted not in {None, recording.viewer}:
            raise LogError(
                f"shows what seat {recording.viewer} saw, not seat {wanted}; leave --seat out, "
                "or name a log of the whole game",
                recording.name,
                trouble=LogTrouble.WRONG_SEAT,
            )
        return recording.viewer
    if wanted is None:
        players = ", ".join(f"{each} {brief(found, 24)}".strip() for each, found in enumerate(recording.names))
        why = f"choose a player with --seat; seats: {players}"
        raise LogError(why, recording.name, trouble=LogTrouble.WRONG_SEAT)
    return wanted


def audit_stem(log: LogFile, job: Job) -> str:
    """Base name of a game's files: the log's own name, and a digest of the log, the player, and how it is audited."""
    settings = sorted(dict(job.judge.make(0).settings()).items())
    facts = repr((FORMAT, VERSION, engine_hash(), replace(job, folder=None, reports=True), settings))
    digest = hashlib.blake2b(log.data, digest_size=16, key=hashlib.blake2b(facts.encode()).digest()[:32])
    return f"{file_stem(log)}-{digest.hexdigest()[:8]}"


def audit_seats(
    file: LogFile,
    seats: Sequence[int],
    job: Job,
    jobs: int,
    backend: Backend = Backend.LOKY,
    on_seat: Callable[[], None] | None = None,
) -> list[document.Review]:
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
    found: dict[int, document.Review] = {}
    for seat, fields in each(partial(_seat_audit, file, job), seats, min(jobs, len(seats)), backend):
        found[seat] = fields
        if on_seat is not None:
            on_seat()
    return [found[seat] for seat in seats]


def _seat_audit(file: LogFile, job: Job, seat: int) -> tuple[int, document.Review]:
    """A seat and the fields of its audit."""
    return seat, job.audit(read_recording(file), seat)
