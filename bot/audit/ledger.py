"""What a difference of value is made of: what either answer wins, risks and pays, in points, side by side.

A policy states the value of each action as one number. Where it also states the chance and the mean value of a win, the
chance and the cost of dealing in, now and later, these figures multiply to parts of that value. They do not add up to
all of it (what others win, what the places are worth), so a sentence names the parts that decide, and what is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from bot.audit.measure import POINTS

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
