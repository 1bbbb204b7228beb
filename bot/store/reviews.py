"""The reviews that are kept: what was judged, and what the page and the rows beside the table are made of."""

import gzip
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from sqlite3 import Connection
from typing import Final, NamedTuple

from bot.machine.errors import InputError
from bot.machine.files import read_small
from bot.store.database import store_of


class Head(NamedTuple):
    """A review, as a list of them needs it."""

    made: int  # when, in nanoseconds since 1970
    page: bool  # whether it has a page; one of an earlier version need not


def keep(folder: Path, name: str, made: int, fields: str, rows: str, page: str) -> None:
    """Keep a review whole, in place of one of that name.

    Args:
        folder: the folder of the reviews.
        name: its name.
        made: when it was made, in nanoseconds since 1970.
        fields: its fields, of its decisions only the differences, as JSON.
        rows: the decisions as they stand beside the table, as JSON; empty if the document is kept, or none were.
        page: the whole document of which the page is made (:mod:`bot.review.kept`), or the page itself, as earlier
            versions made it; empty if it has none.

    Raises:
        InputError: it cannot be written.
    """
    with store_of(folder).writing() as database:
        _put(database, name, made, (fields, rows, page))


def _put(database: Connection, name: str, made: int, texts: tuple[str, str, str]) -> int:
    packed = [zlib.compress(text.encode("utf-8", "replace")) if text else b"" for text in texts]
    return database.execute("INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)", (name, made, *packed)).rowcount


def heads(folder: Path) -> dict[str, Head]:
    """Every review by its name.

    Raises:
        InputError: the store cannot be read.
    """
    with store_of(folder).reading() as database:
        rows = database.execute("SELECT name, made, length(page) > 0 FROM reviews ORDER BY name")
        return {name: Head(made, bool(page)) for name, made, page in rows}


def text(folder: Path, name: str, part: str) -> str:
    """A part of a review, ``fields``, ``rows`` or ``page``; empty if it is not kept.

    Raises:
        InputError: the store cannot be read, or the review is damaged.
    """
    with store_of(folder).reading() as database:
        found = database.execute(f"SELECT {part} FROM reviews WHERE name = ?", (name,)).fetchone()
    try:
        return zlib.decompress(found[0]).decode() if found and found[0] else ""
    except (zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{name}: the review is damaged ({error}); delete it and review the game again") from None


def delete(folder: Path, names: Iterable[str]) -> None:
    """Delete reviews, all or none.

    Raises:
        InputError: they cannot be deleted.
    """
    with store_of(folder).writing() as database:
        database.executemany("DELETE FROM reviews WHERE name = ?", ((name,) for name in names))


# -- the files of earlier versions, and of audit -o --------------------------------------------------------------------

DATA: Final = "data"
"""Folder of the fields, a file of JSON for each review."""
PAGES: Final = "games"
"""Folder of the pages."""
_ROWS: Final = "rows"
"""Folder of the rows."""
LARGEST: Final = 1 << 26
"""Bytes of the largest file that is kept of a review; that of a long hanchan has 0.3 MB."""


def bring_in(database: Connection, path: Path, left_out: list[str]) -> int:
    """Add a review with its rows and its page; returns their number.

    Args:
        database: the store.
        path: the file of its fields.
        left_out: takes a sentence if it is no review.
    """
    try:
        fields = read_small(path, DATA, LARGEST)
        known = json.loads(fields)
    except (InputError, ValueError, RecursionError):
        left_out.append("is damaged; review the game again")
        return 0
    if known == {}:  # the player does not play in that log
        return 0
    if not isinstance(known, dict) or known.get("format") != "oshihiki-audit":
        left_out.append("is no review")
        return 0
    folder, name = path.parent.parent, path.stem
    if database.execute("SELECT 1 FROM reviews WHERE name = ?", (name,)).fetchone():
        return 0
    texts = fields, _rows_in(folder / _ROWS / f"{name}.json.gz"), _page_in(folder / PAGES / f"{name}.html")
    return _put(database, name, path.stat().st_mtime_ns, texts)


def _rows_in(path: Path) -> str:
    try:
        return gzip.decompress(path.read_bytes()).decode()
    except (OSError, EOFError, ValueError, zlib.error):
        return ""


def _page_in(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
