"""What a guest needs to resume its game, kept on disk so that a restarted program can do it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

import structlog

log = structlog.get_logger()

FILE: Final = "guests.json"
"""Name of the file in the folder of the records."""
_PRIVATE: Final = 0o600


class Guests:
    """The ``gpid`` of each guest's running game, by server and label. Never logged: whoever knows it owns the seat.

    If the disk fails, the games go on; a restarted program then looks for another table.
    """

    def __init__(self, folder: Path, server: str) -> None:
        """Nothing is read or written yet.

        Args:
            folder: folder of the records.
            server: address of the server the games are on.
        """
        self._file = folder / FILE
        self._server = server

    def running(self, label: str) -> str | None:
        """The ``gpid`` of the game that a guest left running, or None if there is no such game or it is not known."""
        gpid = self._read().get(self._server, {}).get(label)
        return gpid if isinstance(gpid, str) else None

    def keep(self, label: str, gpid: str | None) -> None:
        """Store the ``gpid`` of a guest's game; None means that the game is over. It is on disk when this returns."""
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
            log.error("the guest's game was not stored", reason=error.strerror or "it cannot be written")  # noqa: TRY400

    def _read(self) -> dict[str, dict[str, Any]]:
        try:
            kept = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(kept, dict):
            return {}
        return {server: guests for server, guests in kept.items() if isinstance(guests, dict)}

    def _write(self, kept: dict[str, dict[str, Any]]) -> None:
        """Write the file in one step, readable by the owner only."""
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
