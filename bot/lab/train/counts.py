"""``oshihiki train constants``, ``discards`` and ``suji``: figures that are counted on recorded games."""

import json as json_text
from typing import Any

import typer

from bot.commands.options import JsonFigures, figures_table
from bot.lab.training import HELD_BACK, Games, JsonCard, Logs, Out, card_of, count_games, hand_over
from bot.machine.errors import InputError
from bot.machine.outlet import output_screen
from bot.machine.outputs import Outputs
from bot.machine.text import plural
from engine.train.constants import ConstantCounts
from engine.train.discards import Counts
from engine.train.suji import SujiCounts


def constants(
    paths: Logs,
    games: Games = 0,
    json: JsonFigures = False,
) -> None:
    """Count the figures behind the policies' constants. Games held back by their log id are never read.

    The constants are not changed; docs/lab/constants.md says where each comes from.

    Examples:
      oshihiki train constants houou-hanchan-00.tar.xz --games 500
    """
    counts = ConstantCounts()
    read = count_games(counts, paths, games)
    rows = counts.rows()
    if not rows:
        raise InputError("there is no game to count; give logs of four-player games")
    if json:
        card = card_of(
            "train constants", "figures behind constants of the policies", paths, games=read, held_back=HELD_BACK
        )
        typer.echo(json_text.dumps({"card": card, "figures": [row._asdict() for row in rows]}, ensure_ascii=False))
        return
    table = figures_table("constant", "in use", "counted", "out of")
    for row in rows:
        counted = f"{row.counted:,.0f}" if row.counted >= 1_000 else f"{row.counted:.4g}"
        table.add_row(row.name, f"{row.constant:,g}", counted, f"{row.n:,}")
    out = output_screen()
    out.print(plural(read, "game"), highlight=False)
    out.print(table)


def discards(paths: Logs, out: Out = None, games: Games = 0, json: JsonCard = False) -> None:
    """Fit what others discard and when they end a hand. Games held back by their log id are never read.

    Examples:
      oshihiki train discards houou-hanchan-00.tar.xz --out discards.json
    """
    outputs = Outputs("--out", paths, out)
    hand_over(fit_discards(paths, games), out, outputs, json=json)


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


def suji(paths: Logs, out: Out = None, games: Games = 0, json: JsonCard = False) -> None:
    """Count who is tenpai, on what they wait and what deal-ins cost. Games held back by their log id are never read.

    Examples:
      oshihiki train suji houou-hanchan-00.tar.xz tokujou-hanchan-00.tar.xz --out danger.json
    """
    outputs = Outputs("--out", paths, out)
    hand_over(fit_suji(paths, games), out, outputs, json=json)


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
