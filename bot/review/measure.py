"""The measure of what a difference cost: its unit, its grade, how strong players fare by it, and its parts.

A policy that maximises the final result states its values in result points, thousands with uma and oka. In an audit
they count points at the table: how many points more on the scoreboard would have been worth as much, to this player, in
this situation. Every other unit (dan points, places, tiles, chances) stays as it is.

The table of strong players is counted by ``oshihiki train reference`` on recorded games
(:mod:`bot.lab.train.reference`), one seat of each. What players lose in a hundred decisions is compared with it if the
judge is the one that it was counted with: the policy, its settings, its weights. The bounds between the grades come
from it: phoenix players make a mistake or worse in about one of twenty judged decisions, and a blunder in about one of
250.

A policy may state what the value of each action is made of (:class:`engine.policy.decision.Parts`). A loss is the
difference of two values, so it is the sum of the differences of their parts, which a sentence names.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from bot.review import document
from bot.wording.languages import decimals_of, number
from engine.policy.decision import Decision, Parts
from engine.policy.grounds import Figure, Ground, GroundKind, ground
from engine.policy.settings import LEARNED

POINTS: Final = "points"
"""The unit of points at the table."""
CHANCE: Final = "chance"
"""The unit of policies that state how likely strong players are to choose an action."""
RESULT: Final = "result"
"""The unit of :func:`engine.worth.objective.make_objective` for the final result."""
LEAST: Final = 0.001
"""Result points that a point is worth at least: itself, in the final score, if it changes no place."""
FILE: Final = "assets/reference.json"
METHOD: Final = "assets/method.json"
MEASURE: Final = 2
"""Number of the way in which losses are counted: what ranks is lost, and a choice that is held is charged once. To be
raised with every change of it, so that no game is compared with those of another measure."""
NOISE: Final = 30.0
"""The noise in points of the judge by which the bounds were counted. Values in other units have no such count: their
bounds are as many times their own noise."""

TELLING: Final = 0.1
"""Share of the loss from which a part is named by itself, and above which the sum of the other parts is. A choice of
style."""
LEAST_GAIN: Final = 0.5
"""Units of the last digit that is written below which a sum is left out. Derived: it would be rounded away."""


class Scale(NamedTuple):
    """How values are written: what they count, and with how many decimals."""

    unit: str
    decimals: int

    @classmethod
    def of(cls, noise: float, unit: str) -> "Scale":
        """The scale of values of that noise."""
        return cls(unit, decimals_of(noise, unit))

    def finer(self, noise: float) -> "Scale":
        """The scale of a decision with that noise: never coarser than that of its review."""
        return self._replace(decimals=max(self.decimals, decimals_of(noise, self.unit)))

    def amount(self, value: float, *, sign: bool = False) -> str:
        """A value."""
        return number(value, self.decimals, sign=sign)


def shown_unit(unit: str) -> str:
    """The unit in which values that a policy states in ``unit`` are shown."""
    return POINTS if unit == RESULT else unit


def worth_of_one(decision: Decision) -> float:
    """The worth of one shown unit in the policy's own unit: divide its values by this."""
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
    """How strong players fare by one judge, by room and length of the game.

    Attributes:
        card: what it was counted with, and on what.
        bounds: least loss, in points, of a ``mistake`` and of a ``blunder``.
        tables: by name (``'phoenix hanchan'``), the figures of its players.
    """

    card: Mapping[str, Any]
    bounds: Mapping[str, float]
    tables: Mapping[str, Mapping[str, Any]]

    def suits(self, policy: str, settings: Mapping[str, Any], nodes: int | None = None) -> bool:
        """Whether what this judge counts can be compared with the table."""
        judge = self.card["judge"]
        measured = judge.get("measure") == MEASURE
        return bool(
            measured and judge["policy"] == policy and judge["settings"] == settings and judge["nodes"] == nodes
        )

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


def percentile(losses: Sequence[float], lost: float) -> int:
    """The share of ``losses`` (ascending) that are larger, in percent; equal ones count half."""
    return round(100 - 50 * (bisect_left(losses, lost) + bisect_right(losses, lost)) / len(losses))


@cache
def reference() -> Reference:
    """The table that is shipped."""
    found = json.loads((files("bot.review") / FILE).read_text(encoding="utf-8"))
    return Reference(found["card"], found["bounds"], found["tables"])


@cache
def played_on() -> Mapping[str, Any]:
    """What differences brought that were played on, and what programs and people lost; means with 95% intervals.

    They are results of ``oshihiki bench grades``.
    """
    found: Mapping[str, Any] = json.loads((files("bot.review") / METHOD).read_text(encoding="utf-8"))
    return found


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


def grade_of(loss: float, unit: str, noise: float, *, disputed: bool = False) -> Grade:
    """The grade of a difference that cost ``loss``; one that is disputed is an inaccuracy at worst."""
    least = bounds(unit, noise)
    if disputed:
        return Grade.INACCURACY
    if loss >= least[Grade.BLUNDER]:
        return Grade.BLUNDER
    return Grade.MISTAKE if loss >= least[Grade.MISTAKE] else Grade.INACCURACY


PARTS: Final = tuple(each.name for each in fields(Parts))
"""The names of the parts of a value."""
OPINION: Final = "network"
"""The part that is an opinion, what strong players tend to do, and no points at the table."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """How a loss adds up."""

    loss: float  # the difference of the two values
    noise: float  # below which a difference means nothing
    # by part, what the policy's choice brings more than what was played; they add up to the loss. Empty if the policy
    # states no parts.
    gains: Mapping[str, float]

    def reasons(self) -> list[str]:
        """The parts that speak for the policy's choice and matter, the largest first."""
        return self._mattering(1.0)

    def against(self) -> list[str]:
        """The parts that speak for what was played and matter, the largest first."""
        return self._mattering(-1.0)

    def small(self) -> tuple[list[str], float]:
        """The other parts and their sum; empty if the sum is at most a tenth of the loss."""
        named = {*self.reasons(), *self.against()}
        rest = {part: gain for part, gain in self.gains.items() if part not in named}
        total = sum(rest.values())
        if abs(total) <= max(TELLING * self.loss, LEAST_GAIN * 10.0 ** -decimals_of(self.noise)):
            return [], 0.0
        alike = [part for part, gain in rest.items() if gain * total > 0.0]
        return sorted(alike, key=lambda part: -abs(rest[part])), total

    def _mattering(self, sign: float) -> list[str]:
        least = max(self.noise, TELLING * self.loss)
        found = [part for part, gain in self.gains.items() if sign * gain >= least]
        return sorted(found, key=lambda part: -abs(self.gains[part]))


def ledger(row: document.Decision, mine: document.Candidate, theirs: document.Candidate) -> Ledger:
    """How the loss of a decision adds up.

    Args:
        row: the decision.
        mine: the candidate that was played.
        theirs: the policy's choice.
    """
    gains = {}
    if "parts" in mine and "parts" in theirs:
        one, other = theirs["parts"], mine["parts"]
        gains = {part: one.get(part, 0.0) - other.get(part, 0.0) for part in PARTS if part in one or part in other}
    return Ledger(theirs["value"] - mine["value"], row["noise"], gains)


def strong_play(settings: Mapping[str, Any]) -> str:
    """The name of the network whose choices count in a policy's values, by its settings; "" if none does."""
    # reviews that are kept may be of a time when the network was a setting
    return str(settings.get("learned_network", LEARNED)) if settings.get("learned") else ""


def folds(candidate: document.Candidate) -> bool:
    """Whether the hand folds after this action, as the policy plays it."""
    return candidate.get("note") == "fold"
