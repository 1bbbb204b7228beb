"""An account's record as HELO states it: rank, rating, and counts since the account was created."""

from dataclasses import dataclass
from typing import Final

from engine.model.seats import four

_FIELDS: Final = 14


@dataclass(frozen=True, slots=True)
class AccountRecord:
    """``PF4``: an account's record in four-player games.

    Attributes:
        dan: rank index: 0 newcomer, 1 to 9 the kyu ranks from 9 down, 10 to 19 the dan ranks, 20 tenhoui.
        points: points towards the next rank.
        rate: rating.
        total: sum of result points, in thousands.
        placements: number of games by placement, first to fourth.
    """

    dan: int
    points: int
    rate: float
    total: float
    placements: tuple[int, int, int, int]

    @property
    def games(self) -> int:
        """Number of games played."""
        return sum(self.placements)

    def placement_since(self, before: "AccountRecord") -> int | None:
        """The placement (1 to 4) in the one game played since ``before``; None if it was not exactly one game."""
        more = [now - then for now, then in zip(self.placements, before.placements, strict=True)]
        return more.index(1) + 1 if sorted(more) == [0, 0, 0, 1] else None


def parse_standing(pf4: str | None) -> AccountRecord | None:
    """Parse ``PF4`` of a HELO; None if it is absent (a guest) or invalid, because play does not depend on it."""
    fields = (pf4 or "").split(",")
    if len(fields) < _FIELDS:
        return None
    try:
        dan, points, rate, total = int(fields[0]), int(fields[1]), float(fields[2]), float(fields[3])
        places = four(int(field) for field in fields[4:8])
    except ValueError:
        return None
    return AccountRecord(dan, points, rate, total, places)
