"""``oshihiki train suji``: the counted danger tables."""

from __future__ import annotations

from typing import Any

from bot.commands.training import HELD_BACK, Games, Json, Logs, Out, card_of, count_games, hand_over, outputs_for
from bot.errors import InputError
from engine.train.suji import SujiCounts


def suji(paths: Logs, out: Out = None, games: Games = 0, json: Json = False) -> None:
    """Count who is tenpai, on what they wait and what deal-ins cost. Games held back by their log id are never read.

    Examples:
      oshihiki train suji houou-hanchan-00.tar.xz tokujou-hanchan-00.tar.xz --out danger.json
    """
    outputs = outputs_for(out, *paths)
    hand_over(fit_suji(paths, games), out, json, outputs)


def fit_suji(paths: Logs, games: int = 0) -> dict[str, Any]:
    """The tables and their card."""
    counts = SujiCounts()
    read = count_games(counts, paths, games)
    if not counts.paid:
        raise InputError("there is no game to count; give logs of four-player games")
    card = card_of(
        "train suji",
        "tenpai by stance, melds and turn; waits by class of tile; points of a deal-in",
        paths,
        games=read,
        discards=counts.discards,
        deal_ins=len(counts.paid),
        held_back=HELD_BACK,
        axes="see engine.opponents.danger_tables.DangerTables",
    )
    return {"card": card, **counts.tables()}
