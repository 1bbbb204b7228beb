"""The measure of what a difference cost: its unit, its grade, how strong players fare by it, and its parts.

A policy that maximises the final result states its values in result points, thousands with uma and oka. In an audit
they count points at the table: how many points more on the scoreboard would have been worth as much, to this player, in
this situation. Every other unit (dan points, places, tiles, chances) stays as it is.

The table of strong players is counted by ``oshihiki train reference`` on recorded games
(:mod:`bot.lab.train.reference`), one seat of each. Its ratings hold for the judge that it was counted with: the
policy, its settings, its weights. The bounds between the grades come from it: phoenix players make a mistake or worse
in about one of twenty judged decisions, and a blunder in about one of a hundred.

A policy states the value of each action as one number. Where it also states the chance and the mean value of a win, the
chance and the cost of dealing in, now and later, these figures multiply to parts of that value. They do not add up to
all of it (what others win, what the places are worth), so a sentence names the parts that decide, and what is left.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final

from engine.policy.decision import Decision
from engine.policy.grounds import Figure, Ground, GroundKind, ground

POINTS: Final = "points"
RESULT: Final = "result"
"""The unit of :func:`engine.policy.value.objective.make_objective` for the final result."""
LEAST: Final = 0.001
"""Result points that a point is worth at least: itself, in the final score, if it changes no place."""
FILE: Final = "assets/reference.json"
REBUILD: Final = "oshihiki train reference"
"""The command that makes the file."""
NOISE: Final = 30.0
"""The noise in points of the judge by which the bounds were counted. Values in other units have no such count: their
bounds are as many times their own noise."""
Fields = Mapping[str, Any]

DRAW: Final = 3_000.0
"""Points between tenpai and noten at an exhausted wall: exactly that with one or two players tenpai. From the rules."""
TELLING: Final = 0.15
"""Share of the difference from which a part is worth a sentence. A choice of style."""
ENOUGH: Final = 0.6
"""Share of the difference that the parts named should explain; otherwise the rest is named, too. A choice of style."""
SENTENCES: Final = 2
"""Number of parts that are named. A choice of style."""
NOTABLE: Final = 30.0
"""Points below which a part that speaks for what was played, or the rest, is not named. A choice of style."""


def shown_unit(unit: str) -> str:
    """The unit in which values that a policy states in ``unit`` are shown."""
    return POINTS if unit == RESULT else unit


def worth_of_one(decision: Decision) -> float:
    """What one of the shown unit is worth in the policy's own unit: divide its values by this."""
    return max(decision.per_point, LEAST) if decision.unit == RESULT else 1.0


def in_shown_unit(found: Ground, decision: Decision) -> Ground:
    """A ground of the decision with the worths in it in the shown unit; policies state them in points if they can."""
    figures = {name: _figure(value, decision) for name, value in found.figures.items()}
    points, amount = figures.get("points"), figures.get("amount")
    if found.kind is GroundKind.POINTS and isinstance(points, int | float):
        own = points * decision.per_point if decision.per_point > 0 else points
        if decision.unit == RESULT:
            return ground(GroundKind.POINTS, points=own / worth_of_one(decision))
        if decision.unit != POINTS and decision.per_point > 0:
            return ground(GroundKind.AMOUNT, amount=own, unit=decision.unit)
    if found.kind is GroundKind.AMOUNT and isinstance(amount, int | float) and figures["unit"] == RESULT:
        return ground(GroundKind.POINTS, points=amount / worth_of_one(decision))
    return Ground(found.kind, figures)


def _figure(value: Figure, decision: Decision) -> Figure:
    if isinstance(value, Ground):
        return in_shown_unit(value, decision)
    return tuple(in_shown_unit(each, decision) for each in value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Reference:
    """The table.

    Attributes:
        card: what it was counted with, and on what.
        bounds: least loss, in points, of a ``mistake`` and of a ``blunder``.
        tables: by name (``'phoenix hanchan'``), the figures of its players.
    """

    card: Mapping[str, Any]
    bounds: Mapping[str, float]
    tables: Mapping[str, Mapping[str, Any]]

    def suits(self, policy: str, settings: Mapping[str, Any], nodes: int | None = None) -> bool:
        """Whether ratings by this judge can be compared with the table's."""
        judge = self.card["judge"]
        return bool(judge["policy"] == policy and judge["settings"] == settings and judge["nodes"] == nodes)

    def one_in(self, grade: str) -> int:
        """In how many judged decisions phoenix players lose as much as that grade once."""
        rooms = [one for name, one in self.tables.items() if name.startswith("phoenix")]
        worse = ("blunder",) if grade == "blunder" else ("blunder", "mistake")
        found = sum(one["grades"][each] for one in rooms for each in worse)
        return round(sum(one["judged"] for one in rooms) / found) if found else 0

    def of_length(self, *, hanchan: bool) -> dict[str, Mapping[str, Any]]:
        """The tables of hanchan, or of east-only games, by room."""
        length = "hanchan" if hanchan else "tonpu"
        return {name.split()[0]: one for name, one in self.tables.items() if name.endswith(length)}


def percentile(ratings: Sequence[float], rating: float) -> int:
    """The share of ``ratings`` (ascending) that are lower, in percent; equal ones count half."""
    return round(50 * (bisect_left(ratings, rating) + bisect_right(ratings, rating)) / len(ratings))


@cache
def reference() -> Reference:
    """The table that is shipped."""
    fields = json.loads((files("bot.audit") / FILE).read_text(encoding="utf-8"))
    return Reference(fields["card"], fields["bounds"], fields["tables"])


class Grade(StrEnum):
    """How good an answer was, best first."""

    BEST = "best"
    """The policy's own choice."""
    EQUAL = "equal"
    """Worth as much within the noise."""
    INACCURACY = "inaccuracy"
    """Worth less, by less than a mistake."""
    MISTAKE = "mistake"
    BLUNDER = "blunder"


COSTLY: Final = (Grade.BLUNDER, Grade.MISTAKE, Grade.INACCURACY)
"""The grades of differences, worst first."""


def bounds(unit: str, noise: float) -> dict[Grade, float]:
    """The least loss of a mistake and of a blunder.

    Args:
        unit: unit of the loss.
        noise: of the decision, in that unit.
    """
    scale = 1.0 if unit == POINTS else noise / NOISE
    found = reference().bounds
    return {grade: scale * found[grade.value] for grade in (Grade.MISTAKE, Grade.BLUNDER)}


def grade_of(loss: float, unit: str, noise: float) -> Grade:
    """The grade of a difference that cost ``loss``."""
    least = bounds(unit, noise)
    if loss >= least[Grade.BLUNDER]:
        return Grade.BLUNDER
    return Grade.MISTAKE if loss >= least[Grade.MISTAKE] else Grade.INACCURACY


class Part(StrEnum):
    """A part of an action's value."""

    WIN = "win"
    """What it wins: the chance times the mean value of a win."""
    DEAL_IN = "deal_in"
    """What the tile that it discards costs on average."""
    LATER = "later"
    """What later discards cost on average."""
    DRAW = "draw"
    """What tenpai at an exhausted wall brings."""
    ADDED = "added"
    """What the policy adds to the search's figures."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """The parts of two answers.

    Attributes:
        gap: the difference of value in points; None if it cannot be stated in points.
        gains: by part, what the policy's choice brings more than what was played; parts that are known for both.
    """

    gap: float | None
    gains: Mapping[Part, float]

    @property
    def whole(self) -> float:
        """What shares are taken of: the difference, or else the sum of all gains."""
        return self.gap or sum(gain for gain in self.gains.values() if gain > 0.0)

    def deciding(self) -> list[Part]:
        """The parts that speak for the policy's choice and matter, the largest first."""
        found = [part for part, gain in self.gains.items() if gain >= TELLING * self.whole and gain > 0.0]
        return sorted(found, key=lambda part: -self.gains[part])[:SENTENCES]

    def against(self) -> list[Part]:
        """The parts that speak for what was played and matter, the largest first."""
        least = max(TELLING * self.whole, NOTABLE)
        found = [part for part, gain in self.gains.items() if -gain >= least]
        return sorted(found, key=lambda part: self.gains[part])

    def rest(self, named: list[Part]) -> float:
        """The points that the named parts do not explain; 0 if that is little, or not known."""
        if self.gap is None:
            return 0.0
        rest = self.gap - sum(self.gains[part] for part in named)
        return rest if rest >= max((1.0 - ENOUGH) * self.gap, 0.0 if not named else NOTABLE) else 0.0


def ledger(row: Fields, unit: str, mine: Fields, theirs: Fields) -> Ledger:
    """The parts of a difference.

    Args:
        row: the decision.
        unit: unit of its values.
        mine: the candidate that was played.
        theirs: the policy's choice.
    """
    loss = row["loss"] or 0.0
    gap = loss if unit == POINTS else loss / row["per_point"] if row["per_point"] > 0 else None
    per_one = 1.0 if unit == POINTS else 1.0 / row["per_point"] if row["per_point"] > 0 else 0.0
    one, other = _parts(theirs, per_one), _parts(mine, per_one)
    return Ledger(gap, {part: one[part] - other[part] for part in Part if part in one and part in other})


def folds(candidate: Fields) -> bool:
    """Whether the hand folds after this action, as the policy plays it."""
    return candidate.get("note") == "fold"


def _parts(one: Fields, per_one: float) -> dict[Part, float]:
    """The parts of an action's value that are known; a call or a pass discards nothing at once."""
    found: dict[Part, float] = {}
    if "win_points" in one or folds(one):
        found[Part.WIN] = 0.0 if folds(one) else one["p_win"] * one["win_points"]
    found[Part.DEAL_IN] = -(one.get("p_deal_in") or 0.0) * (one.get("expected_loss") or 0.0)
    if "p_later" in one:
        found[Part.LATER] = -one["p_later"] * one["later_loss"]
    if "p_tenpai" in one:
        found[Part.DRAW] = one["p_tenpai"] * DRAW
    found[Part.ADDED] = one.get("added", 0.0) * per_one
    return found
