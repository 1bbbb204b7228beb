"""``oshihiki arena``: policies against each other, with the same walls for every seat, and confidence intervals."""

import json as json_text
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, Final

import typer
from rich.console import Console
from rich.progress import MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from bot.commands import names as completed
from bot.commands.options import (
    BackendName,
    Jobs,
    JournalFile,
    JsonFigures,
    Nodes,
    Tonpu,
    figures_table,
    print_figures,
    with_interval,
)
from bot.deciding.players import PlayerSpec
from bot.lab.experiment import Command
from bot.lab.match import Match, MatchResult, over_the_same_walls, play, so_far
from bot.lab.papers import EXPERIMENTS, PlayedMatch, Series, report
from bot.lab.sides import comparison, comparisons, estimate_fields, sides_of
from bot.lab.sparring import Sparring, log_name
from bot.machine.bars import Bar
from bot.machine.errors import InputError
from bot.machine.outlet import error_screen, output_screen
from bot.machine.outputs import Outputs
from bot.machine.parallel import Backend
from bot.machine.preparation import warm_up
from bot.machine.text import brief, plural
from engine.model.rules import HANCHAN, TONPU, Rules
from engine.model.seats import SEATS

Four = tuple[PlayerSpec, PlayerSpec, PlayerSpec, PlayerSpec]

TABLE: Final = len(SEATS)
GAMES: Final = 100
"""Number of games unless another is given."""
NAME: Final = 26
"""Maximum length of a player's name at the head of its column."""
_RATES: Final = (
    ("win", "win"),
    ("deal-in", "deal_in"),
    ("riichi", "riichi"),
    ("call", "call"),
    ("tenpai", "tenpai"),
    ("exhaustive draw", "draw"),
)


@dataclass(frozen=True, kw_only=True)
class Arena(Command):
    """Let policies play each other without a lobby, and report the results with 95% intervals.

    Each set of walls is played four times, with every player once in each seat, so that the luck of the deal is the
    same for all. The intervals are computed over these deals. The same seed gives the same games, whatever --jobs.
    With --paper the journal is a folder, of one journal for each match, and the report is Markdown.

    Exit code 0: played; 1: a player failed or broke the rules, and the fallback answered for it; 2: bad input.

    Examples:
      oshihiki arena value simple --tonpu --games 400 --jobs 2
      oshihiki arena value value-5 --games 4000 --until-certain 0.05 --journal match.journal
      oshihiki arena value simple dag flow --games 100 --json
      oshihiki arena value phoenix --tonpu --games 2000 --without-luck
      oshihiki arena value "mjai:python other_bot.py" --games 8 --jobs 1
      oshihiki arena --compare one.journal other.journal
      oshihiki arena --paper che5 --journal results/ > che5.md
    """

    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PLAYER...",
            help="Players: one (plays all seats), two (one against three) or four. NAME, "
            "NAME:KEY=VALUE,KEY=VALUE with settings of its own, module:Class, or mjai:COMMAND.",
            autocompletion=completed.policies,
        ),
    ] = None
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", min=1, help="Number of games, rounded up to a multiple of four. [default: 100]"),
    ] = None
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first deal; each further deal adds 1.")] = 0
    tonpu: Tonpu = False
    nodes: Nodes = None
    until_certain: Annotated[
        float | None,
        typer.Option(
            min=0.0001,
            max=0.5,
            metavar="ERROR",
            help="Stop as soon as the first player's mean place certainly differs from every other's, with at most "
            "this probability of an error; --games is then the maximum.",
        ),
    ] = None
    without_luck: Annotated[
        bool,
        typer.Option(
            "--without-luck",
            help="Also state places and points less what the tiles that came were worth: the same mean, less spread.",
        ),
    ] = False
    journal: JournalFile = None
    compare: Annotated[
        tuple[Path, Path] | None, typer.Option(help="Two journals: compare their first players over the same walls.")
    ] = None
    paper: Annotated[str | None, typer.Option(help=f"An experiment of the papers: {', '.join(EXPERIMENTS)}.")] = None
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="With --paper, play only the matches with these names; the others are reported from their journals."
        ),
    ] = None
    reported: Annotated[bool, typer.Option("--report", help="With --paper, play nothing; report the journals.")] = False
    jobs: Jobs = 0
    backend: BackendName = Backend.LOKY
    logs: Annotated[Path | None, typer.Option(help="Folder for the log of each game, SEED-GAME.xml.")] = None
    json: JsonFigures = False

    def run(self) -> None:
        """Compare two journals, repeat an experiment of a paper, or play a match."""
        if self.compare is not None:
            mine, theirs = over_the_same_walls(*self.compare)
            print_figures({"deals": len(mine.deals), **comparison(mine, theirs)}, _show_comparison, json=self.json)
        elif self.paper is not None:
            if self.paper not in EXPERIMENTS:
                raise InputError(
                    f"--paper {self.paper}: there is no such experiment; there are {', '.join(EXPERIMENTS)}"
                )
            self._repeat(EXPERIMENTS[self.paper])
        else:
            sitting = _four([PlayerSpec.parse(text) for text in self.players or ()])
            match = self._match(sitting, TONPU if self.tonpu else HANCHAN, GAMES, self.until_certain, self.journal)
            began = perf_counter()
            standing = self._play(match, self.journal)
            figures = _figures(match, standing, perf_counter() - began)
            print_figures(figures, show, json=self.json)
            _exit_if_failed([figures])

    def _match(self, sitting: Four, rules: Rules, games: int, risk: float | None, journal: Path | None) -> Match:
        """A match of a given number of games, unless the command line names another.

        Raises:
            InputError: the folder for logs cannot be made, or a log would replace the journal.
        """
        seeds = range(self.seed, self.seed + -(-(self.games or games) // TABLE))
        if self.logs is not None:
            files = (self.logs / log_name(seed, game) for seed in seeds for game in range(TABLE))
            Outputs("--logs", [journal], *files)
            try:
                self.logs.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"--logs {self.logs}: {error.strerror}") from None
        return Match(Sparring(sitting, rules, self.nodes, self.logs, self.without_luck), seeds, risk)

    def _play(self, match: Match, journal: Path | None) -> MatchResult:
        """Compile what the players need, refuse what cannot be made, print what players warn of, and play."""
        screen, sitting = error_screen(), match.order.players
        warm_up(screen, match.order.needs)
        for one in {one.text: one for one in sitting if not one.program}.values():
            warning = one.make(self.seed).warning
            if warning:
                screen.print(f"oshihiki: {one.text}: {warning}", style="yellow", markup=False, highlight=False)
        with MatchBar(screen, TABLE * len(match.seeds)) as bar:
            return play(match, journal, self.jobs, self.backend, bar)

    def _repeat(self, experiment: Series) -> None:
        """Play the matches of an experiment that are asked for, and report all that were played."""
        only = self.only or []
        unknown = [name for name in only if name not in experiment.matches]
        if unknown:
            raise InputError(f"--only {unknown[0]}: there is no such match; there are {', '.join(experiment.matches)}")
        played: dict[str, PlayedMatch] = {}
        figures: dict[str, Any] = {}
        for name, players in experiment.matches.items():
            journal = self.journal / f"{name}.journal" if self.journal else None
            asked = name in only if only else not self.reported
            if not asked and not (journal and journal.exists()):
                continue
            sitting = _four([PlayerSpec.parse(text) for text in players])
            match = self._match(sitting, experiment.rules, experiment.games, experiment.error, journal)
            error_screen().print(f"{name}: {' '.join(players)}", style="dim", markup=False, highlight=False)
            began = perf_counter()
            standing = so_far(match, journal) if journal and not asked else self._play(match, journal)
            played[name] = PlayedMatch(match, standing)
            figures[name] = _figures(match, standing, perf_counter() - began)
        if not played:
            raise InputError(f"--report: there is no journal in {self.journal}; name a folder with --journal")
        text = report(experiment, played, datetime.now(UTC).date().isoformat())
        typer.echo(json_text.dumps(figures) if self.json else text)
        _exit_if_failed(figures.values())


def _four(players: Sequence[PlayerSpec]) -> Four:
    if len(players) == 1:
        first = second = third = fourth = players[0]
    elif len(players) == 2:
        first, second, third, fourth = (*players, players[1], players[1])
    elif len(players) == TABLE:
        first, second, third, fourth = players
    else:
        raise InputError(
            f"{plural(len(players), 'player')}: name one (plays all seats), two (one against three) or four"
        )
    return first, second, third, fourth


def _figures(match: Match, standing: MatchResult, seconds: float) -> dict[str, Any]:
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


def _show_comparison(found: dict[str, Any]) -> None:
    console = output_screen()
    console.print(f"{plural(found['deals'], 'deal')} in both", highlight=False)
    show_differences(console, [found])


def _exit_if_failed(figures: Iterable[Mapping[str, Any]]) -> None:
    if any(side["illegal"] or side["failed"] for one in figures for side in one["sides"]):
        raise typer.Exit(1)


class MatchBar(Bar):
    """The progress of a match on the terminal: games, time, and the differences in mean place so far."""

    def __init__(self, screen: Console, games: int) -> None:
        columns = (
            TextColumn("games"), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn(),
            TextColumn("{task.description}", markup=False),
        )  # fmt: skip
        super().__init__(screen, *columns, total=games)
        self._games = games

    def __call__(self, standing: MatchResult) -> None:
        """Show a standing."""
        differences = (
            f"place {found.mean:+.3f}{'' if found.within is None else f' ± {found.within:.3f}'} to {brief(other, NAME)}"
            for other, found in standing.compared.items()
        )
        done, differing = len(SEATS) * standing.finished, ", ".join(differences)
        self.update(completed=done, description=differing)
        self.lines.say(f"{done} of {plural(self._games, 'game')}{', ' * bool(differing)}{differing}")


def show(figures: Mapping[str, Any]) -> None:
    """Print the figures of a match as a table."""
    out = output_screen()
    out.print(
        f"{plural(figures['games'], figures['rules'] + ' game')} ({plural(figures['deals'], 'deal')}, every player "
        f"once in each seat), {plural(figures['hands'], 'hand')}, {figures['seconds']} s",
        highlight=False,
    )
    if figures["deals"] == 1:
        out.print("one deal gives no intervals: play more games (--games)", style="dim", highlight=False)
    sides = figures["sides"]
    names = [f"{side['seats']} x " * (side["seats"] > 1) + brief(side["player"], NAME) for side in sides]
    table = figures_table("", *names)
    rows: list[tuple[str, Callable[[Any], str]]] = [
        ("places 1 2 3 4", lambda side: " ".join(map(str, side["places"]))),
        ("mean place", lambda side: with_interval(side["rank"], 3)),
        ("result, thousands", lambda side: with_interval(side["result"], 1)),
        ("points per hand", lambda side: with_interval(side["hand"]["net"], 0)),
        *(_LUCKLESS if "without_luck" in sides[0] else ()),
        *((f"{name} rate", partial(_rate, key=key)) for name, key in _RATES),
        ("turn of the first tenpai", lambda side: with_interval(side["tenpai_turn"], 2)),
        ("turn of a win", lambda side: with_interval(side["win_turn"], 2)),
        ("points of a win", lambda side: with_interval(side["win_points"], 0)),
        ("points of a deal-in", lambda side: f"{side['points_paid']:,}"),
        ("wins riichi/open/silent", lambda side: _split(side["wins"])),
        ("deal-ins to riichi/open/silent", lambda side: _split(side["deal_ins"])),
        ("tenpai at a draw", lambda side: f"{side['tenpai_at_draw']:.1%}"),
        ("decision ms p50/p99", lambda side: f"{side['decision_ms']['p50']:.1f}/{side['decision_ms']['p99']:.1f}"),
    ]
    for title, text in rows:
        table.add_row(title, *map(text, sides))
    out.print(table)
    for side in sides:
        if side["illegal"] or side["failed"]:
            out.print(f"{brief(side['player'])}: {side['illegal']} illegal answers, {side['failed']} failures")
    show_differences(out, figures["differences"])
    if "test" in figures:
        test = figures["test"]
        verdict = "certain" if test["certain"] else "not certain"
        for one in test["differences"]:
            found = with_interval(one["rank"], 3, sign="+")
            out.print(
                f"difference in mean place to {brief(one['player'], NAME)}, at any time: {found}", highlight=False
            )
        out.print(f"{verdict} at a probability of error of {test['error']:g}", highlight=False)


def show_differences(out: Console, differences: list[dict[str, Any]]) -> None:
    """Print paired differences between players."""
    if not differences:
        return
    out.print()
    columns = [("mean place", "rank", 3, 1.0), ("points per hand", "net", 0, 1.0), ("win rate, %", "win", 1, 100.0)]
    if "rank_without_luck" in differences[0]:
        columns += [
            ("place without luck", "rank_without_luck", 3, 1.0), ("points without luck", "net_without_luck", 0, 1.0),
        ]  # fmt: skip
    table = figures_table("over the same walls", *(head for title, *_ in columns for head in (title, "p")))
    for one in differences:
        cells = []
        for _, name, digits, scale in columns:
            found = {key: scale * one[name][key] for key in ("mean", "within") if one[name][key] is not None}
            cells.append(with_interval({"within": None, **found}, digits, sign="+"))
            cells.append("" if one[name]["p"] is None else f"{one[name]['p']:.2g}")
        table.add_row(" - ".join(brief(player, NAME) for player in one["players"]), *cells)
    out.print(table)


def _rate(side: Any, key: str) -> str:
    estimate = side["hand"][key]
    within = "" if estimate["within"] is None else f" ± {100 * estimate['within']:.1f}"
    return f"{100 * estimate['mean']:.1f}{within}%"


_LUCKLESS: Final[tuple[tuple[str, Callable[[Any], str]], ...]] = (
    ("mean place without luck", lambda side: with_interval(side["without_luck"]["rank_without_luck"], 3)),
    ("points per hand without luck", lambda side: with_interval(side["without_luck"]["net_without_luck"], 0)),
)


def _split(counts: dict[str, int]) -> str:
    whole = max(sum(counts.values()), 1)
    return " ".join(f"{count / whole:.0%}" for count in counts.values())


arena = Arena.command()
