"""The experiments of the papers as data: who plays whom, by which rules, and what the paper found.

The CHE paper: K. Aoki, H. Anada: Artificial Intelligence for Mahjong Using Tile Claiming, IPSJ 2020 (tables 5 and 6).
The FLOW paper: kackytw, Qiita 2016, which states that ``inversion`` won a round robin of four evaluators and gives no
figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from engine.model.rules import TONPU, Rules
from engine.papers.flow.table import TABLES

Four = tuple[str, str, str, str]

CHE_RULES: Final = replace(TONPU, red_fives=False, ura_dora=False, ippatsu=False)
"""The rules of the CHE paper's experiments: east-only with the extension below 30,000, open tanyao, no ura dora, red
fives or ippatsu. The paper also leaves out haitei and houtei, which our referee cannot; they add a han to a few wins in
a hundred."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """Several matches that are reported together.

    Attributes:
        title: its title.
        about: what the figures are, for the head of the report.
        rules: rules of every match.
        games: number of games of each match.
        matches: players by the name of each match, ``NAME`` as in :data:`labels` where one player is meant.
        shown: of which players the report has a column, by match.
        labels: what each player is called in the report.
        paper: by label, what the paper says of each figure.
        error: probability of an error of a test that stops each match; None: every match has all its games.
    """

    title: str
    about: str
    rules: Rules
    games: int
    matches: Mapping[str, Four]
    shown: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, str]
    paper: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    error: float | None = None


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


def _against_tsumogiri(player: str) -> Four:
    return player, "tsumogiri", "tsumogiri", "tsumogiri"


def _two_each(first: str, second: str) -> Four:
    """Neighbours, because players who sit across would play every game of a deal twice."""
    return first, first, second, second


CHE5: Final = Experiment(
    title="CHE, table 5: one player against three that discard what they draw",
    about=(
        "Each player sits with three `tsumogiri`, which discard every tile they draw, and never call or win. Rates are "
        "shares of all hands; a turn is the number of the player's own draws; the mean tenpai turn is that of the "
        "first tenpai of a hand." + _UPDATES
    ),
    rules=CHE_RULES,
    games=400,
    matches={label: _against_tsumogiri(player) for player, label in _CHE_LABELS.items()},
    shown={label: (player,) for player, label in _CHE_LABELS.items()},
    labels=_CHE_LABELS,
    paper={
        "CHE": {
            "tenpai": "67.0", "win": "45.4", "win_points": "4,811.6", "tenpai_turn": "10.68", "win_turn": "12.80",
        },
        "CHE+calls": {
            "tenpai": "68.3", "win": "46.2", "win_points": "4,353.6", "tenpai_turn": "10.30", "win_turn": "12.50",
            "call": "21.8",
        },
        "perceptron": {
            "tenpai": "70.0", "win": "47.3", "win_points": "4,187.9", "tenpai_turn": "10.64", "win_turn": "12.81",
        },
    },
)  # fmt: skip

CHE6: Final = Experiment(
    title="CHE, table 6: CHE, CHE with calls and two perceptrons at one table",
    about=(
        "All play at one table, and the two perceptrons are one column. Rates are shares of all hands; a turn is the "
        "number of the player's own draws." + _UPDATES
    ),
    rules=CHE_RULES,
    games=2_000,
    matches={"table": (CHE, CHE_CALLS, PERCEPTRON, PERCEPTRON)},
    shown={"table": (CHE, CHE_CALLS, PERCEPTRON)},
    labels={CHE: "CHE", CHE_CALLS: "CHE+calls", PERCEPTRON: "2 x perceptron"},
    paper={
        "CHE": {
            "tenpai": "41.5", "win": "21.5", "win_points": "4,304.0", "tenpai_turn": "9.05", "win_turn": "11.28",
            "rank": "2.526",
        },
        "CHE+calls": {
            "tenpai": "44.4", "win": "24.8", "win_points": "3,827.3", "tenpai_turn": "8.53", "win_turn": "10.90",
            "call": "33.4", "rank": "2.409",
        },
        "2 x perceptron": {
            "tenpai": "43.9 and 43.6", "win": "23.4 and 22.4", "win_points": "3,894.1 and 3,769.9",
            "tenpai_turn": "8.94 and 9.03", "win_turn": "11.41 and 11.37", "rank": "2.528 and 2.538",
        },
    },
)  # fmt: skip

_NODES: Final = "nodes=40000,call_nodes=15000"
"""More than these evaluators need; bounds of their own are with their names."""
_FLOW: Final = {
    f"flow:evaluator=handscore,{_NODES}": "handscore",
    f"flow:evaluator=gametree:hands=5000,{_NODES}": "gametree",
    f"flow:evaluator=montecarlo:walls=500,{_NODES}": "montecarlo",
    f"flow:evaluator=inversion,{_NODES}": "inversion",
    "flow:evaluator=dag,nodes=12000,call_nodes=6000": "dag",
}
"""With twice the nodes that ``flow`` gives ``dag``, and a fourth of the work of ``gametree`` and
``montecarlo``, so that a game takes seconds. What the latter two choose is worth 0.5% and 4% less by their own answers
with 20,000 hands and 6,000 walls (120 positions)."""

ROUND_ROBIN: Final = Experiment(
    title="FLOW: round robin of the evaluators under the same push/fold machine",
    about=(
        "Two seats of one player meet two of another, each `flow` with another evaluator. A match ends as soon as the "
        "difference in mean place is certain. The paper's author reports that inversion did best of his four."
    ),
    rules=TONPU,
    games=400,
    matches={f"{_FLOW[first]}-{_FLOW[second]}": _two_each(first, second) for first, second in combinations(_FLOW, 2)},
    shown={f"{_FLOW[first]}-{_FLOW[second]}": (first, second) for first, second in combinations(_FLOW, 2)},
    labels=_FLOW,
    error=0.05,
)

_TABLES: Final = {f"flow:table={name},nodes=4000,call_nodes=2000": name for name in TABLES}
"""With ``dag``: nobody calls with the evaluators that are faster, and then there are no open hands to be feared."""

FLOW_TABLE: Final = Experiment(
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
    shown={f"{_TABLES[one]}-{_TABLES[other]}": (one, other) for one, other in combinations(_TABLES, 2)},
    labels=_TABLES,
    error=0.05,
)

EXPERIMENTS: Final[Mapping[str, Experiment]] = {
    "che5": CHE5,
    "che6": CHE6,
    "flow-round-robin": ROUND_ROBIN,
    "flow-table": FLOW_TABLE,
}
"""By the name that ``oshihiki arena --paper`` takes."""
