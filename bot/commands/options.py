"""Options that several commands take, each with one name and one help text; and how figures stand in a table."""

import json as json_text
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from shlex import quote
from shutil import which
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer

from bot.commands import names
from bot.machine.errors import InputError
from bot.machine.files import config_file
from bot.machine.parallel import Backend

if TYPE_CHECKING:
    from rich.table import Table

    from bot.deciding.players import PlayerSpec


def path_word(path: Path) -> str:
    """A path as a word of a shell's command, short where it lies at home."""
    try:
        inner = str(path.relative_to(Path.home()))
    except (ValueError, RuntimeError):
        return quote(str(path))
    return f"~/{inner}" if inner == quote(inner) and os.name != "nt" else quote(str(path))


WHO: Final = "Policy: NAME, NAME:KEY=VALUE,KEY=VALUE with settings, or module:Class."

AnyLogs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOG...", help="Logs in any format, folders, archives, tenhou.net links; -: standard input."
    ),
]
BackendName = Annotated[Backend, typer.Option(help="What runs the processes; dask is an optional extra.")]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config", "-c", help=f"Configuration file (TOML); default: {path_word(config_file())}, if there is one."
    ),
]
Cores: Final = partial(typer.Option, "--jobs", "-j", min=0, callback=lambda jobs: jobs or os.cpu_count() or 1)
"""An option for a number of processes; where it is 0, the command gets the number of cores."""
Jobs = Annotated[int, Cores(help="Number of processes; 0: one per core.")]
JournalFile = Annotated[
    Path | None,
    typer.Option("--journal", help="File that keeps what is done; the same command continues from there."),
]
JsonAll = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]
JsonFigures = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
Nodes = Annotated[
    int | None, typer.Option("--nodes", min=1, help="Bound on search nodes per decision; default: the policy's own.")
]
PolicyName = Annotated[str | None, typer.Option(help=WHO, autocompletion=names.policies)]
WatchPort = Annotated[
    int | None,
    typer.Option(
        "--port", min=0, max=65535, help="Port of the page; 0: any free one; default: 8136, or the next free one."
    ),
]
Fetch = Annotated[
    bool,
    typer.Option("--fetch", help="Ask tenhou.net, one a second, for logs whose addresses are named; they are kept."),
]
Player = Annotated[
    str,
    typer.Option("--seat", help="The player: a seat, 0 (the first dealer) to 3, or a name."),
]
F = TypeVar("F")
Tonpu = Annotated[bool, typer.Option("--tonpu", help="Play the east round only.")]


def print_figures(figures: F, show: Callable[[F], object], *, json: bool) -> None:
    """Print the figures that a command has found as one line of JSON, or ``show`` them to people."""
    if json:
        typer.echo(json_text.dumps(figures))
    else:
        show(figures)


def seat_or_name(text: str) -> tuple[int | None, str]:
    """The seat or the name of a player that ``--seat`` states; (None, "") if it is not given.

    Raises:
        InputError: it is a number that no seat has.
    """
    if text in {"0", "1", "2", "3"}:
        return int(text), ""
    if re.fullmatch("-?[0-9]", text):
        raise InputError(f"--seat {text}: give 0 (the first dealer), 1, 2 or 3, or the player's name")
    return None, text


def program_word() -> str:
    """How this program is called in the shell that called it: by its name, or by its path where it is on none."""
    called = Path(sys.argv[0])
    by_name = called.stem != "oshihiki" or which("oshihiki") is not None
    return "oshihiki" if by_name else quote(str(called))


def command_lines(words: Iterable[str], width: int, indent: str = "") -> list[str]:
    """A command that can be copied, on lines of at most ``width`` columns as far as its words allow.

    A line that goes on ends with a backslash, as shells have it.
    """
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 3 <= width:  # a space before it, and what may follow it
            lines[-1] += f" {word}"
        else:
            lines.append(f"{indent}{'  ' * bool(lines)}{word}")
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]


def with_interval(estimate: Mapping[str, Any], digits: int, sign: str = "") -> str:
    """``'2.50 ± 0.03'``: the ``mean`` of an estimate, and ``within`` what it lies at 95%, if that is known."""
    within = "" if estimate["within"] is None else f" ± {estimate['within']:,.{digits}f}"
    return f"{estimate['mean']:{sign},.{digits}f}{within}"


def figures_table(*columns: str, words: int = 1) -> "Table":
    """A table without lines; the columns after the first ``words`` hold figures."""
    from rich.table import Table  # noqa: PLC0415 - some commands answer without a table

    table = Table(box=None, pad_edge=False)
    for at, name in enumerate(columns):
        table.add_column(name, justify="left" if at < words else "right", overflow="fold")
    return table


def judge_of(policy: str | None, config: Path | None) -> "PlayerSpec":
    """The policy that is named, or else that of the configuration, with the configuration's settings.

    Args:
        policy: text of ``--policy``; it takes precedence over the configuration.
        config: file of ``--config``; None: the one at the default place, if there is one.

    Raises:
        InputError: the policy cannot value actions.
    """
    from bot.config import load  # noqa: PLC0415 - most commands read no configuration
    from bot.deciding.players import PlayerSpec  # noqa: PLC0415 - as above

    section = load(config).policy
    judge = PlayerSpec.parse(policy or section.name, section.settings)
    if judge.program:
        raise InputError("--policy: a program values no actions; name a policy")
    return judge
