"""``oshihiki play``: whole games over a real websocket, in an embedded lobby unless a server is configured."""

from __future__ import annotations

import asyncio
import json as json_text
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.filesize import decimal
from rich.status import Status

from bot import config as configuration
from bot import wiring
from bot.accounts import read_accounts
from bot.commands.options import ConfigFile, PolicyName, Tonpu
from bot.config import Config
from bot.errors import TERMINATED
from bot.live.stop import stop_on_sigterm
from bot.live.view import LiveView, standings
from bot.outlet import console, standard_error, standard_output
from bot.players import PlayerSpec, needs_of
from bot.progress import warm_up
from bot.season import Season

PACE: Final = 0.1
"""Seconds before each answer while somebody watches."""
SHOWN: Final = 10
"""Number of games at the end of a run that are listed one by one."""


def play(
    games: Annotated[
        int, typer.Option("--games", "-n", min=0, help="Number of games of each account; 0: until stopped.")
    ] = 1,
    seed: Annotated[int | None, typer.Option(help="Seed of the policy, and of the embedded lobby's walls.")] = None,
    policy: PolicyName = None,
    fast: Annotated[bool, typer.Option("--fast", help="Use the fast clock: 3 s per answer and 5 s per hand.")] = False,
    tonpu: Tonpu = False,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON, and do not show the table.")] = False,
    config: ConfigFile = None,
    record: Annotated[Path | None, typer.Option(help="File (.jsonl) or folder for the record of each game.")] = None,
    pace: Annotated[
        float | None, typer.Option(min=0.0, max=3.0, help="Seconds to wait before each answer (0.1 at a terminal).")
    ] = None,
) -> None:
    """Play whole games over a websocket, in an embedded lobby unless the configuration names a server.

    On a terminal the table is shown during play or, with several accounts, a status line. A lost connection is reopened
    and the game resumed. SIGTERM stops after the game; a second SIGTERM, or SIGINT, stops at once. The result of each
    game is kept for `oshihiki stats`.

    Exit code 0: played to the end, or stopped after a game; 1: a game was lost, or an answer was late or illegal; 2:
    bad input; 130 and 143: stopped at once.

    Examples:
      oshihiki play
      oshihiki play --games 2 --seed 7 --json
      oshihiki play --tonpu --fast --record games/
      oshihiki play --config my.toml
      oshihiki play --config my.toml --games 0
    """
    chosen = configuration.override(
        configuration.load(config),
        {
            "policy.seed": seed,
            "policy.name": policy,
            "game.fast": fast or None,
            "game.length": "tonpu" if tonpu else None,
            "record.folder": str(record) if record else None,
        },
    )
    stopped, season = _run(chosen, games, pace, json=json)
    if stopped:
        raise typer.Exit(TERMINATED)
    tally = season.tally
    if tally.illegal or tally.late or tally.failed or season.lost:
        raise typer.Exit(1)


def _run(chosen: Config, games: int, pace: float | None, *, json: bool) -> tuple[bool, Season]:
    """Play the games and show their results. Returns whether a second SIGTERM stopped them at once, and the season."""
    accounts = read_accounts(chosen)
    close = wiring.start_logging(chosen, accounts)
    output, screen = standard_output(), console(standard_error())
    out = console(output)
    watched = out.is_terminal and not json and len(accounts) == 1
    season = Season(chosen, accounts, games, pace if pace is not None else PACE if watched else 0.0)
    if watched:
        season.watch = lambda stack, names: (stack.enter_context(LiveView(names, out)),)
    stopped = False
    try:
        warm_up(screen, needs_of((wiring.player(chosen), *map(PlayerSpec.parse, chosen.lobby.seats))))
        note = wiring.caution(chosen)
        if note:
            screen.print(f"oshihiki: {note}", style="yellow", markup=False, highlight=False)
        asyncio.run(_play(season, screen, show_status=not watched))
    except asyncio.CancelledError:
        stopped = True
    finally:
        close()
        if json:
            output.write(f"{json_text.dumps(season.fields())}\n")
        elif season.results:
            _show(out, season)
    return stopped, season


async def _play(season: Season, screen: Console, *, show_status: bool) -> None:
    with ExitStack() as stack:
        stop = stack.enter_context(stop_on_sigterm(lambda text: screen.print(f"oshihiki: {text}", highlight=False)))
        if show_status and screen.is_terminal:
            line = stack.enter_context(Status(season.status(), console=screen))
            telling = asyncio.create_task(_tell_status(season, line))
            stack.callback(telling.cancel)
        await season.play(stop)


async def _tell_status(season: Season, line: Status) -> None:
    while True:
        await asyncio.sleep(1.0)
        line.update(season.status())


def _show(out: Console, season: Season) -> None:
    """Print the games for people."""
    tally = season.tally
    shown = season.results[-SHOWN:]
    for number, result in enumerate(shown, len(season.results) - len(shown) + 1):
        title = f"game {number} of {len(season.results)}" if len(season.results) > 1 else "the game"
        out.print(f"{title}: place {result.placement or 'unknown'}", style="bold", highlight=False)
        if result.scores is not None:
            out.print(standings(result.names, result.scores, result.results, result.seat))
    if len(season.results) > 1:
        out.print(season.status(), highlight=False)
    ms = tally.decision_ms()
    out.print(
        f"{tally.hands} hands, {tally.decisions} decisions, {tally.illegal} illegal, {tally.late} late; "
        f"a decision took {ms['p50']:.1f} ms (median), {ms['max']:.1f} ms (longest)",
        highlight=False,
        soft_wrap=True,
    )
    for name, paths in (("record", season.records[-SHOWN:]), ("log", season.logs[-2 * SHOWN :])):
        for path in paths:
            size = decimal(path.stat().st_size)
            out.print(f"{name}: {path} ({size})", highlight=False, soft_wrap=True, markup=False)
