"""The report of an experiment as Markdown: its figures beside the paper's, and all that is needed to repeat it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from bot.matches.match import Match, Standing, identity
from bot.matches.papers import Experiment
from bot.matches.sides import FIGURES, Side, comparison, sides_of
from bot.record.origin import made_by
from bot.record.writer import dump
from engine.arena.duplicate import Estimate

LEAST: Final = 20
"""Number of deals of a match that is not complete with which its figures are shown: the intervals need some."""
_ROWS: Final = {
    "tenpai": "tenpai rate, %",
    "win": "win rate, %",
    "win_points": "mean points of a win",
    "tenpai_turn": "mean tenpai turn",
    "win_turn": "mean win turn",
    "call": "hands with a call, %",
    "rank": "mean place",
    "net": "points per hand",
    "deal_in": "deal-in rate, %",
}
_DUPLICATE: Final = (
    "* each set of walls is played four times, with every player once in each seat; ± is the half-width of the 95% "
    "interval over these deals"
)
_RATES: Final = frozenset({"tenpai", "win", "call", "deal_in"})


@dataclass(frozen=True, slots=True)
class Played:
    """One match of an experiment, as far as it was played."""

    match: Match
    standing: Standing

    @property
    def sides(self) -> dict[str, Side]:
        """The sides by player."""
        return {side.player: side for side in sides_of(self.match.order.names, self.standing.deals)}

    @property
    def games(self) -> int:
        """Number of games that count."""
        return 4 * len(self.standing.deals)

    @property
    def enough(self) -> bool:
        """Whether there are figures to show."""
        return self.complete or len(self.standing.deals) >= LEAST

    @property
    def complete(self) -> bool:
        """Whether all games were played, or the test stopped the match."""
        return self.standing.certain or len(self.standing.deals) == len(self.match.seeds)


def report(experiment: Experiment, played: Mapping[str, Played], date: str) -> str:
    """The report.

    Args:
        experiment: what was played.
        played: the matches by name, those that were played at all.
        date: the day, ISO 8601.
    """
    made = made_by()
    some = next(iter(played.values()))
    shown = {name: one for name, one in played.items() if one.enough}
    lines = [
        f"# {experiment.title}",
        "",
        experiment.about,
        "",
        f"* date {date}, oshihiki {made['oshihiki']}, engine {made['engine']}, first seed {some.match.seeds.start}",
        f"* rules: {_rules(experiment)}",
        _DUPLICATE,
        "",
        *(_columns(experiment, shown) if shown else ("No match has enough games to show.",)),
        "",
        *_differences(experiment, shown),
        "",
        "## Matches",
        "",
        "| match | games | state |",
        "|---|---|---|",
        *(_state(experiment, name, played.get(name)) for name in experiment.matches),
        "",
        "## Settings",
        "",
        *_settings(played.values()),
    ]
    return "\n".join(lines) + "\n"


def _rules(experiment: Experiment) -> str:
    rules = experiment.rules
    parts = ["hanchan" if rules.hanchan else "east-only", f"extension below {rules.return_points:,}"]
    for name, there in (
        ("open tanyao", rules.open_tanyao),
        ("red fives", rules.red_fives),
        ("ura dora", rules.ura_dora),
        ("ippatsu", rules.ippatsu),
    ):
        parts.append(name if there else f"no {name}")
    return ", ".join(parts)


def _columns(experiment: Experiment, played: Mapping[str, Played]) -> Iterable[str]:
    """One column for each player of each match."""
    columns = [
        (experiment.labels[player], name, one.sides[player])
        for name, one in played.items()
        for player in experiment.shown[name]
    ]
    yield "| | " + " | ".join(_head(label, name) for label, name, _ in columns) + " |"
    yield "|---|" + "---|" * len(columns)
    for figure, title in _ROWS.items():
        cells = (_cell(side.estimate(figure), figure, experiment.paper.get(label, {})) for label, _, side in columns)
        yield f"| {title} | " + " | ".join(cells) + " |"
    times = (f"{side.times.ms()['p50']:.1f} / {side.times.ms()['p99']:.1f}" for _, _, side in columns)
    yield "| ms of a decision, median / 99%, by the clock, other work included | " + " | ".join(times) + " |"


def _head(label: str, match: str) -> str:
    return label if label == match else f"{label} ({match})"


def _cell(found: Estimate, figure: str, paper: Mapping[str, str]) -> str:
    cell = _text(found, figure)
    return f"{cell} (paper: {paper[figure]})" if figure in paper else cell


def _text(found: Estimate, figure: str) -> str:
    scale, digits = (100.0, 1) if figure in _RATES else (1.0, FIGURES[figure].digits)
    within = "" if found.within is None else f" ± {scale * found.within:,.{digits}f}"
    return f"{scale * found.mean:,.{digits}f}{within}"


def _differences(experiment: Experiment, played: Mapping[str, Played]) -> Iterable[str]:
    """Paired tests: within each match, and between the first players of matches over the same walls."""
    yield "## Differences over the same walls"
    yield ""
    yield "| | mean place | win rate, % | points of a win | points per hand |"
    yield "|---|---|---|---|---|"
    for name, one in played.items():
        for first, second in combinations(experiment.shown[name], 2):
            yield _difference(experiment, one.sides[first], one.sides[second])
    ends = [one.sides[experiment.shown[name][0]] for name, one in played.items()]
    if all(len(players) == 1 for players in experiment.shown.values()):
        for mine, theirs in combinations(ends, 2):
            yield _difference(experiment, mine, theirs)


def _difference(experiment: Experiment, first: Side, second: Side) -> str:
    count = min(len(first.deals), len(second.deals))
    found = comparison(first.until(count), second.until(count))
    cells = []
    for figure, scale, digits in (("rank", 1, 3), ("win", 100, 1), ("win_points", 1, 0), ("net", 1, 0)):
        one = found[figure]
        within = "" if one["within"] is None else f" ± {scale * one['within']:,.{digits}f}, p = {one['p']:g}"
        cells.append(f"{scale * one['mean']:+,.{digits}f}{within}")
    names = " - ".join(experiment.labels[side.player] for side in (first, second))
    return f"| {names} | " + " | ".join(cells) + " |"


def _state(experiment: Experiment, name: str, one: Played | None) -> str:
    if one is None or not one.games:
        return f"| {name} | 0 | not played yet |"
    state = f"all {one.games} games" if one.complete else f"**not complete**: {one.games} of {experiment.games} games"
    if not one.enough:
        state += ", too few to show"
    if one.match.error is not None:
        sure = "certain" if one.standing.certain else "not certain"
        for found in one.standing.compared.values():
            state += f"; difference in mean place {_text(found, 'rank')} at any time, {sure}"
    return f"| {name} | {one.games} | {state} |"


def _settings(played: Iterable[Played]) -> Iterable[str]:
    seen: dict[str, Sequence[str]] = {}
    for one in played:
        for player in identity(one.match.order)["players"]:
            seen.setdefault(player["player"], dump(player["settings"]))
    for player, settings in seen.items():
        yield f"* `{player}`: `{settings}`"
