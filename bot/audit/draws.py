"""Results of many games without the luck of the draw: what the tiles that came were worth to a player, game by game.

The figures are those of :mod:`engine.train.luck`, beside what :mod:`bot.audit.luck` states of single hands: they need
no policy, have mean zero whatever a player does, and so leave the mean of the results as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bot.audit.sources import Recording
from bot.page.figures import rounded
from engine.arena.duplicate import ratio
from engine.rules.codes import HiddenTileError
from engine.tables import WeightsError
from engine.train.luck import luck_of


def draws_of(recording: Recording, seat: int) -> dict[str, float] | None:
    """What the draws, deals and ura of a game were worth to a seat: points, and final places (a gain is negative).

    None if the log does not show all hands, or the critic's weights cannot be used.
    """
    try:
        luck = luck_of(event for _, event in recording.events)
    except (HiddenTileError, WeightsError):
        return None
    points, places = luck[:, seat].sum(axis=0).tolist()
    return {"points": round(points), "places": round(places, 4)}


def without_draws(audits: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Mean place and mean final score over games that ended and whose draws are known: as they came, and without luck.

    None if there are none.
    """
    known = [(one["ends"][-1], one["draws"]) for one in audits if one.get("draws") and len(one["ends"]) == 1]
    if not known:
        return None
    return {
        "games": len(known),
        "placement": _mean([end["placement"] for end, _ in known], 2),
        "placement_without": _mean([end["placement"] - draws["places"] for end, draws in known], 2),
        "score": _mean([end["scores"][0] for end, _ in known], 0),
        "score_without": _mean([end["scores"][0] - draws["points"] for end, draws in known], 0),
    }


def _mean(values: Sequence[float], digits: int) -> dict[str, float | None]:
    found = ratio([(value, 1.0) for value in values])
    return {"mean": rounded(found.mean, digits), "within": rounded(found.within, digits)}
