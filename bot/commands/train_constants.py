"""``oshihiki train constants``: the policies' constants beside the same figures counted on recorded games."""

from __future__ import annotations

import json as json_text

import typer
from rich import box
from rich.table import Table

from bot.commands.training import HELD_BACK, Games, Logs, card_of, count_games
from bot.errors import InputError
from bot.outlet import output_screen
from bot.text import plural
from engine.train.constants import ConstantCounts


def constants(
    paths: Logs,
    games: Games = 0,
    json: bool = typer.Option(False, "--json", help="Print the card and the figures as JSON."),
) -> None:
    """Count the figures behind the policies' constants. Games held back by their log id are never read.

    The constants are not changed; docs/policies.md says where each comes from.

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
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("constant", "in use", "counted", "out of"):
        table.add_column(column, justify="left" if column == "constant" else "right")
    for row in rows:
        counted = f"{row.counted:,.0f}" if row.counted >= 1_000 else f"{row.counted:.4g}"
        table.add_row(row.name, f"{row.constant:,g}", counted, f"{row.n:,}")
    out = output_screen()
    out.print(plural(read, "game"), highlight=False)
    out.print(table)
