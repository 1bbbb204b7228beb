"""Objectives of a policy: the result of the game with uma and oka, the place, Tenhou's dan points, or points."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.model.rules import Rules

OBJECTIVES: Final = ("placement", "rank", "dan", "points")
"""Names that ``policy.utility`` takes."""

ROOMS: Final = {"general": (30, 15, 0), "dan": (60, 15, 0), "upper": (75, 30, 0), "phoenix": (90, 45, 0)}
"""Dan points of a hanchan for the first three places, by room. From Tenhou's rules; the points of the fourth place
depend only on the player's own rank."""
FIRST_DAN: Final = 10
"""Tenhou's number of shodan; 9 is ikkyuu, 8 nikyuu, 20 tenhoui."""
TONPU_SHARE: Final = 2 / 3
"""Share of a hanchan's dan points that an east-only game brings. From Tenhou's rules."""


@dataclass(frozen=True, slots=True)
class Objective:
    """The worth of a final result: ``by_rank[rank] + per_point * score``.

    Attributes:
        name: one of :data:`OBJECTIVES`.
        unit: unit of the worth, as people read it.
        by_rank: worth of the first to the fourth place.
        per_point: worth of each point of the final score.
    """

    name: str
    unit: str
    by_rank: tuple[float, float, float, float]
    per_point: float

    @property
    def ranked(self) -> bool:
        """Whether places count at all."""
        return len(set(self.by_rank)) > 1


@cache
def make_objective(name: str, rules: Rules, dan: int = 16, room: str = "phoenix") -> Objective:
    """The objective of that name at a table.

    ``placement``: result points in thousands: the score relative to the return points, uma, and oka for the first.
    ``rank``: the place, each one as much better than the next. ``dan``: Tenhou's dan points. ``points``: the score
    alone.

    Args:
        name: one of :data:`OBJECTIVES`.
        rules: rules of the table.
        dan: the player's own rank as Tenhou counts it, for ``dan``: 10 is shodan, 16 shichidan, 19 judan.
        room: one of :data:`ROOMS`, for ``dan``.

    Raises:
        ValueError: no objective or room has that name; the message lists the valid ones.
    """
    if name == "points":
        return Objective(name, "points", (0.0, 0.0, 0.0, 0.0), 1.0)
    if name == "placement":
        oka = 4 * (rules.return_points - rules.start_points) / 1_000
        base = -rules.return_points / 1_000
        first, second, third, fourth = (base + uma for uma in rules.uma)
        return Objective(name, "result", (first + oka, second, third, fourth), 0.001)
    if name == "rank":
        return Objective(name, "places", (-1.0, -2.0, -3.0, -4.0), 0.0)
    if name != "dan":
        raise ValueError(f"no utility is named {name!r}; there are: {', '.join(OBJECTIVES)}")
    if room not in ROOMS:
        raise ValueError(f"no room is named {room!r}; there are: {', '.join(ROOMS)}")
    share = 1.0 if rules.hanchan else TONPU_SHARE
    first, second, third = (share * points for points in ROOMS[room])
    return Objective(name, "dan points", (first, second, third, -share * last_costs(dan)), 0.0)


def last_costs(dan: int) -> float:
    """Dan points that the fourth place of a hanchan costs a player of that rank."""
    if dan >= FIRST_DAN:
        return 45.0 + 15.0 * (dan - FIRST_DAN)
    return {9: 30.0, 8: 15.0}.get(dan, 0.0)
