"""Counts the table of :mod:`bot.audit.reference` from judged games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev
from typing import Any, Final

from bot.audit.player_game import PlayerGame
from bot.audit.rating import Score, total
from bot.audit.reference import REBUILD
from bot.audit.units import POINTS
from bot.audit.verdicts import Category

ONE_IN: Final = {"mistake": 20, "blunder": 100}
"""In how many judged decisions a phoenix player loses so much once: what a mistake is, and a blunder."""
STEPS: Final = (30, 50, 100, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000)
"""Losses in points whose number the table states."""


def reference_of(found: Sequence[PlayerGame], judge: Mapping[str, Any], sources: Sequence[str]) -> dict[str, Any]:
    """The table's file.

    Args:
        found: the judged games.
        judge: the judge: policy, settings, nodes.
        sources: names of the archives.
    """
    groups = {name: [one for one in found if one.table == name] for name in sorted({one.table for one in found})}
    least = _bounds([one for one in found if one.table.startswith("phoenix")] or found)
    return {
        "card": {
            "what": "ratings of single games by one player, and how often differences cost how much",
            "made_by": REBUILD,
            "sources": list(sources),
            "unit": next((one.unit for one in found if one.unit), POINTS),
            "games": {name: len(games) for name, games in groups.items()},
            "bounds": "losses that phoenix players reach once in so many judged decisions, to one digit",
            "one_in": dict(ONE_IN),
            "judge": dict(judge),
        },
        "bounds": least,
        "tables": {name: _table(games, least) for name, games in groups.items()},
    }


def _bounds(found: Sequence[PlayerGame]) -> dict[str, float]:
    losses = sorted((loss for one in found for loss in one.losses), reverse=True)
    judged = total(one.score for one in found).judged
    return {
        name: float(f"{losses[min(judged // often, len(losses) - 1)]:.0e}") if losses else 0.0
        for name, often in ONE_IN.items()
    }


def _table(games: Sequence[PlayerGame], least: Mapping[str, float]) -> dict[str, Any]:
    ratings = sorted(round(one.score.rating, 1) for one in games if one.score.rating is not None)
    losses = [loss for one in games for loss in one.losses]
    mistakes, blunders = (sum(loss >= bound for loss in losses) for bound in (least["mistake"], least["blunder"]))
    return {
        "games": len(games),
        **_shares(total(one.score for one in games)),
        "grades": {"blunder": blunders, "mistake": mistakes - blunders, "inaccuracy": len(losses) - mistakes},
        "at_least": {str(step): sum(loss >= step for loss in losses) for step in STEPS},
        "mean": round(fmean(ratings), 2),
        "sd": round(stdev(ratings), 2) if len(ratings) > 1 else 0.0,
        "categories": {
            each.value: _shares(total(one.scores[each] for one in games if each in one.scores))
            for each in Category
            if any(each in one.scores and one.scores[each].judged for one in games)
        },
        "ratings": ratings,
    }


def _shares(score: Score) -> dict[str, Any]:
    return {
        "judged": score.judged,
        "same": score.same,
        "differences": score.differences,
        "agreement": None if score.agreement is None else round(score.agreement, 4),
        "rating": None if score.rating is None else round(score.rating, 2),
        "lost": round(score.lost),
    }
