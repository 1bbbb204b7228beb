"""``oshihiki watch``: recorded games on the live page, also while they are being played, and logs of any format."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from bot.commands.browser import show_running
from bot.commands.options import Fetch, WatchPort
from bot.logs.addresses import is_address
from bot.logs.sources import STDIN
from bot.machine.errors import InputError
from bot.machine.inputs import NO_LOG, Inputs
from bot.machine.outlet import error_screen, say
from bot.machine.stop import run_until_stopped
from bot.machine.text import brief
from bot.page.loopback import kept_key
from bot.page.running import running
from bot.store import played
from bot.store.database import data_folder
from bot.watch.library import MOST, RECORD, Folder, Library, is_whole, kind_of
from bot.watch.place import page_of
from bot.watch.stage import Stage
from protocol.errors import LogError
from protocol.logs.formats import LogFile


def watch(
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE", help="A log or record, a folder or archive of them, a link; -: standard input."
        ),
    ],
    seat: Annotated[
        int | None,
        typer.Option("--seat", min=0, max=3, help="Whose view of a log is shown first; 0, the default, deals first."),
    ] = None,
    port: WatchPort = None,
    fetch: Fetch = False,
) -> None:
    """Show games on a page of this machine, until Ctrl-C: logs in any format, records, a folder or archive of them.

    The page steps through a game by events, decisions and hands, plays it by itself, changes the seat, opens the hidden
    hands, and reviews it: the review then stands beside the table. Records of the bot's games show its decisions, their
    figures and reasons; one that is being written is followed live, so that a bot that runs elsewhere on this machine
    can be watched. Logs, and records of its own games, are shown on the page of an `oshihiki open` that is running,
    which keeps the logs.

    Examples:
      oshihiki watch game.xml --seat 2
      oshihiki watch games.tar.xz
      oshihiki watch "https://tenhou.net/6/#json=…"
      oshihiki watch games/
    """
    watched = Watched(place, seat, fetch=fetch)
    kept, key = data_folder() / "reviews", kept_key(data_folder())
    found = running(kept, key) if port is None else None
    if found is not None and watched.records_are_of(Path(found.records)):
        with suppress(InputError):  # logs that cannot be kept there are shown by a page of their own
            place_there = _place_of(watched, seat, kept, Path(found.records))
            show_running("watch", found, place_there, error_screen(), start=True)
            return
    run_until_stopped(_watch(watched, port))


def _place_of(watched: "Watched", seat: int | None, kept: Path, records: Path) -> str:
    """Keep logs as if they had been dropped on the page, and say where it shows them: the only game, or the list."""
    from bot.home.library import Library  # noqa: PLC0415 - a page of one's own starts faster without it

    library = Library(kept, records)
    names = [library.keep(file).stem for file in watched.logs if file.error is None]
    names += [] if watched.records is None else [path.stem for path in watched.records.paths()]
    return f"watch/#show={names[0]}{'' if seat is None else f'&seat={seat}'}" if len(names) == 1 else "#watch"


async def _watch(watched: "Watched", port: int | None) -> None:
    screen = error_screen()
    folder = watched.folder
    key = kept_key(data_folder())
    async with page_of(lambda: iter(()) if folder is None else played.read(folder), port, key=key) as server:
        say(screen, f"watch: {server.link}")
        await watched.show(server.stage)


class Watched:
    """The records and the logs of one place.

    Attributes:
        records: the records, which are followed; None if there are none.
        logs: the other logs.
        folder: where the results of games are kept; None if the place is no file or folder.
    """

    def __init__(self, place: str, seat: int | None = None, *, fetch: bool = False) -> None:
        """Look at the place.

        Args:
            place: a file, a folder, an archive, a link, or ``-`` for standard input.
            seat: whose view of a log is shown first; a record has a seat of its own.
            fetch: whether a log that an address names is asked for.

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
            self.logs = _logs(place, alone=path is None or not path.is_dir(), fetch=fetch)
        if path is not None and path.is_dir() and not self.logs and self.records and not self.records.paths():
            raise InputError(f"{place}: the folder holds no log; `oshihiki play` writes records of its games")
        if seat is not None and not self.logs:
            raise InputError(f"--seat {seat}: {place} is no log; records show the seat that was played")

    def records_are_of(self, folder: Path) -> bool:
        """Whether there are no records but those of a folder, which the page of that folder lists and follows."""
        return self.records is None or not self.records.paths() or self.records.folder.absolute() == folder

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


def _logs(place: str, *, alone: bool, fetch: bool) -> list[LogFile]:
    """The logs at a place, one of each game, without records; ``alone``: whether there must be one.

    Raises:
        InputError: there is none, and there must be, or the only one cannot be read.
    """
    found = list(Inputs([place], fetch=fetch).every_game(whole=True, limit=MOST))
    whole = [file for file in found if is_whole(file)]
    if whole or not alone:
        return whole
    broken = next((file.error for file in found if file.error is not None), None)
    raise InputError(NO_LOG if broken is None else brief(str(broken), 400))
