"""The games that were played, one row each."""

import codecs
import json
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from sqlite3 import Connection
from typing import Annotated, Final, NamedTuple

from pydantic import AfterValidator, Field, StrictFloat, StrictInt, StrictStr, ValidationError

from bot.machine.text import hide
from bot.machine.values import first_fault, from_json
from bot.store.database import store_of


def _time(text: str) -> str:
    """A time as it is kept.

    Raises:
        ValueError: it is none.
    """
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds")
    except ValueError:
        raise ValueError("it is no time such as 2026-03-01T23:10:00+09:00") from None


_MOST: Final = 10**9
"""Maximum of a count, far beyond any."""
_Time = Annotated[StrictStr, AfterValidator(_time)]
_Count = Annotated[StrictInt, Field(ge=0, le=_MOST)]
_Points = Annotated[StrictInt, Field(ge=-_MOST, le=_MOST)]
_Figure = Annotated[StrictFloat, Field(ge=-_MOST, le=_MOST)]


class Entry(NamedTuple):
    """One game of one account; a tuple, of which a million are made in seconds."""

    at: _Time  # when it ended, ISO 8601 with the offset of local time
    account: StrictStr  # label of the account
    server: StrictStr  # host, or ``embedded`` for our own lobby
    lobby: _Count  # number of the lobby
    game_type: _Count  # Tenhou's type bits
    placement: Annotated[StrictInt, Field(ge=1, le=4)] | None = None  # 1 to 4; None if it is not known
    score: _Points | None = None  # final points; None if they are not known
    result: _Figure | None = None  # result points in thousands, including uma; None if the server did not say
    # dan, points, rate: the account's before the game; None for a guest
    dan: Annotated[StrictInt, Field(ge=0, le=100)] | None = None
    points: _Points | None = None
    rate: _Figure | None = None
    drops: _Count = 0  # number of connections lost
    log: StrictStr = ""  # log id of the game
    # who played: the policy's name with its settings, or ``human``; empty in entries of older versions
    policy: StrictStr = ""

    @property
    def day(self) -> date:
        """The local date on which it ended."""
        return datetime.fromisoformat(self.at).date()


_COLUMNS: Final = ", ".join(Entry._fields)
_ADD: Final = f"({_COLUMNS}) VALUES ({', '.join('?' * len(Entry._fields))})"


def append(folder: Path, one: Entry) -> None:
    """Add a game to the store of a folder; it is on the disk when this returns.

    Raises:
        InputError: it cannot be written; what was there is unchanged.
    """
    with store_of(folder).writing() as database:
        database.execute(f"INSERT INTO games {_ADD}", _without_secrets(one))


def _without_secrets(one: Entry) -> Entry:
    """The game as it may be kept: a server may send back the key that it was given as the name of anything."""
    return Entry._make(_hidden(value) if isinstance(value, str) else value for value in one)


def _hidden(text: str) -> str:
    return hide(text.encode("utf-8", "replace").decode())


def read(folder: Path) -> Iterator[Entry]:
    """Yield all games in the store of a folder, in the order in which they were kept; they are read one by one.

    Raises:
        InputError: the store cannot be read.
    """
    with store_of(folder).reading() as database:
        for row in database.execute(f"SELECT {_COLUMNS} FROM games ORDER BY id"):
            yield Entry._make(row)


def state(folder: Path) -> tuple[int, int]:
    """A value that differs once games have been added.

    Raises:
        InputError: the store cannot be read.
    """
    with store_of(folder).reading() as database:
        count, last = database.execute("SELECT count(*), ifnull(max(id), 0) FROM games").fetchone()
        return count, last


# -- the file of earlier versions --------------------------------------------------------------------------------------

RESULTS: Final = "results.ndjson"
"""Name of the file in which earlier versions kept results, a line of JSON each."""
_LINE: Final = 1 << 16
"""Bytes of the longest line that is read; a result has a few hundred."""


def bring_in(database: Connection, path: Path, left_out: list[str]) -> int:
    """Add the games of a file of results that are not there yet; returns their number.

    A game is there as often as its line stands in the file, however often and from however many copies it is read.

    Args:
        database: the store.
        path: the file.
        left_out: takes a sentence for each line that is no game.

    Raises:
        OSError: the file cannot be read.
    """
    same = " AND ".join(f"here.{name} IS there.{name}" for name in Entry._fields)
    database.execute(f"CREATE TEMP TABLE found AS SELECT {_COLUMNS} FROM games LIMIT 0")
    try:
        database.executemany(f"INSERT INTO found {_ADD}", _entries(path, left_out))
        return database.execute(
            f"INSERT INTO games ({_COLUMNS}) SELECT {_COLUMNS} FROM ("
            f"SELECT *, rowid AS line, row_number() OVER (PARTITION BY {_COLUMNS} ORDER BY rowid) AS times FROM found"
            f") AS there WHERE times > (SELECT count(*) FROM games AS here WHERE {same}) ORDER BY line"
        ).rowcount
    finally:
        database.execute("DROP TABLE found")


def _entries(path: Path, left_out: list[str]) -> Iterator[Entry]:
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(_LINE):
            number += 1
            whole = line.endswith(b"\n")
            text = line.removeprefix(codecs.BOM_UTF8).strip()
            if not text:
                continue
            try:
                fields = json.loads(text)
            except (ValueError, RecursionError):
                left_out.append(f"line {number} is {'not JSON' if whole else 'cut off'}")
                continue
            if not isinstance(fields, dict):
                left_out.append(f"line {number} is not an object with the fields of a game")
                continue
            try:
                known = {name: fields[name] for name in Entry._fields if name in fields}
                yield _without_secrets(from_json(Entry, known))
            except ValidationError as error:
                left_out.append(f"line {number}: {first_fault(error)}")
