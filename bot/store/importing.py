"""The files in which earlier versions kept what the store holds are brought in; they stay as they are."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from sqlite3 import Connection
from tempfile import TemporaryDirectory
from typing import Final

from bot.machine.errors import InputError, Trouble
from bot.machine.outlet import print_error
from bot.machine.text import clean, plural
from bot.store import cards, guests, played, reviews
from bot.store.database import Store, shown, store_of

_Read = Callable[[Connection, Path, list[str]], int]


@dataclass(frozen=True, slots=True)
class _Kind:
    """One kind of file."""

    pattern: str  # where such files lie in a folder
    read: _Read  # adds what one of them holds and the store has not; says what it leaves out, and returns the number
    one: str  # what is counted
    many: str  # several of them


_KINDS: Final = (
    _Kind(played.RESULTS, played.bring_in, "game", "games"),
    _Kind(guests.GUESTS, guests.bring_in, "guest's running game", "guests' running games"),
    _Kind(cards.PRACTICE, cards.bring_in, "question that was practised", "questions that were practised"),
)
_REVIEWS: Final = _Kind(f"{reviews.DATA}/*.json", reviews.bring_in, "review", "reviews")


def bring_in(*folders: Path, with_reviews: bool = False) -> None:
    """Bring in what earlier versions kept in folders for records or reviews, and say on standard error what that was.

    A file is read once, and again if it has changed; what the store has already is not added a second time.

    Args:
        folders: the folders.
        with_reviews: whether reviews are brought in as well, also those that ``oshihiki audit -o`` wrote there.

    Raises:
        InputError: a store cannot be read or written.
    """
    for folder in folders:
        brought, left_out = _all_of(folder, (*_KINDS, _REVIEWS) if with_reviews else _KINDS)
        if brought:
            path = shown(store_of(folder).path)
            print_error(f"{path}: brought in {', '.join(brought)} of an earlier version; its files stay")
        _say_left_out(left_out)


@contextmanager
def brought_in(folder: Path) -> Iterator[Path]:
    """The folder, once what earlier versions kept is in its store; a copy for the block where it cannot be written.

    Raises:
        InputError: the store cannot be read.
    """
    try:
        bring_in(folder)
    except InputError as error:
        if error.trouble is not Trouble.NO_RIGHT:
            raise
    else:
        yield folder
        return
    with TemporaryDirectory(prefix="oshihiki-stats-") as place:
        copy, known = Path(place), store_of(folder).path
        old = (path for kind in _KINDS for path in folder.glob(kind.pattern))
        unread: list[str] = []
        for path in (*known.parent.glob(f"{known.name}*"), *old):  # the database has files beside it
            try:
                copyfile(path, copy / path.name)
            except OSError as error:
                unread.append(f"{shown(path)}: cannot be read: {error.strerror or error}")
        brought, left_out = _all_of(copy, _KINDS)
        if brought:
            print_error(f"{shown(folder)}: cannot be written; read {', '.join(brought)} of an earlier version")
        _say_left_out([*unread, *left_out])
        yield copy


def _all_of(folder: Path, kinds: Sequence[_Kind]) -> tuple[list[str], list[str]]:
    """Bring in the files of a folder; returns what that was, counted, and a sentence for each thing left out."""
    store = store_of(folder)
    with store.reading() as database:
        known = set(database.execute("SELECT file, size, changed FROM imported"))
    brought: list[str] = []
    left_out: list[str] = []
    for kind in kinds:
        count = 0
        for path in sorted(folder.expanduser().glob(kind.pattern)):
            count += _bring_in(store, kind, path, known, left_out)
        if count:
            brought.append(plural(count, kind.one, kind.many))
    return brought, left_out


def _say_left_out(left_out: Sequence[str]) -> None:
    if left_out:
        more = f", and {plural(len(left_out) - 1, 'more', 'more')}" if len(left_out) > 1 else ""
        print_error(f"not brought in: {left_out[0]}{more}")


def _bring_in(store: Store, kind: _Kind, path: Path, known: set[tuple[str, int, int]], left_out: list[str]) -> int:
    """Bring in one file unless it is known; returns the number of what was added."""
    where, wrong = shown(path), list[str]()
    try:
        status = path.stat()
        stamp = (_name(path, store), status.st_size, status.st_mtime_ns)
        if stamp in known:
            return 0
        if not path.is_file():
            left_out.append(f"{where}: is not a regular file")
            return 0
        with store.writing() as database:
            if database.execute("SELECT 1 FROM imported WHERE (file, size, changed) = (?, ?, ?)", stamp).fetchone():
                return 0  # another program was quicker
            count = kind.read(database, path, wrong)
            database.execute("INSERT OR REPLACE INTO imported VALUES (?, ?, ?)", stamp)
    except OSError as error:
        left_out.append(f"{where}: cannot be read: {error.strerror or error}")
        return 0
    left_out += (f"{where}: {each}" for each in wrong)
    return count


def _name(path: Path, store: Store) -> str:
    """The file as the store names it, wherever its folder is mounted."""
    return clean(path.absolute().relative_to(store.path.parent.absolute()).as_posix())
