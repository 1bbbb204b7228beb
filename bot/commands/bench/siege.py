"""``oshihiki bench siege``: a lobby under attack by hostile clients while honest ones play."""

from __future__ import annotations

import asyncio
import json as json_text
from typing import Annotated, Final

import typer

from bot.chaos.siege import besiege
from bot.commands.options import JsonFigures
from bot.machine import logs
from bot.machine.outlet import error_screen, output_screen
from bot.runs.preparation import warm_up
from engine.model.rules import TONPU
from protocol.tenhou.game_type import GameType

TABLE: Final = GameType(TONPU, people=True)


def siege(
    seconds: Annotated[float, typer.Option(min=1.0, help="Length of the siege in seconds.")] = 300.0,
    clients: Annotated[int, typer.Option(min=0, help="Number of hostile clients.")] = 200,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the attacks.")] = 0,
    json: JsonFigures = False,
) -> None:
    """Let hostile clients attack a lobby while four honest ones play there, and measure the effect on the honest ones.

    The lobby and the hostile clients are processes of their own. Hostile clients flood, squat, stay deaf or mute, send
    nonsense and fragments, try the names of others, and come and go, from four addresses of this machine. Exit code 0:
    every honest game has ended, no honest answer was late, and the lobby stayed within its memory and threads.

    Examples:
      oshihiki bench siege --seconds 30
      oshihiki bench siege --json
    """
    warm_up(error_screen(), ())
    close = logs.set_up("error")
    try:
        besieged = asyncio.run(besiege(seconds, clients, seed, TABLE))
    finally:
        close()
    figures = besieged.fields()
    if json:
        typer.echo(json_text.dumps(figures))
    else:
        out = output_screen()
        out.print("bench siege", style="bold")
        for name, figure in figures.items():
            for key, value in figure.items() if isinstance(figure, dict) else [("", figure)]:
                out.print(f"  {name} {key}".ljust(40), value, highlight=False)
    faults = besieged.faults()
    for fault in faults:
        typer.echo(fault, err=True)
    if faults:
        raise typer.Exit(1)
