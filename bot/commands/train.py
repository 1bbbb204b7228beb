"""``oshihiki train discards``: tables fitted on recorded games, and what such commands share."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from bot.errors import InputError
from engine.train.discards import Counts
from engine.train.split import held_back
from protocol.errors import LogError
from protocol.logs.formats import read_log
from protocol.logs.game_log import GameLog
from protocol.logs.sources import open_logs

Logs = Annotated[list[Path], typer.Argument(help="Logs, folders or archives of four-player games.")]
Out = Annotated[Path | None, typer.Option("--out", help="File to write; without it, standard output.")]
Games = Annotated[int, typer.Option("--games", min=0, help="Stop after so many games; 0: all.")]


Json = Annotated[bool, typer.Option("--json", help="Print the card alone, as one line of JSON.")]


def discards(paths: Logs, out: Out = None, games: Games = 0, json: Json = False) -> None:
    """Fit what others discard and when they end a hand. Games held back by their log id are never read.

    Examples:
      oshihiki train discards houou-hanchan-00.tar.xz --out discards.json
    """
    hand_over(fit_discards(paths, games), out, json)


def hand_over(tables: dict[str, Any], out: Path | None, json: bool) -> None:
    """Tables with their card: to the file, if one is named; to standard output the card alone, or else the tables."""
    if json:
        typer.echo(json_text.dumps(tables["card"], ensure_ascii=False))
    if out is not None or not json:
        write(render(tables), out)


def write(text: str, out: Path | None) -> None:
    """To the file, or to standard output."""
    if out is None:
        typer.echo(text)
    else:
        out.write_text(text + "\n", encoding="utf-8")


def every_game(paths: list[Path], games: int, screen: Console) -> Iterator[GameLog]:
    """The games of some logs, at most so many (0: all); what cannot be read is named and passed over.

    The archives are read in turns, so that few games are of all kinds.
    """
    sources = [open_logs([path]) for path in paths]
    given = 0
    for file in (file for row in zip_longest(*sources) for file in row if file is not None):
        try:
            log = read_log(file)
        except LogError as error:
            screen.print(str(error), style="yellow", markup=False, highlight=False)
            continue
        yield log
        given += 1
        if given == games:
            return


def training_games(paths: list[Path], games: int, screen: Console) -> Iterator[GameLog]:
    """Those that may be fitted on."""
    fit = (log for log in every_game(paths, 0, screen) if not held_back(log.info.log_id))
    return islice(fit, games or None)


def fit_discards(paths: list[Path], games: int = 0) -> dict[str, Any]:
    """The tables, and a card that says what they come from."""
    counts = Counts()
    read = 0
    for log in training_games(paths, games, Console(stderr=True)):
        counts.observe(log.events)
        read += 1
    if not read:
        raise InputError("no game to fit on: give logs of four-player games")
    card = {
        "what": "discards of the others by kind and own draws left, ends of hands, tenpai at the exhaustive draw",
        "made_by": "oshihiki train discards",
        "sources": [path.name for path in paths],
        "games": read,
        "kyoku": counts.kyoku,
        "held_back": "log ids whose hash falls in one tenth (engine.train.split)",
        "axes": "see engine.search.discard_tables.DiscardTables",
    }
    return {"card": card, **counts.tables()}


def render(tables: dict[str, Any]) -> str:
    """JSON with one innermost list a line."""
    lines = []
    for name, value in tables.items():
        body = json_text.dumps(value, indent=1, ensure_ascii=False) if name == "card" else _nested(value, 1)
        lines.append(f"{json_text.dumps(name)}: {body}")
    return "{\n" + ",\n".join(lines) + "\n}"


def render_card(card: dict[str, Any]) -> str:
    """A card as JSON, one fact a line; what a fact is made of beside it, two levels down one line each."""
    lines = []
    for name, value in card.items():
        text = json_text.dumps(value, ensure_ascii=False)
        if isinstance(value, dict) and len(text) > 100:
            inner = [f"  {json_text.dumps(key)}: {_facts(part)}" for key, part in value.items()]
            text = "{\n" + ",\n".join(inner) + "\n }"
        lines.append(f" {json_text.dumps(name)}: {text}")
    return "{\n" + ",\n".join(lines) + "\n}"


def _facts(value: Any) -> str:
    text = json_text.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict) or len(text) < 100:
        return text
    return (
        "{\n"
        + ",\n".join(f"   {json_text.dumps(key)}: {json_text.dumps(part)}" for key, part in value.items())
        + "\n  }"
    )


def _nested(value: Any, depth: int) -> str:
    if not isinstance(value[0], list):
        return json_text.dumps(value)
    inner = (",\n" + " " * depth).join(_nested(item, depth + 1) for item in value)
    return f"[\n{' ' * depth}{inner}]"
