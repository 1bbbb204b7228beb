"""Where a player loses: scores by situation, and the differences that recur, added up over games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final

from bot.audit.rating import Score
from bot.audit.rating import score as score_of_rows
from bot.audit.rows import Row
from bot.audit.wording import difference
from bot.page.figures import figure
from engine.model.rules import Rules

EARLY: Final = 6
"""Last turn that counts as early: one row of the river."""
MOST: Final = 10
"""Number of habits that are listed."""
BLOCKS: Final = 6
"""Maximum number of blocks of games in a trend."""

Fields = Mapping[str, Any]


class Situation(StrEnum):
    """The situation of a decision; of several the first one counts."""

    LAST_HAND = "last_hand"
    AGAINST_RIICHI = "against_riichi"
    EARLY = "early"
    LATE = "late"


def situation(row: Row, kyoku: int, rules: Rules) -> Situation:
    """The situation of a decision in a hand."""
    if kyoku >= rules.last_kyoku:
        return Situation.LAST_HAND
    if row.threatened:
        return Situation.AGAINST_RIICHI
    return Situation.EARLY if row.turn <= EARLY else Situation.LATE


def by_situation(rows: Sequence[Row], found: Sequence[Situation]) -> dict[Situation, Score]:
    """The score of each situation that occurred; ``found`` holds that of each row."""
    return {
        each: score_of_rows(row.judgement for row, one in zip(rows, found, strict=True) if one is each)
        for each in Situation
        if each in found
    }


def kind_of(row: Fields) -> str:
    """The kind of a difference, by which it is a habit."""
    return difference(row) or str(row["category"])


def habits(decisions: Sequence[Fields], found: Sequence[Situation]) -> list[dict[str, Any]]:
    """The differences of a game by kind and situation, with their number and the value lost.

    The kind is that of :func:`bot.audit.wording.difference`, or else the category of the decision.
    """
    summed: dict[tuple[str, str], list[float]] = {}
    for row, where in zip(decisions, found, strict=True):
        if row["verdict"] == "differs":
            summed.setdefault((kind_of(row), where.value), []).append(row["loss"] or 0.0)
    return [
        {"kind": kind, "situation": where, "count": len(losses), "lost": figure(sum(losses))}
        for (kind, where), losses in summed.items()
    ]


def costliest(games: Iterable[Sequence[Fields]]) -> list[dict[str, Any]]:
    """The habits that cost the most over all games, costliest first."""
    summed: dict[tuple[str, str], tuple[int, float]] = {}
    for game in games:
        for one in game:
            count, lost = summed.get((one["kind"], one["situation"]), (0, 0.0))
            summed[one["kind"], one["situation"]] = count + one["count"], lost + one["lost"]
    rows: list[dict[str, Any]] = [
        {"kind": kind, "situation": where, "count": count, "lost": figure(lost)}
        for (kind, where), (count, lost) in summed.items()
    ]
    return sorted(rows, key=lambda row: -row["lost"])[:MOST]


def blocks(games: Sequence[Fields]) -> list[Sequence[Fields]]:
    """The games in order, in up to :data:`BLOCKS` blocks of about equal size."""
    count = min(BLOCKS, len(games))
    return [games[len(games) * at // count : len(games) * (at + 1) // count] for at in range(count)]
