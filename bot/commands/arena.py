"""``oshihiki arena``: policies against each other, with the same walls for every seat, and confidence intervals."""

from __future__ import annotations

import json as json_text
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import typer
from rich.console import Console

from bot.arena.match import Match, Standing, over_the_same_walls, play, so_far
from bot.arena.papers import EXPERIMENTS, Experiment
from bot.arena.report import Played, report
from bot.arena.sides import comparison, comparisons, estimate_fields, sides_of
from bot.arena.sparring import Sparring, log_name
from bot.commands.arena_options import (
    Compare,
    Games,
    Logs,
    MatchJournals,
    Nodes,
    Only,
    Out,
    Paper,
    Players,
    Reported,
    Seed,
    UntilCertain,
    WithoutLuck,
)
from bot.commands.arena_view import Bar, show, show_differences
from bot.commands.options import BackendName, Jobs, JsonFigures, Tonpu
from bot.errors import InputError
from bot.outlet import error_screen, output_screen
from bot.outputs import Outputs
from bot.players import PlayerSpec
from bot.progress import warm_up
from bot.replay.parallel import Backend
from bot.text import plural
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.model.seats import SEATS

Four = tuple[PlayerSpec, PlayerSpec, PlayerSpec, PlayerSpec]

TABLE: Final = len(SEATS)
GAMES: Final = 100
"""Number of games unless another is given."""


def arena(
    players: Players = None,
    games: Games = None,
    seed: Seed = 0,
    tonpu: Tonpu = False,
    nodes: Nodes = None,
    until_certain: UntilCertain = None,
    without_luck: WithoutLuck = False,
    journal: MatchJournals = None,
    compare: Compare = None,
    paper: Paper = None,
    only: Only = None,
    reported: Reported = False,
    out: Out = None,
    jobs: Jobs = 0,
    backend: BackendName = Backend.LOKY,
    logs: Logs = None,
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
      oshihiki arena value phoenix --tonpu --games 2000 --without-luck
      oshihiki arena value "mjai:python other_bot.py" --games 8 --jobs 1
      oshihiki arena --compare one.journal other.journal
      oshihiki arena --paper che5 --journal results/ --out che5.md
    """
    screen = error_screen()
    run = Run(seed, games, nodes, jobs or os.cpu_count() or 1, backend, logs, journal, reported, without_luck)
    if compare is not None:
        _compare(compare, json=json)
    elif paper is not None:
        _experiment(_named(paper), only or [], run, out, screen, json=json)
    else:
        sitting = _four([PlayerSpec.parse(text) for text in players or ()])
        match = run.match(sitting, TONPU if tonpu else HANCHAN, GAMES, until_certain, journal)
        _match(match, run, screen, json=json)


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
    report: bool = False
    without_luck: bool = False

    def match(self, sitting: Four, rules: Rules, games: int, risk: float | None, journal: Path | None) -> Match:
        """A match of so many games, unless the command line names another number.

        Raises:
            InputError: the folder for logs cannot be made, or a log would replace the journal.
        """
        seeds = range(self.seed, self.seed + -(-(self.games or games) // TABLE))
        if self.logs is not None:
            files = (self.logs / log_name(seed, game) for seed in seeds for game in range(TABLE))
            Outputs("--logs", [journal]).refuse_inputs(*files)
            try:
                self.logs.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"--logs {self.logs}: {error.strerror}") from None
        return Match(Sparring(sitting, rules, self.nodes, self.logs, self.without_luck), seeds, risk)

    def play(self, match: Match, journal: Path | None, screen: Console) -> Standing:
        """Compile what the players need, refuse what cannot be made, print what players warn of, and play."""
        sitting = match.order.players
        warm_up(screen, match.order.needs)
        for one in {one.text: one for one in sitting if not one.program}.values():
            warning = one.make(self.seed).warning
            if warning:
                screen.print(f"oshihiki: {one.text}: {warning}", style="yellow", markup=False, highlight=False)
        with Bar(screen, TABLE * len(match.seeds)) as bar:
            return play(match, journal, self.jobs, self.backend, bar)


def _match(match: Match, run: Run, screen: Console, *, json: bool) -> None:
    """Play one match and show it."""
    began = perf_counter()
    standing = run.play(match, run.journal, screen)
    figures = _figures(match, standing, perf_counter() - began)
    if json:
        typer.echo(json_text.dumps(figures))
    else:
        show(output_screen(), figures)
    _exit_if_failed([figures])


def _four(players: Sequence[PlayerSpec]) -> Four:
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
    sides = sides_of(match.order.names, deals, luck=match.order.luck)
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
    return {**figures, "seconds": round(seconds, 1)}


def _compare(journals: tuple[Path, Path], *, json: bool) -> None:
    mine, theirs = over_the_same_walls(*journals)
    found = {"deals": len(mine.deals), **comparison(mine, theirs)}
    if json:
        typer.echo(json_text.dumps(found))
    else:
        console = output_screen()
        console.print(f"{plural(found['deals'], 'deal')} in both", highlight=False)
        show_differences(console, [found])


def _named(paper: str) -> Experiment:
    if paper not in EXPERIMENTS:
        raise InputError(f"--paper {paper}: there is no such experiment; there are {', '.join(EXPERIMENTS)}")
    return EXPERIMENTS[paper]


def _experiment(
    experiment: Experiment, only: Sequence[str], run: Run, out: Path | None, screen: Console, *, json: bool
) -> None:
    """Play an experiment and report it."""
    unknown = [name for name in only if name not in experiment.matches]
    if unknown:
        raise InputError(f"--only {unknown[0]}: there is no such match; there are {', '.join(experiment.matches)}")
    journals = [run.journal / f"{name}.journal" for name in experiment.matches] if run.journal else []
    outputs = Outputs("--out", journals)
    outputs.refuse_inputs(out)
    played: dict[str, Played] = {}
    figures: dict[str, Any] = {}
    for name, players in experiment.matches.items():
        journal = run.journal / f"{name}.journal" if run.journal else None
        asked = name in only if only else not run.report
        if not asked and not (journal and journal.exists()):
            continue
        sitting = _four([PlayerSpec.parse(text) for text in players])
        match = run.match(sitting, experiment.rules, experiment.games, experiment.error, journal)
        screen.print(f"{name}: {' '.join(players)}", style="dim", markup=False, highlight=False)
        began = perf_counter()
        standing = so_far(match, journal) if journal and not asked else run.play(match, journal, screen)
        played[name] = Played(match, standing)
        figures[name] = _figures(match, standing, perf_counter() - began)
    if not played:
        raise InputError(f"--report: there is no journal in {run.journal}; name a folder with --journal")
    text = report(experiment, played, datetime.now(UTC).date().isoformat())
    if out is not None:
        outputs.write(out, text)
    typer.echo(json_text.dumps(figures) if json else text)
    _exit_if_failed(figures.values())


def _exit_if_failed(figures: Iterable[Mapping[str, Any]]) -> None:
    if any(side["illegal"] or side["failed"] for one in figures for side in one["sides"]):
        raise typer.Exit(1)
