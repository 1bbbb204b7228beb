"""A log to watch."""

from __future__ import annotations

from pathlib import Path

from protocol.logs.formats import LogFile, read_log

LOG = Path(__file__).parents[3] / "docs" / "examples" / "game.xml"


def game():
    return read_log(LogFile("game.xml", "mjlog", LOG.read_bytes()))
