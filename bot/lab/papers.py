"""The experiments of the papers: who plays whom, by which rules, what the paper found; and the report beside it.

The CHE paper: K. Aoki, H. Anada: Artificial Intelligence for Mahjong Using Tile Claiming, IPSJ 2020 (tables 5 and 6).
The FLOW paper: kackytw, Qiita 2016, which states that ``inversion`` won a round robin of four evaluators and gives no
figures.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from bot.lab.match import Match, MatchResult, identity
from bot.lab.sides import FIGURES, Side, comparison, sides_of
from bot.machine.journal import dump
from bot.machine.origin import made_by
from engine.critic.estimates import Estimate
from engine.model.rules import TONPU, Rules
from engine.papers.flow.player import TABLES

Four = tuple[str, str, str, str]

CHE_RULES: Final = replace(TONPU, red_fives=False, ura_dora=False, ippatsu=False)
"""The rules of the CHE paper's experiments: east-only with the extension below 30,000, open tanyao, no ura dora, red
fives or ippatsu. The paper also leaves out haitei and houtei, which our referee cannot; they add a han to a few wins in
a hundred."""
ROUNDS: Final = 1_000
"""Updates of each decision of CHE, in place of the paper's ten seconds."""
_UPDATES: Final = (
    f" CHE makes {ROUNDS:,} updates for each decision, which take about 4 ms, in place of the paper's ten seconds, so "
    "that the same seed gives the same games. In 92% of 50 positions it chose the discard of 30,000 updates; what it "
    "chose was worth 0.4% less on average."
)
CHE: Final = f"che:evaluator=che:rounds={ROUNDS}"
PERCEPTRON: Final = "perceptron"
CHE_CALLS: Final = f"che:evaluator=che-calls:rounds={ROUNDS}"
_CHE_LABELS: Final = {
    CHE: "CHE",
    CHE_CALLS: "CHE+calls",
    PERCEPTRON: "perceptron",
    "dag": "dag",
    "value:nodes=8000,call_nodes=8000": "value",
    "value:utility=points,nodes=8000,call_nodes=8000": "value for points",
}
"""``value`` with a fifth of its nodes: with all of them 400 games take an hour of a core, and it needs no more here. It
plays for its place, and nobody contests the first place here, so a second row plays for points."""
_NODES: Final = "nodes=40000,call_nodes=15000"
"""More than these evaluators need; bounds of their own are with their names."""
_FLOW: Final = {
    f"flow:evaluator=handscore,{_NODES}": "handscore",
    f"flow:evaluator=gametree:hands=5000,{_NODES}": "gametree",
    f"flow:evaluator=montecarlo:walls=500,{_NODES}": "montecarlo",
    f"flow:evaluator=inversion,{_NODES}": "inversion",
    "flow:evaluator=dag:model=full,nodes=12000,call_nodes=6000": "dag",
}
"""With twice the nodes that ``flow`` gives ``dag``, and a fourth of the work of ``gametree`` and
``montecarlo``, so that a game takes seconds. What the latter two choose is worth 0.5% and 4% less by their own answers
with 20,000 hands and 6,000 walls (120 positions)."""
_TABLES: Final = {f"flow:table={name},nodes=4000,call_nodes=2000": name for name in TABLES}
"""With ``dag``: nobody calls with the evaluators that are faster, and then there are no open hands to be feared."""
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
class Series:
    """Several matches that are reported together."""

    title: str  # its title
    about: str  # what the figures are, for the head of the report
    rules: Rules  # rules of every match
    games: int  # number of games of each match
    # players by the name of each match, ``NAME`` as in :data:`labels` where one player is meant
    matches: Mapping[str, Four]
    labels: Mapping[str, str]  # what each player is called in the report, if it has a column there
    paper: Mapping[str, Mapping[str, str]] = field(default_factory=dict)  # by label, what the paper says of each figure
    # probability of an error of a test that stops each match; None: every match has all its games
    error: float | None = None

    def shown(self, match: str) -> list[str]:
        """The players of a match of which the report has a column, each once."""
        return [player for player in dict.fromkeys(self.matches[match]) if player in self.labels]


def _stated(figures: Sequence[str], rows: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
    """What a paper says of these figures of each player; a row ends where it says no more."""
    return {label: dict(zip(figures, said, strict=False)) for label, said in rows.items()}


def _two_each(first: str, second: str) -> Four:
    """Neighbours, because players who sit across would play every game of a deal twice."""
    return first, first, second, second


CHE5: Final = Series(
    title="CHE, table 5: one player against three that discard what they draw",
    about=(
        "Each player sits with three `tsumogiri`, which discard every tile they draw, and never call or win. Rates are "
        "shares of all hands; a turn is the number of the player's own draws; the mean tenpai turn is that of the "
        "first tenpai of a hand." + _UPDATES
    ),
    rules=CHE_RULES,
    games=400,
    matches={label: (player, "tsumogiri", "tsumogiri", "tsumogiri") for player, label in _CHE_LABELS.items()},
    labels=_CHE_LABELS,
    paper=_stated(
        ("tenpai", "win", "win_points", "tenpai_turn", "win_turn", "call"),
        {
            "CHE": ("67.0", "45.4", "4,811.6", "10.68", "12.80"),
            "CHE+calls": ("68.3", "46.2", "4,353.6", "10.30", "12.50", "21.8"),
            "perceptron": ("70.0", "47.3", "4,187.9", "10.64", "12.81"),
        },
    ),
)

CHE6: Final = Series(
    title="CHE, table 6: CHE, CHE with calls and two perceptrons at one table",
    about=(
        "All play at one table, and the two perceptrons are one column. Rates are shares of all hands; a turn is the "
        "number of the player's own draws." + _UPDATES
    ),
    rules=CHE_RULES,
    games=2_000,
    matches={"table": (CHE, CHE_CALLS, PERCEPTRON, PERCEPTRON)},
    labels={CHE: "CHE", CHE_CALLS: "CHE+calls", PERCEPTRON: "2 x perceptron"},
    paper=_stated(
        ("tenpai", "win", "win_points", "tenpai_turn", "win_turn", "rank", "call"),
        {
            "CHE": ("41.5", "21.5", "4,304.0", "9.05", "11.28", "2.526"),
            "CHE+calls": ("44.4", "24.8", "3,827.3", "8.53", "10.90", "2.409", "33.4"),
            "2 x perceptron": (
                *("43.9 and 43.6", "23.4 and 22.4", "3,894.1 and 3,769.9", "8.94 and 9.03", "11.41 and 11.37"),
                "2.528 and 2.538",
            ),
        },
    ),
)


ROUND_ROBIN: Final = Series(
    title="FLOW: round robin of the evaluators under the same push/fold machine",
    about=(
        "Two seats of one player meet two of another, each `flow` with another evaluator. A match ends as soon as the "
        "difference in mean place is certain. The paper's author reports that inversion did best of his four."
    ),
    rules=TONPU,
    games=400,
    matches={f"{_FLOW[first]}-{_FLOW[second]}": _two_each(first, second) for first, second in combinations(_FLOW, 2)},
    labels=_FLOW,
    error=0.05,
)


FLOW_TABLE: Final = Series(
    title="FLOW: variants of the push/fold table",
    about=(
        "Two seats of one player meet two of another, each `flow` with `dag` and another table: the paper's, "
        "which knows riichi alone; `open`, which also counts open hands of three melds, or of two in one suit, as "
        "threats; `placement`, which in the last round folds earlier as the first and later as the last. A match ends "
        "as soon as the difference in mean place is certain."
    ),
    rules=TONPU,
    games=400,
    matches={f"{_TABLES[one]}-{_TABLES[other]}": _two_each(one, other) for one, other in combinations(_TABLES, 2)},
    labels=_TABLES,
    error=0.05,
)

EXPERIMENTS: Final[Mapping[str, Series]] = {
    "che5": CHE5,
    "che6": CHE6,
    "flow-round-robin": ROUND_ROBIN,
    "flow-table": FLOW_TABLE,
}
"""By the name that ``oshihiki arena --paper`` takes."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """One match of an experiment, as far as it was played."""

    match: Match
    standing: MatchResult

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


def report(experiment: Series, played: Mapping[str, PlayedMatch], date: str) -> str:
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


def _rules(experiment: Series) -> str:
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


def _columns(experiment: Series, played: Mapping[str, PlayedMatch]) -> Iterable[str]:
    """One column for each player of each match."""
    columns = [
        (experiment.labels[player], name, one.sides[player])
        for name, one in played.items()
        for player in experiment.shown(name)
    ]
    yield "| | " + " | ".join(label if label == name else f"{label} ({name})" for label, name, _ in columns) + " |"
    yield "|---|" + "---|" * len(columns)
    for figure, title in _ROWS.items():
        cells = (_cell(side.estimate(figure), figure, experiment.paper.get(label, {})) for label, _, side in columns)
        yield f"| {title} | " + " | ".join(cells) + " |"
    times = (f"{side.times.ms()['p50']:.1f} / {side.times.ms()['p99']:.1f}" for _, _, side in columns)
    yield "| ms of a decision, median / 99%, by the clock, other work included | " + " | ".join(times) + " |"


def _cell(found: Estimate, figure: str, paper: Mapping[str, str]) -> str:
    cell = _text(found, figure)
    return f"{cell} (paper: {paper[figure]})" if figure in paper else cell


def _text(found: Estimate, figure: str) -> str:
    scale, digits = (100.0, 1) if figure in _RATES else (1.0, FIGURES[figure].digits)
    within = "" if found.within is None else f" ± {scale * found.within:,.{digits}f}"
    return f"{scale * found.mean:,.{digits}f}{within}"


def _differences(experiment: Series, played: Mapping[str, PlayedMatch]) -> Iterable[str]:
    """Paired tests: within each match, and between the first players of matches over equal walls."""
    yield "## Differences over the same walls"
    yield ""
    yield "| | mean place | win rate, % | points of a win | points per hand |"
    yield "|---|---|---|---|---|"
    for name, one in played.items():
        for first, second in combinations(experiment.shown(name), 2):
            yield _difference(experiment, one.sides[first], one.sides[second])
    ends = [one.sides[experiment.shown(name)[0]] for name, one in played.items()]
    if all(len(experiment.shown(name)) == 1 for name in experiment.matches):
        for mine, theirs in combinations(ends, 2):
            yield _difference(experiment, mine, theirs)


def _difference(experiment: Series, first: Side, second: Side) -> str:
    count = min(len(first.deals), len(second.deals))
    found = comparison(first.until(count), second.until(count))
    cells = []
    for figure, scale, digits in (("rank", 1, 3), ("win", 100, 1), ("win_points", 1, 0), ("net", 1, 0)):
        one = found[figure]
        within = "" if one["within"] is None else f" ± {scale * one['within']:,.{digits}f}, p = {one['p']:g}"
        cells.append(f"{scale * one['mean']:+,.{digits}f}{within}")
    names = " - ".join(experiment.labels[side.player] for side in (first, second))
    return f"| {names} | " + " | ".join(cells) + " |"


def _state(experiment: Series, name: str, one: PlayedMatch | None) -> str:
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


def _settings(played: Iterable[PlayedMatch]) -> Iterable[str]:
    seen: dict[str, Sequence[str]] = {}
    for one in played:
        for player in identity(one.match.order)["players"]:
            seen.setdefault(player["player"], dump(player["settings"]))
    for player, settings in seen.items():
        yield f"* `{player}`: `{settings}`"
