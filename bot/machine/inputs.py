"""The logs that a command was given, and what of them it passes over."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from string import ascii_letters, digits
from typing import TYPE_CHECKING, Final

from rich.console import Console

from bot.logs.addresses import is_address
from bot.logs.games import each_game_once, log_id
from bot.logs.sources import PassedOver, find_sources, open_logs
from bot.machine.outlet import say
from bot.machine.text import clean
from protocol.errors import LogError
from protocol.logs.formats import FORMATS, LogFile

if TYPE_CHECKING:
    from bot.machine.fetch import Archive

NO_LOG: Final = "no log was found; name files, folders or archives that contain logs"
"""The error if the arguments name no log at all."""
_COPIES: Final = 4
_AHEAD: Final = 200
"""Number of files to look at for a game with all its copies, and some more; a large archive is not read to its end
for a few games."""
_NAMED: Final = 3
"""Number of files passed over for one reason that the note names; JSON has them all."""
_STEM: Final = 80
"""Maximum length of a log's name in the names of the files made from it."""
_NAME: Final = frozenset(f"{ascii_letters}{digits}-_.&=")


class Inputs:
    """The logs that a command's arguments name: files, folders, archives, standard input, addresses of tenhou.net.

    Attributes:
        sources: what each argument names.
    """

    def __init__(self, arguments: Sequence[str], *, fetch: bool = False) -> None:
        """Find what the arguments name; standard input is read, files are opened later.

        Args:
            arguments: what the command was given.
            fetch: whether logs that an address names and that are not here are asked for, when their turn comes.
        """
        self.sources = find_sources(arguments)
        self._fetch = fetch
        self._refused: dict[str, LogError] = {}
        self._skipped: list[PassedOver] = []
        self._copies: list[PassedOver] = []

    def every_file(self) -> Iterator[LogFile]:
        """Yield every log."""
        self._skipped = []
        for file in open_logs(self.sources, self._skipped.append):
            if self._fetch and file.log_id and file.error is not None:
                yield from fetched(file, self._refused)
            else:
                yield file

    def every_game(self, *, whole: bool, limit: int | None = None) -> Iterator[LogFile]:
        """Yield one log of each game, as :func:`bot.logs.games.each_game_once` chooses it.

        Args:
            whole: whether the log of a whole game is preferred to the records of it.
            limit: maximum number of logs; None: all.
        """
        reach = None if limit is None else _COPIES * limit + _AHEAD
        files, self._copies = each_game_once(lambda: islice(self.every_file(), reach), whole=whole)
        return islice(files, limit)

    @property
    def passed_over(self) -> list[PassedOver]:
        """The files passed over; complete when the logs have been read to the end."""
        return [*self._copies, *self._skipped]

    def fields(self) -> list[dict[str, str]]:
        """The files passed over, for JSON."""
        return passed_over_fields(self.passed_over)

    def tell(self, screen: Console) -> None:
        """Name the files passed over on a screen, if there are any."""
        if note := self.note():
            say(screen, note, "dim")

    def note(self) -> str:
        """One line that names the files passed over, and why; empty if there are none."""
        return passed_over_note(self.passed_over)


def passed_over_fields(files: Iterable[PassedOver]) -> list[dict[str, str]]:
    """Files passed over, for JSON."""
    return [{"file": clean(each.file), "reason": clean(each.reason)} for each in files]


def passed_over_note(files: Iterable[PassedOver]) -> str:
    """One line that names files passed over, and why; empty if there are none."""
    parts = []
    for reason, group in groupby(sorted(files, key=_kind), _kind):
        found = list(group)
        names = ", ".join(clean(each.file) for each in found[:_NAMED])
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        why = found[0].reason if len({each.reason for each in found}) == 1 else reason
        parts.append(f"{names}{more} ({clean(why)})")
    return f"passed over: {'; '.join(parts)}" if parts else ""


def fetched(
    file: LogFile,
    refused: dict[str, LogError],
    archive: "Archive | None" = None,
    folder: Path | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> Iterator[LogFile]:
    """The log whose id a file is, asked for unless it was kept; with its error, if the server does not give it.

    Args:
        file: what names it.
        refused: by the ids of logs that were not given, why; they are not asked for again.
        archive: the server; None: tenhou.net.
        folder: where its logs are kept; None: where all commands keep them.
        wanted: whether it is still to be asked for, when its turn comes.
    """
    from bot.machine.fetch import fetch  # noqa: PLC0415 - loads TLS, and few ask for it

    try:
        if file.log_id in refused:
            raise refused[file.log_id]
        path = fetch(file.log_id, folder, archive, wanted)
    except LogError as error:
        refused[file.log_id] = error
        yield replace(file, error=LogError(error.message, file.name, trouble=error.trouble), log_id="")
        return
    for found in open_logs([path]):
        yield replace(found, seat=file.seat)


def file_stem(file: LogFile) -> str:
    """A log's name without folder and suffixes, in characters that every file system has."""
    if is_address(file.name):
        return log_id(file) or "link"
    last = file.name.replace("\\", "/").rsplit("/", 1)[-1]
    stem = "".join(char if char in _NAME else "_" for char in last).lstrip(".") or "log"
    for row in FORMATS.values():
        for ending in (".gz", ".xz", ".bz2", *row.suffixes):
            stem = stem.removesuffix(ending)
    return stem[:_STEM]


def _kind(file: PassedOver) -> str:
    """The reason without the file that is used instead."""
    return file.reason.partition(":")[0]
