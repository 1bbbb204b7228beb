"""Keeps finished games: mjlog XML and tenhou.net/6 JSON, named by log id."""

from __future__ import annotations

import secrets
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from protocol.errors import ProtocolError
from protocol.logs.formats import FORMATS, write_log
from protocol.logs.game_log import GameLog

log = structlog.get_logger(__name__)

WRITTEN: Final = ("mjlog", "tenhou6")


def new_log_id(now: datetime, game_type: int, lobby: str) -> str:
    """An id as Tenhou forms them: hour, type, lobby, and eight digits that no other game has."""
    number = "".join(filter(str.isdigit, lobby)) or "0"
    return f"{now:%Y%m%d%H}gm-{game_type:04x}-{int(number) % 10_000:04d}-{secrets.token_hex(4)}"


def record(game: GameLog, folder: Path | None) -> tuple[Path, ...]:
    """Write a game in every format, and return the files. What cannot be written is logged: the table goes on."""
    if folder is None:
        return ()
    files = []
    for name in WRITTEN:
        file = folder / f"{game.info.log_id}{FORMATS[name].suffix}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(write_log(game, name), encoding="utf-8")
        except (OSError, ProtocolError) as error:
            log.exception("game not recorded", file=str(file), reason=str(error))
        else:
            files.append(file)
    return tuple(files)
