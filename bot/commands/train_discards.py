"""``oshihiki train discards``: what the others discard, counted on recorded games."""

from __future__ import annotations

from typing import Any

from bot.commands.training import HELD_BACK, Games, Json, Logs, Out, card_of, count_games, hand_over, outputs_for
from bot.errors import InputError
from engine.train.discards import Counts


def discards(paths: Logs, out: Out = None, games: Games = 0, json: Json = False) -> None:
    """Fit what others discard and when they end a hand. Games held back by their log id are never read.

    Examples:
      oshihiki train discards houou-hanchan-00.tar.xz --out discards.json
    """
    outputs = outputs_for(out, *paths)
    hand_over(fit_discards(paths, games), out, json, outputs)


def fit_discards(paths: Logs, games: int = 0) -> dict[str, Any]:
    """The tables and their card."""
    counts = Counts()
    read = count_games(counts, paths, games)
    if not read:
        raise InputError("there is no game to fit on; give logs of four-player games")
    card = card_of(
        "train discards",
        "discards of the others by kind and own draws left, ends of hands, tenpai at the exhaustive draw",
        paths,
        games=read,
        kyoku=counts.kyoku,
        held_back=HELD_BACK,
        axes="see engine.search.discard_tables.DiscardTables",
    )
    return {"card": card, **counts.tables()}
