"""``oshihiki train suji``: the counted danger tables."""

from __future__ import annotations

from typing import Any

from rich.console import Console

from bot.commands.train import Games, Json, Logs, Out, hand_over, training_games
from bot.errors import InputError
from engine.train.suji import SujiCounts


def suji(paths: Logs, out: Out = None, games: Games = 0, json: Json = False) -> None:
    """Count who is tenpai, on what it waits and what deal-ins cost. Games held back by their log id are never read.

    Examples:
      oshihiki train suji houou-hanchan-00.tar.xz tokujou-hanchan-00.tar.xz --out danger.json
    """
    hand_over(fit_suji(paths, games), out, json)


def fit_suji(paths: Logs, games: int = 0) -> dict[str, Any]:
    """The tables, and a card that says what they come from."""
    counts = SujiCounts()
    read = 0
    for log in training_games(paths, games, Console(stderr=True)):
        counts.observe(log.events)
        read += 1
    if not counts.paid:
        raise InputError("no game to count: give logs of four-player games")
    card = {
        "what": "tenpai by stance, melds and turn; waits by class of tile; points of a deal-in",
        "made_by": "oshihiki train suji",
        "sources": [path.name for path in paths],
        "games": read,
        "discards": counts.discards,
        "deal_ins": len(counts.paid),
        "held_back": "log ids whose hash falls in one tenth (engine.train.split)",
        "axes": "see engine.opponents.danger_tables.DangerTables",
    }
    return {"card": card, **counts.tables()}
