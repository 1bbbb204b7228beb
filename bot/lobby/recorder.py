"""Stores finished games as mjlog XML and tenhou.net/6 JSON, named by log id."""

from __future__ import annotations

import secrets
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from bot.machine.disk import create_private
from bot.machine.text import brief
from protocol.errors import ProtocolError
from protocol.logs.formats import FORMATS, write_log
from protocol.logs.game_log import GameLog

log = structlog.get_logger(__name__)

WRITTEN: Final = ("mjlog", "tenhou6")


def new_log_id(now: datetime, game_type: int, lobby: str) -> str:
    """A new log id in Tenhou's form: hour, type, lobby, and eight random digits."""
    number = "".join(filter(str.isdigit, lobby)) or "0"
    return f"{now:%Y%m%d%H}gm-{game_type:04x}-{int(number) % 10_000:04d}-{secrets.token_hex(4)}"


def record(game: GameLog, folder: Path | None) -> tuple[Path, ...]:
    """Write a game in every format, readable by the owner only; returns the files. Errors are logged, never raised."""
    if folder is None:
        return ()
    files = []
    for name in WRITTEN:
        file = folder / f"{game.info.log_id}{FORMATS[name].suffix}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            create_private(file, write_log(game, name).encode())
        except (OSError, ProtocolError) as error:
            log.error("the game was not stored", file=str(file), reason=brief(str(error)))  # noqa: TRY400
        else:
            files.append(file)
    return tuple(files)
