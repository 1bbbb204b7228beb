"""The games that guests left running, by server and label. Never logged: whoever knows a ``gpid`` owns the seat."""

import json
from pathlib import Path
from sqlite3 import Connection
from typing import Final

from bot.store.database import store_of


def running(folder: Path, server: str, label: str) -> str | None:
    """The ``gpid`` of the game that a guest left running; None if there is none.

    Raises:
        InputError: the store cannot be read.
    """
    with store_of(folder).reading() as database:
        found = database.execute("SELECT gpid FROM guests WHERE server = ? AND label = ?", (server, label)).fetchone()
        return None if found is None else str(found[0])


def keep(folder: Path, server: str, label: str, gpid: str | None) -> None:
    """Keep the ``gpid`` of a guest's game; None means that the game is over. It is on the disk when this returns.

    Raises:
        InputError: it cannot be written.
    """
    with store_of(folder).writing() as database:
        if gpid is None:
            database.execute("DELETE FROM guests WHERE server = ? AND label = ?", (server, label))
        else:
            database.execute("INSERT OR REPLACE INTO guests VALUES (?, ?, ?)", (server, label, gpid))


# -- the file of earlier versions --------------------------------------------------------------------------------------

GUESTS: Final = "guests.json"
"""Name of the file in which earlier versions kept the games of guests, by server and label."""


def bring_in(database: Connection, path: Path, left_out: list[str]) -> int:
    """Add the games of a file that are not there yet; returns their number.

    Args:
        database: the store.
        path: the file.
        left_out: takes a sentence if the file is damaged.

    Raises:
        OSError: the file cannot be read.
    """
    try:
        servers = json.loads(path.read_text(encoding="utf-8"))
        rows = [(server, label, gpid) for server, guests in servers.items() for label, gpid in guests.items()]
    except (ValueError, AttributeError, RecursionError):
        left_out.append("is damaged")
        return 0
    texts = [row for row in rows if isinstance(row[2], str)]
    return sum(database.execute("INSERT OR IGNORE INTO guests VALUES (?, ?, ?)", row).rowcount for row in texts)
