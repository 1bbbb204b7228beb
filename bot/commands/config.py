"""``oshihiki config``: the configuration: written, shown, checked."""

import json as json_text
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import typer

from bot import config as configuration
from bot.commands.options import ConfigFile, JsonAll
from bot.config import Config, InvalidError
from bot.machine.errors import InputError
from bot.machine.files import config_file
from bot.machine.outlet import print_error
from bot.machine.outputs import Outputs
from bot.machine.text import clean, hide


def init(
    file: Annotated[
        Path | None, typer.Argument(help="File to write; default: the place that is read by itself.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that exists.")] = False,
) -> None:
    """Write a configuration that holds every key with its default, its unit and its range.

    Examples:
      oshihiki config init
      oshihiki config init my.toml
    """
    place = file or config_file()
    if place.exists() and not force:
        raise InputError(f"{place}: exists already; give --force to replace it, or name another file")
    Outputs("FILE", ()).write(place, (files("bot") / configuration.EXAMPLE).read_bytes())
    typer.echo(f"written: {place}")


def show(config: ConfigFile = None, json: JsonAll = False) -> None:
    """Show every setting in effect as TOML, and which of them are not the default.

    Examples:
      oshihiki config show
      oshihiki config show -c my.toml --json
    """
    chosen, source = configuration.load(config), configuration.place_of(config)
    changed = configuration.changes(chosen)
    if json:
        shown = {"file": None if source is None else str(source), "settings": _settings(chosen), "changed": changed}
        typer.echo(hide(json_text.dumps(shown, ensure_ascii=False)))
        return
    lines = [f"# {source}" if source else f"# the defaults: there is no {config_file()}"]
    for section, settings in _settings(chosen).items():
        lines.append(f"\n[{section}]")
        for key, value in settings.items():
            mark = "  # not the default" if f"{section}.{key}" in changed else ""
            # a setting as TOML: its texts, numbers and lists are written as in JSON
            lines.append(f"{key} = {json_text.dumps(value, ensure_ascii=False)}{mark}")
    typer.echo(hide("\n".join(lines)).encode("utf-8", "replace"))  # TOML is UTF-8, whatever the terminal uses


def check(
    file: Annotated[
        Path | None, typer.Argument(help="File to check; default: the place that is read by itself.")
    ] = None,
    config: ConfigFile = None,
) -> None:
    """Check a configuration: say that it can be used, or which lines are wrong and what is allowed (exit code 2).

    Examples:
      oshihiki config check
      oshihiki config check my.toml
    """
    if file and config:
        raise InputError("give the file once, either by itself or as --config")
    source = configuration.place_of(file or config)
    if source is None:
        typer.echo(f"there is no {config_file()}: the defaults are used; `oshihiki config init` writes it")
        return
    try:
        changed = configuration.changes(configuration.load(source))
    except InvalidError as error:
        for fault in error.faults[:-1]:
            print_error(clean(fault))
        raise InputError(error.faults[-1] + (f"; and {error.untold:,} more" if error.untold else "")) from None
    typer.echo(f"{source}: can be used; {'not the default: ' + ', '.join(changed) if changed else 'all are defaults'}")


def _settings(config: Config) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = config.model_dump(mode="json")
    return found
