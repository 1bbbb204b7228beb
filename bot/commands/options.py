"""Options that several commands take, each with one name and one help text; and how figures stand in a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.machine.files import at_home, config_file
from bot.runs.parallel import Backend

if TYPE_CHECKING:
    from rich.table import Table

WHO: Final = "Policy: NAME, NAME:KEY=VALUE,KEY=VALUE with settings, or module:Class."

AnyLogs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG...", help="Logs in any format, folders, archives, tenhou.net links; -: standard input."
    ),
]
BackendName = Annotated[Backend, typer.Option(help="What runs the processes; dask and ray are optional extras.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", "-c", help=f"Configuration file (TOML); default: {at_home(config_file())}, if there is one."
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Number of processes; 0: one per core.")]
JsonAll = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
JsonFigures = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
PolicyName = Annotated[str | None, typer.Option(help=WHO)]
WatchPort = Annotated[int, typer.Option("--port", min=0, max=65535, help="Port of the live page; 0: any free one.")]
Tonpu = Annotated[bool, typer.Option("--tonpu", help="Play the east round only.")]


def figures_table(*columns: str, words: int = 1) -> Table:
    """A table without lines; the columns after the first ``words`` hold figures, aligned to the right."""
    from rich.table import Table  # noqa: PLC0415 - some commands answer without a table

    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns[words:]:
        column.justify = "right"
    return table
