"""``oshihiki lobby``: tables for clients that speak Tenhou's protocol."""

import json as json_text
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from bot.commands.options import ConfigFile
from bot.config import load, override
from bot.deciding.players import PlayerSpec, needs_of
from bot.lobby import LobbyConfig, LobbyServer, TableResult
from bot.machine.errors import InputError
from bot.machine.outlet import Outlet, console, error_screen, standard_output
from bot.machine.preparation import warm_up
from bot.machine.stop import run_until_stopped
from bot.machine.text import brief, plural
from bot.play.wiring import start_logging
from engine.model.seats import by_score

DEFAULTS: Final = LobbyConfig()
NEWS: Final = 20
"""Maximum number of lines a second about clients that come, play and go."""


def lobby(
    config: ConfigFile = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0: any free port.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the walls and seats of all games.")] = 0,
    people: Annotated[
        int, typer.Option(min=1, max=4, help="Number of clients that a table against people waits for.")
    ] = DEFAULTS.people,
    patience: Annotated[
        float, typer.Option(min=0.0, help="Seconds after which it begins with fewer.")
    ] = DEFAULTS.patience,
    record: Annotated[
        Path | None, typer.Option(help="Folder for the games, as mjlog XML and tenhou.net/6 JSON.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the address, and then each game, as a line of JSON.")
    ] = False,
) -> None:
    """Offer tables to clients that speak Tenhou's protocol, until SIGINT or SIGTERM.

    Practice tables (type bit 1 clear) start at once with built-in players; tables against people wait for clients.

    Examples:
      oshihiki lobby
      oshihiki lobby --port 7001 --people 2 --record games
    """
    settings = override(load(config), {"lobby.host": host, "lobby.port": port})
    offered = LobbyConfig(settings.lobby, seed=seed, people=people, patience=patience, folder=record)
    warm_up(error_screen(), needs_of(map(PlayerSpec.parse, settings.lobby.seats)) | {"simulator"})
    close_log = start_logging(settings)
    try:
        run_until_stopped(_serve(offered, as_json=json))
    except OSError as error:
        where = f"{settings.lobby.host}:{settings.lobby.port}"
        raise InputError(f"lobby: cannot listen on {where}: {error.strerror or error}; choose another --port") from None
    finally:
        close_log()


async def _serve(config: LobbyConfig, *, as_json: bool) -> None:
    output = standard_output()
    screen = console(output)
    news = _News(screen)
    async with LobbyServer(config if as_json else replace(config, news=news.tell)).serve() as server:
        if as_json:
            _say(output, {"url": server.url})
        else:
            screen.print(f"Lobby at [bold]{server.url}[/bold] · press Ctrl-C to close it")
        games = 0
        while True:
            games += 1
            result = await server.ended(games)
            if as_json:
                figures = {
                    "hands": result.hands,
                    "names": result.log.start.names,  # as the clients gave them
                    "scores": result.end.scores,
                    "results": result.end.results,
                    "illegal": result.illegal,
                    "late": result.late,
                    "files": [str(file) for file in result.files],
                }
                _say(output, figures)
            else:
                screen.print(_summary(result), highlight=False, markup=False)


class _News:
    """Says who comes, plays and goes; of a flood only the beginning."""

    def __init__(self, screen: Console) -> None:
        self._screen = screen
        self._since = 0.0
        self._said = 0

    def tell(self, line: str) -> None:
        """Print a line, unless too many were printed within this second."""
        now = monotonic()
        if now - self._since >= 1.0:
            if self._said > NEWS:
                self._print(f"… and {plural(self._said - NEWS, 'line')} more like that")
            self._since, self._said = now, 0
        self._said += 1
        if self._said <= NEWS:
            self._print(line)

    def _print(self, line: str) -> None:
        self._screen.print(line, style="dim", highlight=False, markup=False)


def _say(output: Outlet, figures: dict[str, Any]) -> None:
    """Print one line of JSON; a reader that has gone does not close the lobby."""
    output.write(f"{json_text.dumps(figures, ensure_ascii=False)}\n")
    output.flush()


def _summary(result: TableResult) -> str:
    """A summary of one game in one line."""
    names = result.log.start.names
    points = result.end.results or (0.0, 0.0, 0.0, 0.0)
    order = by_score(result.end.scores)
    standing = "  ".join(f"{brief(names[seat])} {result.end.scores[seat]} ({points[seat]:+.1f})" for seat in order)
    faults = f"  illegal {result.illegal}, late {result.late}" if result.illegal or result.late else ""
    kept = f"  → {result.files[0]}" if result.files else ""
    return f"{plural(result.hands, 'hand')}: {standing}{faults}{kept}"
