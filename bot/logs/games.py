"""Chooses one log of each game where several files contain it.

A folder of records holds each game several times: the client's record, the server's log as XML, and the same log as
JSON. Files with the same log id are of the same game. A record shows what one seat saw, and also what it decided; two
records of a game are of different clients, and neither replaces the other.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from bot.logs.sources import PassedOver
from protocol.errors import LogError
from protocol.logs.formats import FORMATS, LogFile, read_log, read_session
from protocol.logs.game_log import LOG_ID, plain_id

_ID: Final = LOG_ID.encode()
_stated_id: Final = re.compile(rb'(?:"ref"\s*:\s*"|<TAIKYOKU\b[^>]*?\blog=")(' + _ID + rb")").search
_session_ids: Final = re.compile(rb"TAIKYOKU\b[^>\n]*?\blog\W{1,8}(" + _ID + rb")").findall
_id_in_name: Final = re.compile(LOG_ID).search
_ORDER: Final = {name: at for at, name in enumerate(FORMATS)}
"""Formats by preference: mjlog identifies physical tiles, tenhou.net/6 has results, mjai has neither."""

Open = Callable[[], Iterable[LogFile]]
Key = tuple[str, int]
"""A file: its name, and how many files of that name came before it."""


@dataclass(frozen=True, slots=True)
class _Copy:
    """One file of a game."""

    key: Key
    format: str
    digest: bytes

    @property
    def is_view(self) -> bool:
        """Whether it shows one seat's view."""
        return FORMATS[self.format].session is not None


def log_id(file: LogFile) -> str:
    """The log id of the game that a file contains, or, for a whole game, that its name states; empty if unknown.

    A captured session of several games has none.
    """
    if not file.format:
        return ""
    if FORMATS[file.format].session is not None:
        ids = set(_session_ids(file.data))
        return ids.pop().decode() if len(ids) == 1 else ""
    stated = _stated_id(file.data)
    if stated is not None:
        return stated[1].decode()
    named = _id_in_name(file.name)
    return plain_id(named[0]) if named else ""


def each_game_once(open_files: Open, *, whole: bool) -> tuple[Iterator[LogFile], list[PassedOver]]:
    """The files without those whose game another file shows, and what was left out.

    Files are read twice: once to see which games they contain, and again when they are taken from the iterator. Files
    without a log id, and files that cannot be opened, are all kept.

    Args:
        open_files: begins to read the files; always in the same order.
        whole: whether the log of the whole game is preferred to the records of it; otherwise all of its records are
            kept, and the log only if there are none. A file that can be read is preferred to one that cannot.
    """
    copies: dict[str, list[_Copy]] = {}
    for key, file in _numbered(open_files()):
        if game := log_id(file):
            copies.setdefault(game, []).append(_Copy(key, file.format, blake2b(file.data).digest()))
    several = {game: found for game, found in copies.items() if len(found) > 1}
    if not several:
        return iter(open_files()), []
    unreadable = _unreadable(open_files, {copy.key for found in several.values() for copy in found})
    left_out: dict[Key, PassedOver] = {}
    for found in several.values():
        kept = _kept([copy for copy in found if copy.key not in unreadable] or found, whole=whole)
        used = f"the {'record' if kept[0].is_view else 'log'} of the same game is used: {kept[0].key[0]}"
        for copy in found:
            if copy not in kept:
                worse = copy.key in unreadable and kept[0].key not in unreadable
                why = f"cannot be read; {used}" if worse else used
                left_out[copy.key] = PassedOver(copy.key[0], why)
    return (file for key, file in _numbered(open_files()) if key not in left_out), list(left_out.values())


def _kept(copies: list[_Copy], *, whole: bool) -> list[_Copy]:
    views: dict[bytes, _Copy] = {}
    for copy in copies:
        if copy.is_view:
            views.setdefault(copy.digest, copy)
    games = sorted((copy for copy in copies if not copy.is_view), key=lambda copy: _ORDER[copy.format])
    return games[:1] if games and (whole or not views) else list(views.values())


def _numbered(files: Iterable[LogFile]) -> Iterator[tuple[Key, LogFile]]:
    seen: Counter[str] = Counter()
    for file in files:
        yield (file.name, seen[file.name]), file
        seen[file.name] += 1


def _unreadable(open_files: Open, wanted: set[Key]) -> set[Key]:
    """Those of some files that contain no game, or only a part of one."""
    found = set()
    for key, file in _numbered(open_files()):
        if key not in wanted:
            continue
        try:
            if read_session(file) is None:
                read_log(file)
        except LogError:
            found.add(key)
    return found
