"""Attack the bot for as long as one likes: ``python tests/chaos/run.py survive | soak | siege | pages [--json]``.

Exit code 0: nothing was lost, stuck, illegal or broken; 1: something was.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

sys.path[:0] = [str(Path(__file__).parents[2])]

from bot.commands.options import JsonFigures, print_figures  # noqa: E402  from this folder's root
from bot.machine.logs import only_errors  # noqa: E402
from bot.machine.outlet import error_screen, output_screen  # noqa: E402
from bot.machine.preparation import warm_up  # noqa: E402
from tests.chaos import pages as storms  # noqa: E402
from tests.chaos import siege as sieges  # noqa: E402
from tests.chaos import survive as trials  # noqa: E402
from tests.chaos.table import Trial  # noqa: E402

Seed = Annotated[int, typer.Option(min=0, help="Seed of walls, players, faults and attacks.")]
Seconds = Annotated[float, typer.Option(min=1.0, help="Length of the attack in seconds.")]
Clients = Annotated[int, typer.Option(min=0, help="Number of hostile clients; of the pages, slow ones.")]
app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, help=__doc__)


@app.command()
def survive(
    quick: Annotated[
        bool, typer.Option("--quick", help=f"{trials.QUICK_GAMES} game instead of {trials.GAMES}.")
    ] = False,
    seed: Seed = 0,
    json: JsonFigures = False,
) -> None:
    """Break the connection at every message of seeded games, then inject every other fault.

    Four clients play in a lobby in this process, over real websockets. At every message boundary of each game one of
    them is cut off, before or after the message. Each must come back, or learn that the game has ended. The same is
    repeated with each other kind of fault. Then processes of `oshihiki play` meet hostile servers (floods, slow drips,
    redirects, echoes of the key), a failing machine (a full disk, a lost folder, closed pipes) and policies that
    misbehave: each must end in its time, within 300 MiB, and show its key nowhere; games must go on, and no win may be
    passed.
    """
    warm_up(error_screen(), ("quick",))  # the players of its tables are ``simple``
    with only_errors():
        trial, figures = asyncio.run(trials.survive(seed, quick=quick))
    _end("survive", figures, trial.why, failed=_failed(trial), json=json, width=24)


@app.command()
def soak(
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    at_once: Annotated[int, typer.Option(min=1, max=64, help="Number of tables at the same time.")] = 8,
    seed: Seed = 0,
    json: JsonFigures = False,
) -> None:
    """Play games of four clients in one lobby with all faults, and watch memory, file handles and threads.

    Growth is measured over the second half, when caches are full. SIGTERM ends it after the running games, with the
    figures so far.
    """
    warm_up(error_screen(), ("quick",))  # the players of its tables are ``simple``
    with only_errors():
        trial, figures = asyncio.run(trials.soak(games, at_once, seed))
    _end("soak", figures, trial.why, failed=_failed(trial), json=json, width=24)


@app.command()
def siege(seconds: Seconds = 300.0, clients: Clients = 200, seed: Seed = 0, json: JsonFigures = False) -> None:
    """Let hostile clients attack a lobby while four honest ones play there, and measure the effect on the honest ones.

    The lobby and the hostile clients are processes of their own. Hostile clients flood, squat, stay deaf or mute, send
    nonsense and fragments, try the names of others, and come and go, from four addresses of this machine. Every honest
    game must end, no honest answer be late, and the lobby stay within its memory and threads.
    """
    warm_up(error_screen(), ("quick",))  # the players of its tables are ``simple``
    with only_errors():
        besieged = asyncio.run(sieges.besiege(seconds, clients, seed, sieges.TABLE))
    faults = besieged.faults()
    _end("siege", besieged.fields(), faults, failed=bool(faults), json=json, width=40)


@app.command()
def pages(seconds: Seconds = 300.0, clients: Clients = 200, seed: Seed = 0, json: JsonFigures = False) -> None:
    """Let intruders attack the pages of `oshihiki open` while an honest visitor looks at them.

    Beside slow clients there is one intruder for each other attack: requests that are too long, wrong hosts, origins
    and cookies, paths that leave the folder, a stolen link, frames without end, wrong words for everything that a place
    hears, floods, and bombs. None may give way, each page must come in time, the server must stay within its memory,
    keep to its folders, tell no secret, and end when it is told to.
    """
    warm_up(error_screen(), ("quick",))
    with only_errors():
        stormed = asyncio.run(storms.storm(seconds, clients, seed))
    faults = stormed.faults()
    _end("pages", stormed.fields(), faults, failed=bool(faults), json=json, width=40)


def _failed(trial: Trial) -> bool:
    return bool(trial.gone or trial.stuck or trial.illegal or trial.crashed or trial.broken)


def _end(title: str, figures: dict[str, Any], faults: Sequence[str], *, failed: bool, json: bool, width: int) -> None:
    """Print the figures, with names of that width, and the faults."""
    print_figures(figures, partial(_show, title, width), json=json)
    for fault in faults:
        typer.echo(fault, err=True)
    if failed:
        raise typer.Exit(1)


def _show(title: str, width: int, figures: dict[str, Any]) -> None:
    out = output_screen()
    out.print(title, style="bold")
    for name, figure in figures.items():
        for key, value in figure.items() if isinstance(figure, dict) else [("", figure)]:
            out.print(f"  {name} {key}".ljust(width), value, highlight=False)


if __name__ == "__main__":
    app()
