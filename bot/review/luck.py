"""The luck of the draw by a critic that sees all hands (:mod:`engine.critic.luck`), and results of games without it."""

from collections.abc import Sequence
from typing import Any

from bot.page.table import rounded
from bot.review.document import Draws, Kept
from bot.review.recording import Recording
from engine.critic import luck as draws_luck
from engine.critic.estimates import ratio
from engine.rules.codes import HiddenTileError
from engine.rules.recordings import UnusableGameError
from engine.tables import WeightsError


def draws_of(recording: Recording, seat: int) -> Draws | None:
    """The worth of a game's draws, deals and ura to a seat: points, and final places (a gain is negative).

    None if the log does not show all hands or shows one that cannot have been played, or the critic's weights cannot
    be used.
    """
    try:
        luck = draws_luck.luck_of(event for _, event in recording.events)
    except (HiddenTileError, UnusableGameError, WeightsError):
        return None
    points, places = luck[:, seat].sum(axis=0).tolist()
    return {"points": round(points), "places": round(places, 4)}


def without_draws(audits: Sequence[Kept]) -> dict[str, Any] | None:
    """Mean place and mean final score over games that ended and whose draws are known: as they came, and without luck.

    None if there are none.
    """
    known = [(one["ends"][-1], draws) for one in audits if (draws := one.get("draws")) and len(one["ends"]) == 1]
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
    """The mean of games and half of its 95% interval."""
    found = ratio([(value, 1.0) for value in values])
    return {"mean": rounded(found.mean, digits), "within": rounded(found.within, digits)}
