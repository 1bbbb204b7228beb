"""The pages that are being served: a note in their folder, by which other commands open them in place of their own.

The note holds the link with the secret of the run, for its owner's eyes only, and is taken away at the end. One that a
killed program has left behind, or whose port another program has taken, is found out: what listens there has to prove
that it has the user's key.
"""

import hmac
import http.client
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from bot.machine.files import PRIVATE, replace_file
from bot.page.loopback import HOST, proof_of_program

NOTE: Final = "open.json"
"""Name of the note."""
SECONDS: Final = 3.0
"""Seconds for which the program that is noted has to answer."""


class Running(NamedTuple):
    """Pages that are being served."""

    link: str  # lets a browser in; the path of a page may follow it
    address: str  # the address for browsers that have been let in
    records: str  # folder of the records that it lists


@contextmanager
def noted(folder: Path, running: Running) -> Iterator[None]:
    """Leave a note until the block ends; where none can be written, other commands serve their own pages."""
    path = folder / NOTE
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)  # with its rights, whatever they were
        replace_file(path, json.dumps(running._asdict()).encode(), PRIVATE)
    try:
        yield
    finally:
        if _note(path) == running:  # and not that of another program, which came later
            with suppress(OSError):
                path.unlink()


def running(folder: Path, key: bytes | None) -> Running | None:
    """The pages that are being served for a folder; None if there are none.

    Args:
        folder: the folder of the reviews.
        key: the user's key; see :func:`bot.page.loopback.kept_key`.
    """
    found = _note(folder / NOTE)
    return found if found is not None and key is not None and _proves_itself(found, key) else None


def _note(path: Path) -> Running | None:
    try:
        fields: Any = json.loads(path.read_bytes()[: 1 << 16])
        return Running(**{name: str(fields[name]) for name in Running._fields})
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def _proves_itself(found: Running, key: bytes) -> bool:
    """Whether what listens there proves in time that it has the key, however slowly it says something else."""
    proved: list[bool] = []
    asking = Thread(target=lambda: proved.append(_asked_for_proof(found, key)), daemon=True)
    asking.start()
    asking.join(SECONDS)
    return proved == [True]


def _asked_for_proof(found: Running, key: bytes) -> bool:
    name, nonce = secrets.token_urlsafe(16), secrets.token_urlsafe(16)
    try:
        parts = urlsplit(found.address)
        if parts.hostname != HOST or parts.port is None or not found.link.startswith(found.address):
            return False
        line = http.client.HTTPConnection(HOST, parts.port, timeout=SECONDS)
        try:
            line.request("GET", f"{parts.path}known/{name}/{nonce}")
            said: Any = json.loads(line.getresponse().read(1 << 12))
            expected = proof_of_program(key, parts.port, name, nonce, str(said["nonce"]))
            return hmac.compare_digest(str(said["proof"]).encode(), expected.encode())
        finally:
            line.close()
    except (OSError, ValueError, LookupError, TypeError, http.client.HTTPException, RecursionError):
        return False
