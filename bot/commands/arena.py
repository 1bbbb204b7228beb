"""``oshihiki arena``: policies against each other, with the same walls for every seat, and confidence intervals."""

from __future__ import annotations

import json as json_text
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import typer
from rich.console import Console

from bot.arena.match import Match, Standing, over_the_same_walls, play
from bot.arena.papers import EXPERIMENTS, Experiment
from bot.arena.report import Played, report
from bot.arena.sides import comparison, comparisons, estimate_fields, sides_of
from bot.arena.sparring import Sparring
from bot.commands.arena_view import Bar, show, show_differences
from bot.commands.options import BackendName, Jobs, JsonFigures, Tonpu
from bot.errors import InputError
from bot.players import PlayerSpec, needs_of
from bot.progress import warm_up
from bot.replay.parallel import Backend
from engine.model.rules import HANCHAN, TONPU
from engine.model.seats import SEATS

TABLE: Final = len(SEATS)
GAMES: Final = 100
"""Number of games unless another is given."""


def arena(
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER...",
            help="Players: one (plays all seats), two (one against three) or four. NAME, "
            "NAME:KEY=VALUE,KEY=VALUE with settings of its own, module:Class, or mjai:COMMAND.",
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=1, help="Number of games, rounded up to a multiple of four. [default: 100]"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first deal; each further deal adds 1.")] = 0,
    tonpu: Tonpu = False,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Bound on the nodes of each search; default: the policy's own.")
    ] = None,
    until_certain: Annotated[
        float | None,
        typer.Option(
            min=0.0001,
            max=0.5,
            metavar="ERROR",
            help="Stop as soon as the first player's mean place certainly differs from every other's, with at most "
            "this probability of an error; --games is then the maximum.",
        ),
    ] = None,
    journal: Annotated[
        Path | None, typer.Option(help="File that keeps each deal; the same command continues from there.")
    ] = None,
    compare: Annotated[
        tuple[Path, Path] | None, typer.Option(help="Two journals: compare their first players over the same walls.")
    ] = None,
    paper: Annotated[
        str | None, typer.Option(help=f"An experiment of the papers: {', '.join(EXPERIMENTS)}; --journal is a folder.")
    ] = None,
    only: Annotated[list[str] | None, typer.Option(help="With --paper, only the matches of these names.")] = None,
    out: Annotated[Path | None, typer.Option(help="With --paper, file for the report in Markdown.")] = None,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    logs: Annotated[Path | None, typer.Option(help="Folder for the log of each game, SEED-GAME.xml.")] = None,
    json: JsonFigures = False,
) -> None:
    """Let policies play each other without a lobby, and report the results with 95% intervals.

    Each set of walls is played four times, with every player once in each seat, so that the luck of the deal is the
    same for all. The intervals are computed over these deals. The same seed gives the same games, whatever --jobs.

    Exit code 0: played; 1: a player failed or broke the rules, and the fallback answered for it; 2: bad input.

    Examples:
      oshihiki arena value simple --tonpu --games 400 --jobs 2
      oshihiki arena value value-1 --games 4000 --until-certain 0.05 --journal match.journal
      oshihiki arena value simple dag flow --games 100 --json
      oshihiki arena value "mjai:python other_bot.py" --games 8 --jobs 1
      oshihiki arena --compare one.journal other.journal
      oshihiki arena --paper che5 --journal results/ --out che5.md
    """
    screen = Console(stderr=True)
    run = Run(seed, games, nodes, jobs or os.cpu_count() or 1, backend, logs, journal)
    if compare is not None:
        _compare(compare, json=json)
    elif paper is not None:
        failed = _experiment(_named(paper), only or [], run, out, screen, json=json)
        if failed:
            raise typer.Exit(1)
    else:
        sitting = _four([PlayerSpec.parse(text) for text in players or ()])
        order = Sparring(sitting, TONPU if tonpu else HANCHAN, nodes, _folder(logs))
        match = Match(order, run.seeds(GAMES), until_certain)
        began = perf_counter()
        standing = run.play(match, journal, screen)
        figures = _figures(match, standing, round(perf_counter() - began, 1))
        if json:
            typer.echo(json_text.dumps(figures))
        else:
            show(Console(), figures)
        if any(side["illegal"] or side["failed"] for side in figures["sides"]):
            raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class Run:
    """How matches are played, besides who plays."""

    seed: int
    games: int | None
    nodes: int | None
    jobs: int
    backend: Backend
    logs: Path | None
    journal: Path | None

    def seeds(self, games: int) -> range:
        """The seeds of the deals; ``games`` is their number if the command line names none."""
        return range(self.seed, self.seed + -(-(self.games or games) // TABLE))

    def play(self, match: Match, journal: Path | None, screen: Console) -> Standing:
        """Compile what the players need, refuse what cannot be made, print what players warn of, and play."""
        sitting = match.order.players
        warm_up(screen, needs_of(sitting))
        for one in {one.text: one for one in sitting if not one.program}.values():
            warning = one.make(self.seed).warning
            if warning:
                screen.print(f"oshihiki: {one.text}: {warning}", style="yellow", markup=False, highlight=False)
        with Bar(screen, TABLE * len(match.seeds)) as bar:
            return play(match, journal, self.jobs, self.backend, bar)


def _folder(logs: Path | None) -> Path | None:
    if logs is not None:
        try:
            logs.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--logs {logs}: {error.strerror}") from None
    return logs


def _four(players: Sequence[PlayerSpec]) -> tuple[PlayerSpec, PlayerSpec, PlayerSpec, PlayerSpec]:
    if len(players) == 1:
        first = second = third = fourth = players[0]
    elif len(players) == 2:
        first, second, third, fourth = (*players, players[1], players[1])
    elif len(players) == TABLE:
        first, second, third, fourth = players
    else:
        raise InputError(f"{len(players)} players: name one (plays all seats), two (one against three) or four")
    return first, second, third, fourth


def _figures(match: Match, standing: Standing, seconds: float) -> dict[str, Any]:
    """The figures of a match as JSON shows them."""
    deals = standing.deals
    sides = sides_of(match.order.names, deals)
    figures: dict[str, Any] = {
        "rules": "hanchan" if match.order.rules.hanchan else "tonpu",
        "seed": match.seeds.start,
        "deals": len(deals),
        "games": TABLE * len(deals),
        "hands": sum(one.hands for deal in deals for one in deal.stats[0]),
        "sides": [side.fields() for side in sides],
        "differences": comparisons(sides),
    }
    if match.error is not None:
        figures["test"] = {
            "error": match.error,
            "certain": standing.certain,
            "differences": [
                {"player": other, "rank": estimate_fields(found, 3)} for other, found in standing.compared.items()
            ],
        }
    return {**figures, "seconds": seconds}


def _compare(journals: tuple[Path, Path], *, json: bool) -> None:
    mine, theirs = over_the_same_walls(*journals)
    found = {"deals": len(mine.deals), **comparison(mine, theirs)}
    if json:
        typer.echo(json_text.dumps(found))
    else:
        console = Console()
        console.print(f"{found['deals']} deals in both", highlight=False)
        show_differences(console, [found])


def _named(paper: str) -> Experiment:
    if paper not in EXPERIMENTS:
        raise InputError(f"--paper {paper}: there is no such experiment; there are {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[paper]


def _experiment(
    experiment: Experiment, only: Sequence[str], run: Run, out: Path | None, screen: Console, *, json: bool
) -> bool:
    """Play an experiment and report it; returns whether a player failed."""
    unknown = [name for name in only if name not in experiment.matches]
    if unknown:
        raise InputError(f"--only {unknown[0]}: there is no such match; there are {', '.join(experiment.matches)}")
    played: dict[str, Played] = {}
    figures: dict[str, Any] = {}
    for name, players in experiment.matches.items():
        journal = run.journal / f"{name}.journal" if run.journal else None
        if only and name not in only and not (journal and journal.exists()):
            continue
        sitting = _four([PlayerSpec.parse(text) for text in players])
        order = Sparring(sitting, experiment.rules, run.nodes, _folder(run.logs))
        match = Match(order, run.seeds(experiment.games), experiment.error)
        screen.print(f"{name}: {' '.join(players)}", style="dim", markup=False, highlight=False)
        began = perf_counter()
        standing = run.play(match, journal, screen)
        played[name] = Played(match, standing)
        figures[name] = _figures(match, standing, round(perf_counter() - began, 1))
    text = report(experiment, played, datetime.now(UTC).date().isoformat())
    if out is not None:
        try:
            out.write_text(text, encoding="utf-8")
        except OSError as error:
            raise InputError(f"--out {out}: {error.strerror}") from None
    typer.echo(json_text.dumps(figures) if json else text)
    return _failed(figures)


def _failed(figures: Mapping[str, Any]) -> bool:
    return any(side["illegal"] or side["failed"] for one in figures.values() for side in one["sides"])
