"""``oshihiki stats``: the games played, summed up by day and account."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot import results, wiring
from bot.commands.options import ConfigFile
from bot.config import load
from bot.errors import InputError
from bot.text import brief

COLUMNS = ("day", "account", "games", "places", "mean", "result", "dan pts", "rank", "drops")
LEFT = ("day", "account", "rank")


def stats(
    config: ConfigFile = None,
    folder: Annotated[Path | None, typer.Option(help="Folder of the records; default: the configuration's.")] = None,
    days: Annotated[int, typer.Option(min=1, help="Number of days with games, the latest ones.")] = 14,
    account: Annotated[str | None, typer.Option(help="Only this account, by its label.")] = None,
    server: Annotated[str | None, typer.Option(help="Only this server: its host, or 'embedded'.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the days as JSON.")] = False,
) -> None:
    """Show placements, results, dan points and ratings, day by day.

    ``play`` writes a line for each finished game to results.ndjson beside the records. Dan points are what the games
    are worth by Tenhou's table; dan, points and rating are those that the server reported before the day's last game.

    Examples:
      oshihiki stats
      oshihiki stats --config my.toml --days 7 --json
    """
    place = folder or wiring.record_folder(load(config))
    try:
        entries = results.read(place)
    except OSError as error:
        raise InputError(f"{place / results.FILE}: cannot be read: {error.strerror}") from None
    wanted = [
        one for one in entries if account in (None, one.account) and server in (None, one.server)
    ]  # fmt: skip
    found = results.days(wanted)
    last = sorted({day.day for day in found})[-days:]
    shown = [day for day in found if day.day in last]
    if json:
        typer.echo(json_text.dumps({"days": [day.fields() for day in shown]}, ensure_ascii=False))
        return
    if not shown:
        typer.echo(f"no games yet in {place / results.FILE}")
        return
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in COLUMNS:
        table.add_column(column, justify="left" if column in LEFT else "right", no_wrap=column != "account")
    for day in shown:
        mean = day.mean_placement
        table.add_row(
            day.day.isoformat(),
            Text(brief(day.account)),
            str(day.games),
            "/".join(map(str, day.placements)),
            "" if mean is None else f"{mean:.2f}",
            f"{day.result:+.1f}",
            f"{day.dan_points:+.0f}",
            "" if day.rank is None else f"{_rank(day.rank[0])} {day.rank[1]} R{day.rank[2]:.0f}",
            str(day.drops),
        )
    Console().print(table)


def _rank(dan: int) -> str:
    """The name of a rank index."""
    if dan == 0:
        return "新人"
    if dan >= 20:
        return "天鳳位"
    return f"{10 - dan}級" if dan < 10 else f"{dan - 9}段"
