"""What `oshihiki watch` was asked to show: records that may still be written, logs in any format, or both."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.machine.errors import InputError
from bot.machine.text import brief
from bot.runs.inputs import NO_LOG, Inputs
from bot.watch.feed import Stage
from bot.watch.library import MOST, Library, is_whole
from bot.watch.records import RECORD, Folder, kind_of
from protocol.errors import LogError
from protocol.logs.addresses import is_address
from protocol.logs.formats import LogFile
from protocol.logs.sources import STDIN


class Watched:
    """The records and the logs of one place.

    Attributes:
        records: the records, which are followed; None if there are none.
        logs: the other logs.
        folder: where the results of games are kept; None if the place is no file or folder.
    """

    def __init__(self, place: str, seat: int | None = None) -> None:
        """Look at the place.

        Args:
            place: a file, a folder, an archive, a link, or ``-`` for standard input.
            seat: whose view of a log is shown first; a record has a seat of its own.

        Raises:
            InputError: nothing is there that could be shown, or a seat is given where there are only records.
        """
        self._seat = seat
        self.records: Folder | None = None
        self.logs: list[LogFile] = []
        path = None if place in STDIN or (is_address(place) and not Path(place).exists()) else Path(place)
        self.folder = None if path is None else path if path.is_dir() else path.parent
        try:
            record = path is not None and path.is_file() and kind_of(path) in {RECORD, None}
        except OSError as error:
            raise InputError(f"{place}: cannot be read: {error.strerror or error}") from None
        if path is not None and (record or path.is_dir()):
            self.records = Folder(path)
        if not record:
            self.logs = _logs(place, alone=path is None or not path.is_dir())
        if path is not None and path.is_dir() and not self.logs and self.records and not self.records.paths():
            raise InputError(f"{place}: the folder holds no log; `oshihiki play` writes records of its games")
        if seat is not None and not self.logs:
            raise InputError(f"--seat {seat}: {place} is no log; records show the seat that was played")

    async def show(self, stage: Stage) -> None:
        """Show everything, and follow the records, until cancelled.

        Raises:
            InputError: the only log or record cannot be shown.
        """
        if self.logs:
            library = Library(self.logs, self._seat, stage)
            if self.records is None or not self.records.paths():
                await _show_first(library)
        if self.records is not None:
            await self.records.follow(stage)
        await asyncio.Event().wait()


async def _show_first(library: Library) -> None:
    """Show the first log that can be shown.

    Raises:
        InputError: there is none; says what is wrong with the first.
    """
    reasons = []
    for number in range(len(library.files)):
        try:
            await library.show(number)
        except LogError as error:
            reasons.append(str(error))
        else:
            return
    raise InputError(brief(reasons[0], 400) + (f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""))


def _logs(place: str, *, alone: bool) -> list[LogFile]:
    """The logs at a place, one of each game, without records; ``alone``: whether there must be one.

    Raises:
        InputError: there is none, and there must be, or the only one cannot be read.
    """
    found = list(Inputs([place]).every_game(whole=True, limit=MOST))
    whole = [file for file in found if is_whole(file)]
    if whole or not alone:
        return whole
    broken = next((file.error for file in found if file.error is not None), None)
    raise InputError(NO_LOG if broken is None else brief(str(broken), 400))
