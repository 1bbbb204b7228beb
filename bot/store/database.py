"""The file in which everything is kept that is no text: one SQLite database, opened for each reading or change.

SQLite promises what several programs, a full disk and a killed process need: a change is kept whole or not at all, and
is on the disk when it is over. No connection stays open between two of them.
"""

import errno
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from platformdirs import user_data_path

from bot.machine.errors import InputError, Trouble, writing_trouble
from bot.machine.files import PRIVATE
from bot.machine.outlet import print_error
from bot.machine.text import clean

FILE: Final = "oshihiki.db"
"""Name of the file."""
VERSION: Final = 1
"""Version of the tables, which the file states (``user_version``)."""
WAIT: Final = 5.0
"""Seconds for which another program's change is waited for."""
_DEFAULT: Final = ("records", "reviews")
"""Folders of the data folder that have no file of their own, but share that of the data folder."""
_OURS: Final = int.from_bytes(b"OSHI")
"""What the file says that it is (``application_id``)."""
_WIDE: Final = "BETWEEN -1000000000 AND 1000000000"
_SCHEMA: Final = f"""
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL CHECK (at GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T*'
        AND date(substr(at, 1, 19)) IS NOT NULL),
    account TEXT NOT NULL,
    server TEXT NOT NULL,
    lobby INTEGER NOT NULL CHECK (lobby BETWEEN 0 AND 1000000000),
    game_type INTEGER NOT NULL CHECK (game_type BETWEEN 0 AND 1000000000),
    placement INTEGER CHECK (placement BETWEEN 1 AND 4),
    score INTEGER CHECK (score {_WIDE}),
    result REAL CHECK (result {_WIDE}),
    dan INTEGER CHECK (dan BETWEEN 0 AND 100),
    points INTEGER CHECK (points {_WIDE}),
    rate REAL CHECK (rate {_WIDE}),
    drops INTEGER NOT NULL CHECK (drops BETWEEN 0 AND 1000000000),
    log TEXT NOT NULL,
    policy TEXT NOT NULL
) STRICT;
CREATE INDEX games_by_time ON games (at);
CREATE TABLE guests (
    server TEXT NOT NULL,
    label TEXT NOT NULL,
    gpid TEXT NOT NULL,
    PRIMARY KEY (server, label)
) STRICT;
CREATE TABLE choices (name TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (json_valid(value))) STRICT;
CREATE TABLE cards (
    key TEXT PRIMARY KEY,
    asked INTEGER NOT NULL CHECK (asked BETWEEN 0 AND 1000000000),
    missed INTEGER NOT NULL CHECK (missed BETWEEN 0 AND asked),
    card TEXT NOT NULL CHECK (json_valid(card))
) STRICT;
CREATE TABLE reviews (
    name TEXT PRIMARY KEY,
    made INTEGER NOT NULL,
    fields BLOB NOT NULL,
    rows BLOB NOT NULL,
    page BLOB NOT NULL
) STRICT;
CREATE TABLE imported (file TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL) STRICT;
PRAGMA application_id = {_OURS};
PRAGMA user_version = {VERSION};
"""
"""``at`` is ISO 8601 with the offset of local time, ``made`` and ``changed`` are nanoseconds since 1970. ``fields``,
``rows`` and ``page`` are compressed. ``imported`` has the files of earlier versions that were brought in."""


def data_folder() -> Path:
    """The user's data folder."""
    return user_data_path("oshihiki", appauthor=False)


@dataclass(frozen=True, slots=True)
class Store:
    """The database of a folder; see :func:`store_of`."""

    path: Path  # the file, which need not exist

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that reads; without a file there are the tables, and nothing in them.

        Raises:
            InputError: the file cannot be read; the message says why, and how to mend it.
        """
        with _explained(self.path, "read"), closing(self._opened(self._to_read, "read")) as database:
            yield database

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection whose changes are kept together when the block ends, or not at all if it fails.

        The file is created if necessary, for its owner's eyes only: whoever knows a guest's ``gpid`` owns the seat.

        Raises:
            InputError: the file cannot be written; the message says why, and how to mend it.
        """
        with _explained(self.path, "written"), closing(self._opened(self._to_write, "written")) as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise

    def _opened(self, way: Callable[[], sqlite3.Connection], done: str) -> sqlite3.Connection:
        try:
            return way()
        except (OSError, RuntimeError) as error:  # RuntimeError: links that lead in a circle
            reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
            raise InputError(f"{shown(self.path)}: cannot be {done}: {reason}", writing_trouble(error), FILE) from None

    def _to_read(self) -> sqlite3.Connection:
        if not _is_there(self.path):
            return _empty()
        try:
            return self._checked(sqlite3.connect(f"{self._uri}?mode=rw", WAIT, uri=True, isolation_level=None))
        except sqlite3.OperationalError as error:
            if _code(error) not in {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY} or _is_there(self._log):
                raise
        # in a folder that we may not write, where nobody is writing
        unchanged = f"{self._uri}?mode=ro&immutable=1"
        return self._checked(sqlite3.connect(unchanged, WAIT, uri=True, isolation_level=None))

    def _to_write(self) -> sqlite3.Connection:
        if not _is_there(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, PRIVATE))
        database = sqlite3.connect(self.path, WAIT, isolation_level=None)
        try:
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA secure_delete = ON")  # nobody finds the seat of a guest in the file
            if _version(database) is None:
                _choose_journal(self.path)
                _make_tables(database)
        except BaseException:
            database.close()
            raise
        return self._checked(database)

    def _checked(self, database: sqlite3.Connection) -> sqlite3.Connection:
        """The connection, if the file is one of ours and of a version that we know."""
        try:
            version = _version(database)
        except BaseException:
            database.close()
            raise
        if version is None:  # no program has made the tables yet
            database.close()
            return _empty()
        if version > VERSION:
            database.close()
            raise InputError(
                f"{shown(self.path)}: was written by a later version of Oshihiki (version {version} of the file; "
                f"this one reads {VERSION}); update it, or name another folder"
            )
        return database

    @property
    def _uri(self) -> str:
        return self.path.absolute().as_uri()

    @property
    def _log(self) -> Path:
        """SQLite's own file beside the database, there while somebody uses it or after a process was killed."""
        return self.path.with_name(f"{self.path.name}-wal")


def store_of(folder: Path) -> Store:
    """The store of a folder: of those for records and reviews in the data folder, the one file of the data folder.

    Args:
        folder: where records or reviews are kept; one that the user has named has a file of its own.
    """
    above = data_folder()
    return Store((above if folder in {above / name for name in _DEFAULT} else folder.expanduser()) / FILE)


def shown(path: Path) -> str:
    """A path as messages name it."""
    return clean(str(path))


# -- the file ----------------------------------------------------------------------------------------------------------


def _is_there(path: Path) -> bool:
    """Whether there is a file.

    Raises:
        OSError: something else is in its place, or it cannot be looked at.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    return True


def _version(database: sqlite3.Connection) -> int | None:
    """The version of the tables; None where nobody has made them yet.

    Raises:
        sqlite3.DatabaseError: it is another program's database.
    """
    (ours,) = database.execute("PRAGMA application_id").fetchone()
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if ours == _OURS and tables:
        return int(version)
    if ours or tables:
        raise sqlite3.DatabaseError("it is another program's database")
    return None


def _empty() -> sqlite3.Connection:
    """A database with nothing in it, which is gone with its connection."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.executescript(_SCHEMA)
    return database


def _make_tables(database: sqlite3.Connection) -> None:
    database.execute("BEGIN IMMEDIATE")
    if _version(database) is None:  # another program may have made them meanwhile
        for statement in filter(str.strip, _SCHEMA.split(";\n")):
            database.execute(statement)
    database.execute("COMMIT")


def _choose_journal(path: Path) -> None:
    """Let readers and a writer of a new file work side by side, unless the file system cannot share memory."""
    until = monotonic() + WAIT
    while True:
        try:
            with closing(sqlite3.connect(path, WAIT, isolation_level=None)) as database:
                (mode,) = database.execute("PRAGMA journal_mode = WAL").fetchone()
                database.execute("BEGIN IMMEDIATE")
                if mode == "wal":
                    return
                break
        except sqlite3.OperationalError as error:
            if _code(error) == sqlite3.SQLITE_FULL or (_code(error) == sqlite3.SQLITE_BUSY and monotonic() > until):
                raise
            if _code(error) != sqlite3.SQLITE_BUSY:
                break
        sleep(0.01)  # SQLite itself does not wait for a program that does this at the same time
    with closing(sqlite3.connect(path, WAIT, isolation_level=None)) as database:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")  # or the log that cannot be opened could not be given up
        database.execute("PRAGMA journal_mode = DELETE")
    _say_once(f"{shown(path)}: this file system has no write-ahead log; programs wait for each other instead")


@lru_cache
def _say_once(line: str) -> None:
    print_error(line)


@contextmanager
def _explained(path: Path, done: str) -> Iterator[None]:
    """Name the file and what to do in place of SQLite's errors; ``done``: what cannot be done with the file."""
    try:
        yield
    except OverflowError as error:
        raise InputError(f"{shown(path)}: cannot be {done}: {error}", source=FILE) from None
    except sqlite3.Error as error:
        why, trouble = _reason(error, done)
        raise InputError(f"{shown(path)}: {why}", trouble, FILE) from None


def _code(error: sqlite3.Error) -> int:
    """SQLite's number of an error, without its details; 0 if it has none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _reason(error: sqlite3.Error, done: str) -> tuple[str, Trouble]:
    """What an error means, and its kind."""
    match _code(error):
        case sqlite3.SQLITE_FULL:
            return f"cannot be {done}: the disk is full; what was there is unchanged", Trouble.DISK_FULL
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            why = f"cannot be {done}: another program has kept it locked for {WAIT:g} s; try again when it is done"
            return why, Trouble.NOT_WRITTEN
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            why = f"cannot be {done}: the file, its folder and the files beside it must be writable"
            return why, Trouble.NO_RIGHT
        case sqlite3.SQLITE_IOERR:
            return f"cannot be {done}: {error}; look after the disk", Trouble.NOT_WRITTEN
        case sqlite3.SQLITE_CONSTRAINT:
            return f"cannot be {done}: it takes no such value ({error})", Trouble.INPUT
        case _:
            why = (
                f"is damaged ({error}); rename it, together with the files beside it whose names begin with its name, "
                "and a new one is begun with what the files of earlier versions hold; "
                "the command sqlite3 reads with .recover what is left in the old one"
            )
            return why, Trouble.INPUT
