"""Files, folders and addresses dropped on the page: they come in pieces, are read as logs, and kept."""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Final

from bot.home.games import end_of, places_of
from bot.home.library import Library
from bot.logs.addresses import is_address
from bot.logs.sources import PassedOver, Source, find_sources, open_logs
from bot.machine.errors import InputError, Trouble
from bot.machine.fetch import Archive
from bot.machine.inputs import fetched
from bot.machine.sockets import Flow
from bot.machine.text import brief
from bot.machine.threads import DaemonThread
from bot.page.loopback import Asked
from bot.page.server import Browser, Place
from bot.review.recording import Recording, read_recording
from bot.wording.opponents import as_people_from
from bot.wording.troubles import trouble_words
from protocol.errors import LogError
from protocol.logs.formats import LogFile

LARGEST: Final = 64 << 20
"""Bytes that are taken at once."""
MOST: Final = 1_000
"""Number of logs that are taken at once."""
KEPT: Final = 256 << 20
"""Bytes of the logs that are taken at once, unpacked."""
SECONDS: Final = 60.0
"""Seconds after which no more is read of what was dropped."""
TOLD: Final = 20
"""Number of files that could not be read which are named."""
_NAME: Final = 120
"""Characters of a name that messages show."""


@dataclass(slots=True)
class Dropped:
    """The logs found in what was dropped, and what could not be read."""

    games: dict[str, dict[str, Any]] = field(default_factory=dict)  # by its name, each log that was kept
    errors: list[dict[str, str]] = field(default_factory=list)  # by language, what could not be read, and why
    missing: dict[str, int | None] = field(default_factory=dict)  # ids of logs that are not here, and their seats
    left_out: int = 0  # number of further errors
    asking: bool = False  # whether the logs that are not here are being asked for
    wanted: bool = True  # whether anybody still wants to know

    def fields(self) -> dict[str, Any]:
        """The values as the page takes them."""
        return {
            "games": list(self.games.values()),
            "errors": self.errors,
            "missing": list(self.missing),
            "left_out": self.left_out,
        }

    def complain(self, error: LogError | InputError) -> None:
        """Add an error; of many only the first are named."""
        if len(self.errors) < TOLD:
            self.errors.append(trouble_words(error, brief(str(error), 300)))
        else:
            self.left_out += 1

    def take(self, files: Iterator[LogFile], library: Library, until: float) -> None:
        """Keep logs, as many as fit, until a point in time."""
        size = 0
        for file in files:
            if not self.wanted:
                return
            size += len(file.data)
            if len(self.games) >= MOST or size > KEPT or time.monotonic() > until:
                why = "not everything was read: that is more than is taken at once; use oshihiki audit"
                self.complain(InputError(why, Trouble.TOO_MUCH))
                return
            self._take(file, library)

    def _take(self, file: LogFile, library: Library) -> None:
        if file.log_id and (kept := library.log_with_id(file.log_id)) is not None:
            file = next((replace(one, seat=file.seat) for one in open_logs([kept])), file)
        if file.log_id:
            self.missing.setdefault(file.log_id, file.seat)
            return
        try:
            recording = read_recording(file)
            with library.keeping:
                key = library.keep(file).stem
                self.games[key] = _game(key, file, recording)
        except (LogError, InputError) as error:
            self.complain(error)


def _game(key: str, file: LogFile, recording: Recording) -> dict[str, Any]:
    """A log that was kept, as the page shows it."""
    viewer, end = recording.viewer, end_of(recording)
    return {
        "key": key,
        "title": brief(file.name.rpartition("/")[2], 60),
        "names": [brief(name, 24) for name in recording.names],
        "called": [brief(name, 24) for name in as_people_from(recording.names, 0)[0]],
        "places": None if end is None else places_of(end),
        "seat": file.seat if viewer is None else viewer,
        "only": viewer is not None,
    }


class _EnoughError(Exception):
    """So much was passed over, or so little is wanted, that nothing more is read."""


def read_dropped(name: str, data: bytes, library: Library, dropped: Dropped) -> None:
    """Read what was dropped under a name, and keep the logs in it. It takes time, and runs in a thread.

    Args:
        name: the name; untrusted.
        data: the bytes: a log, an archive, a list of addresses, or an address.
        library: where logs are kept.
        dropped: what was found.
    """
    until = time.monotonic() + SECONDS

    def skip(_file: PassedOver) -> None:
        if time.monotonic() > until or not dropped.wanted:
            raise _EnoughError

    name = brief(name, _NAME) or "file"
    text = data[: 1 << 17].decode("utf-8", "replace").strip()
    found = Source(name, data=data)
    if len(data) <= 1 << 17 and "\n" not in text and is_address(text):
        found = find_sources([text])[0]
        found = Source(name, data=found.data, seat=found.seat, error=found.error, log_id=found.log_id)
    before = len(dropped.games) + len(dropped.missing) + len(dropped.errors) + dropped.left_out
    try:
        dropped.take(open_logs([found], skip), library, until)
    except _EnoughError:
        why = f"{name}: not everything was read: it takes too long to unpack"
        dropped.complain(InputError(why, Trouble.TOO_SLOW, name))
    if before == len(dropped.games) + len(dropped.missing) + len(dropped.errors) + dropped.left_out:
        why, trouble = f"{name}: holds no log", Trouble.NOTHING_FOUND
        if dropped.games:
            why, trouble = f"{name}: holds no further log (the games are there already)", Trouble.NOTHING_MORE
        dropped.complain(InputError(why, trouble, name))


class Dropping(Place):
    """Takes files in pieces: ``{"name", "size"}``, then the bytes, file by file, and ``{"end": true}``.

    Attributes:
        dropped: what was found since the page was cleared.
    """

    flow = Flow(rate=64e6, burst=96e6, unsent=1 << 20)
    most = 2
    longest = 1 << 16

    def __init__(
        self, library: Library, on_change: Callable[[str], None], archive: Archive, fetched: Path | None
    ) -> None:
        """Prepare.

        Args:
            library: where logs are kept.
            on_change: called with the name of the file that is being read; empty if none is.
            archive: the server that is asked for logs.
            fetched: where its logs are kept; None: where all commands keep them, so that none is asked for twice.
        """
        super().__init__()
        self.dropped = Dropped()
        self._library, self._on_change = library, on_change
        self._archive, self._fetched = archive, fetched
        self._one = asyncio.Lock()
        self._reader = DaemonThread("drop")  # always the same: each thread holds on to memory that it has used once

    def page(self, asked: Asked) -> str | None:  # noqa: ARG002
        """None: nothing is shown here, pages only send files."""
        return None

    async def talk(self, browser: Browser) -> None:
        """Take files until the browser says that it was all."""
        try:
            whole = await self._take(browser)
        finally:
            self._on_change("")
        await browser.close(*((1000,) if whole else (1008, "not taken")))

    async def _take(self, browser: Browser) -> bool:
        """Whether files came as they should, to the end."""
        name, wanted, parts, total = "", 0, bytearray(), 0
        async for said in browser.hear():
            match said:
                case bytes() if name and total + len(said) <= LARGEST and len(parts) + len(said) <= wanted:
                    parts += said
                    total += len(said)
                case {"name": str(new), "size": int(size)} if not name and 0 <= size <= LARGEST - total:
                    name, wanted = new or "file", size
                case {"name": str(new), "size": int()} if not name:
                    much = f"more than {LARGEST >> 20} MiB at once; use oshihiki audit FILE -o FOLDER"
                    shown = brief(new, _NAME) or "file"
                    self.dropped.complain(InputError(f"{shown}: {much}", Trouble.TOO_MUCH, shown))
                    return False
                case {"end": True} if not name:
                    return True
                case _:
                    return False
            if name and len(parts) == wanted:
                await self._read(name, bytes(parts))
                name, wanted, parts = "", 0, bytearray()
        return False

    async def _read(self, name: str, data: bytes) -> None:
        async with self._one:
            self._on_change(brief(name, _NAME))
            reading = partial(read_dropped, name, data, self._library, self.dropped)
            await asyncio.wrap_future(self._reader.submit(reading))

    def clear(self) -> None:
        """Forget what was found; what is being read or asked for is given up."""
        self.dropped.wanted = False
        self.dropped = Dropped()
        self._on_change("")

    def fetch(self) -> None:
        """Ask for the logs that were named and are not here, one a second, unless they are being asked for."""
        if not self.dropped.asking:
            self.dropped.asking = True
            self.start(self._ask(self.dropped))

    async def _ask(self, dropped: Dropped) -> None:
        for log_id, seat in list(dropped.missing.items()):
            if not dropped.wanted:
                return
            where = self._archive.address(log_id)
            self._on_change(where)
            dropped.missing.pop(log_id, None)
            file = LogFile(where, log_id=log_id, seat=seat)
            files = fetched(file, {}, self._archive, self._fetched, lambda: dropped.wanted)
            await asyncio.to_thread(dropped.take, files, self._library, inf)
        dropped.asking = False
        if dropped.wanted:
            self._on_change("")

    async def end(self) -> None:
        """Nothing more is read or asked for."""
        self.dropped.wanted = False
        self._reader.close()
        await super().end()
