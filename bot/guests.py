"""With what a guest may take up its game again, kept on disk so that a program started anew can."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import structlog

log = structlog.get_logger()

FILE: Final = "guests.json"
"""In the folder of the records."""
_PRIVATE: Final = 0o600


class Guests:
    """The ``gpid`` of each guest's running game, by server and label. Never logged: whoever knows it has the seat.

    Where the disk fails the games go on; a program started anew then seeks another table.
    """

    def __init__(self, folder: Path, server: str) -> None:
        """Nothing is read or written yet.

        Args:
            folder: of the records.
            server: whose games they are, by its address.
        """
        self._file = folder / FILE
        self._server = server

    def running(self, label: str) -> str | None:
        """Of the game that a guest left running; None: it left none, or nothing tells of it."""
        gpid = self._read().get(self._server, {}).get(label)
        return gpid if isinstance(gpid, str) else None

    def keep(self, label: str, gpid: str | None) -> None:
        """A guest plays, or with None its game is over. On disk when this returns."""
        kept = self._read()
        ours = kept.setdefault(self._server, {})
        if ours.get(label) == gpid:
            return
        if gpid is None:
            ours.pop(label, None)
        else:
            ours[label] = gpid
        try:
            self._write({server: guests for server, guests in kept.items() if guests})
        except OSError as error:
            log.error("a guest's game is not kept", reason=error.strerror or "it cannot be written")  # noqa: TRY400

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {server: guests for server, guests in kept.items() if isinstance(guests, dict)}

    def _write(self, kept: dict[str, dict[str, Any]]) -> None:
        """In one step, and readable for nobody else."""
        if not kept:
            self._file.unlink(missing_ok=True)
            return
        self._file.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._file.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "w", encoding="utf-8") as file:
            json.dump(kept, file)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._file)
