"""``oshihiki config``: checks a configuration and shows what is in effect."""

import json as json_text
from pathlib import Path
from typing import Annotated, Any

import typer

from bot import config as configuration
from bot.commands.options import JsonAll
from bot.config import InvalidError
from bot.machine.errors import InputError
from bot.machine.files import config_file
from bot.machine.outlet import print_error
from bot.machine.text import clean, hide


def check(
    file: Annotated[
        Path | None, typer.Argument(help="File to check; default: the place that is read by itself.")
    ] = None,
    json: JsonAll = False,
) -> None:
    """Check a configuration, and show every setting in effect as TOML.

    Where something is wrong, each such line is named with what is allowed, and the exit code is 2. What is printed
    otherwise is a whole configuration; of the settings that are not the default it says so.

    Examples:
      oshihiki config check
      oshihiki config check my.toml --json
    """
    source = configuration.place_of(file)
    try:
        chosen = configuration.load(file)
    except InvalidError as error:
        for fault in error.faults[:-1]:
            print_error(clean(fault))
        raise InputError(error.faults[-1] + (f"; and {error.untold:,} more" if error.untold else "")) from None
    changed = configuration.changes(chosen)
    settings: dict[str, dict[str, Any]] = chosen.model_dump(mode="json")
    if json:
        shown = {"file": None if source is None else str(source), "settings": settings, "changed": changed}
        typer.echo(hide(json_text.dumps(shown, ensure_ascii=False)))
        return
    lines = [f"# {source}: can be used" if source else f"# the defaults, since there is no {config_file()}"]
    for section, keys in settings.items():
        lines.append(f"\n[{section}]")
        for key, value in keys.items():
            mark = "  # not the default" if f"{section}.{key}" in changed else ""
            # a setting as TOML: its texts, numbers and lists are written as in JSON
            lines.append(f"{key} = {json_text.dumps(value, ensure_ascii=False)}{mark}")
    typer.echo(hide("\n".join(lines)).encode("utf-8", "replace"))  # TOML is UTF-8, whatever the terminal uses
