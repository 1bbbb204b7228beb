"""``oshihiki export``: logs of any format written in another."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from bot.errors import InputError
from bot.text import brief, clean
from protocol.errors import LogError
from protocol.logs.formats import FORMATS, LogFile, convert
from protocol.logs.sources import open_logs

Target = StrEnum("Target", {row.name: row.name for row in FORMATS.values() if row.writes})  # type: ignore[misc]
"""The formats that can be written."""

_NAME_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.&=")


def export(
    logs: Annotated[list[Path], typer.Argument(help="Logs, folders or archives of any format that is read.")],
    to: Annotated[Target, typer.Option("--to", help="Format to write.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File for one log, folder for several; without it one log is printed."),
    ] = None,
) -> None:
    """Write logs in another format: Tenhou XML, tenhou.net/6 JSON or mjai.

    A log that cannot be read is told on standard error and the others go on. Exit code 0: all written; 2: some were
    not.

    Examples:
      oshihiki export game.xml --to tenhou6
      oshihiki export game.json --to mjai -o game.mjson
      oshihiki export games.tar.xz --to mjlog -o xml/
    """
    suffix = FORMATS[to.value].suffix
    folder = output is not None and (output.is_dir() or not output.suffix)
    bad = written = 0
    taken: set[str] = set()
    alone = ""  # the one log that needs no folder, held back until it is known to be the only one
    for file in open_logs(logs):
        try:
            text = convert(file, to.value)
        except LogError as error:
            bad += 1
            typer.echo(brief(str(error), 1000), err=True)
            continue
        if output is not None and folder:
            _write(output / _fresh_name(file, suffix, taken), text)
        elif written:
            raise InputError("more than one log: name a folder for them with -o FOLDER")
        else:
            alone = text
        written += 1
    if alone:
        _write(output, alone)
    if output is not None:
        typer.echo(f"{written} written to {clean(str(output))}" + (f", {bad} could not be" if bad else ""), err=True)
    if bad or not written:
        if not bad:
            typer.echo("no log was found; name files, folders or archives that hold some", err=True)
        raise typer.Exit(2)


def _write(path: Path | None, text: str) -> None:
    if path is None:
        typer.echo(text, nl=not text.endswith("\n"))
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _fresh_name(file: LogFile, suffix: str, taken: set[str]) -> str:
    """The log's own name with the new suffix; a number is added where two are alike."""
    last = file.name.replace("\\", "/").rsplit("/", 1)[-1]
    stem = "".join(char if char in _NAME_CHARACTERS else "_" for char in last).lstrip(".") or "log"
    for row in FORMATS.values():
        for ending in (".gz", ".xz", ".bz2", *row.suffixes):
            stem = stem.removesuffix(ending)
    name, number = f"{stem}{suffix}", 1
    while name in taken:
        number += 1
        name = f"{stem}-{number}{suffix}"
    taken.add(name)
    return name
