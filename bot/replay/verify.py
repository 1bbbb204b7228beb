"""Verification of logs and captured sessions against our rules, on any number of cores."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import zip_longest
from typing import Final

from bot.machine.logs import crash_note
from bot.machine.parallel import Backend, each
from bot.replay.checks import change_words
from bot.replay.counting import paid
from bot.replay.game_check import check_game
from bot.replay.session_check import check_session
from bot.replay.verify_counts import Mismatch, Note, Unreadable, VerifyCounts
from protocol.errors import LogError, UnsupportedGameError
from protocol.logs.formats import FORMATS, LogFile, read_log, read_session, write_log
from protocol.logs.game_log import GameLog
from protocol.logs.sources import batches

SANMA: Final = "sanma"

OnProgress = Callable[[VerifyCounts], None]


def verify_logs(
    files: Iterable[LogFile],
    jobs: int = 1,
    backend: Backend = Backend.LOKY,
    *,
    round_trip: bool = False,
    on_progress: OnProgress | None = None,
) -> VerifyCounts:
    """Verify logs, such as those of :func:`protocol.logs.sources.open_logs`.

    Args:
        files: logs, read one after the other in the calling process, only a little ahead of the work.
        jobs: number of processes; 1: only the calling process.
        backend: what runs them.
        round_trip: whether to write each log in its own format, read that, and compare.
        on_progress: called with the figures of each finished batch of files, in the calling process.

    Returns:
        The figures of all; errors are in the order of the files' names.
    """
    total = VerifyCounts()
    for tally in each(partial(verify_files, round_trip=round_trip), batches(files), jobs, backend):
        total.add(tally)
        if on_progress is not None:
            on_progress(tally)
    for found in (total.tolerated, total.in_excerpts, total.errors):
        found.sort(key=lambda each: (each.file, each.event))
    total.unreadable.sort(key=lambda each: each.file)
    total.notes.sort(key=lambda each: each.file)
    return total


def verify_files(files: Iterable[LogFile], *, round_trip: bool = False) -> VerifyCounts:
    """Verify some logs in this process; see :func:`verify_logs`."""
    tally = VerifyCounts()
    for file in files:
        tally.files += 1
        try:
            verify_file(file, tally, round_trip=round_trip)
        except UnsupportedGameError:
            tally.skip(SANMA)
        except LogError as error:
            tally.unreadable.append(Unreadable(file.name, error.detail))
        except Exception as error:  # noqa: BLE001 - a bug in the check of one file must not cost the others
            tally.errors.append(Mismatch(file.name, "", 0, "program", crash_note(error)))
    return tally


def verify_file(file: LogFile, tally: VerifyCounts, *, round_trip: bool = False) -> None:
    """Verify one log, and add counts and mismatches to ``tally``.

    Raises:
        LogError: the file cannot be read.
    """
    session = read_session(file)
    if session is not None:
        check_session(session, tally)
        return
    game = paid(read_log(file))
    tally.notes += [Note(file.name, note) for note in game.notes]
    if game.excerpt and not file.named:
        tally.excerpts += 1
        apart = VerifyCounts()
        check_game(game, apart)
        tally.in_excerpts += apart.errors
    else:
        check_game(game, tally)
    if round_trip and FORMATS[file.format].writes:
        tally.round_trips += 1
        text = write_log(game, file.format)
        again = read_log(LogFile(file.name, file.format, text.encode()))
        if again == game:
            tally.round_trips_exact += 1
        else:
            tally.errors.append(_first_difference(game, again))


def _first_difference(game: GameLog, again: GameLog) -> Mismatch:
    """The first difference between a log and the same log written and read again."""
    pairs = enumerate(zip_longest(game.events, again.events))
    for at, (first, second) in pairs:
        if first != second:
            return Mismatch(game.source, "", at, "round trip", change_words(first, second))
    return Mismatch(game.source, "", 0, "round trip", f"{game.info} became {again.info}")
