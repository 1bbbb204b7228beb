"""The options of ``oshihiki arena``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.arena.papers import EXPERIMENTS

Compare = Annotated[
    tuple[Path, Path] | None, typer.Option(help="Two journals: compare their first players over the same walls.")
]
Games = Annotated[
    int | None,
    typer.Option("--games", "-n", min=1, help="Number of games, rounded up to a multiple of four. [default: 100]"),
]
Logs = Annotated[Path | None, typer.Option(help="Folder for the log of each game, SEED-GAME.xml.")]
MatchJournals = Annotated[
    Path | None,
    typer.Option(
        "--journal", help="File that keeps each deal, with --paper a folder; the same command continues from there."
    ),
]
Nodes = Annotated[int | None, typer.Option(min=1, help="Bound on the nodes of each search; default: the policy's own.")]
Only = Annotated[
    list[str] | None,
    typer.Option(
        help="With --paper, play only the matches with these names; the others are reported from their journals."
    ),
]
Out = Annotated[Path | None, typer.Option(help="With --paper, file for the report in Markdown.")]
Paper = Annotated[str | None, typer.Option(help=f"An experiment of the papers: {', '.join(EXPERIMENTS)}.")]
Players = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="PLAYER...",
        help="Players: one (plays all seats), two (one against three) or four. NAME, "
        "NAME:KEY=VALUE,KEY=VALUE with settings of its own, module:Class, or mjai:COMMAND.",
    ),
]
Reported = Annotated[bool, typer.Option("--report", help="With --paper, play nothing; report the journals.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the first deal; each further deal adds 1.")]
UntilCertain = Annotated[
    float | None,
    typer.Option(
        min=0.0001,
        max=0.5,
        metavar="ERROR",
        help="Stop as soon as the first player's mean place certainly differs from every other's, with at most this "
        "probability of an error; --games is then the maximum.",
    ),
]
WithoutLuck = Annotated[
    bool,
    typer.Option(
        "--without-luck",
        help="Also state places and points less what the tiles that came were worth: the same mean, less spread.",
    ),
]
