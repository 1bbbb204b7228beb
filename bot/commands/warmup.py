"""``oshihiki warmup``: compile ahead of use."""

import json as json_text

import typer

from bot.commands.options import JsonFigures
from bot.machine.outlet import error_screen, output_screen
from bot.machine.preparation import warm_up


def warmup(json: JsonFigures = False) -> None:
    """Compile the kernels and build the tables now, so that nothing has to wait for them later.

    They are kept in the user's cache folder and rebuilt after an update; a second run only loads them.

    Examples:
      oshihiki warmup
      oshihiki warmup --json
    """
    steps = warm_up(error_screen())
    total = sum(steps.values())
    if json:
        content = {"seconds": round(total, 3), "steps": {name: round(seconds, 3) for name, seconds in steps.items()}}
        typer.echo(json_text.dumps(content))
        return
    out = output_screen()
    for name, seconds in steps.items():
        out.print(f"{seconds:8.3f} s  {name}")
    out.print(f"{total:8.3f} s  ready", style="bold")
