"""Whether places get better: the last games of an account and policy beside those before them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from bot.play.results import Entry
from engine.critic.estimates import Estimate, ratio

LAST: Final = 50
"""Number of games that are the last ones; those before them are what they are compared with."""
FEWEST: Final = 20
"""Number of games from which there is a trend."""
PARTS: Final = 10
"""Maximum number of parts into which all games are divided, in order."""


@dataclass(frozen=True, slots=True)
class Trend:
    """The places of one account and policy."""

    # account, policy: as in :class:`~bot.play.results.Entry`
    account: str
    policy: str
    games: int  # number of games whose place is known
    mean: Estimate  # mean place of all of them
    last: Estimate  # mean place of the last games, :data:`LAST` or a third of all, whichever is fewer
    before: Estimate  # mean place of as many games before them
    parts: tuple[float, ...]  # mean place of each part of the games, oldest first

    def fields(self) -> dict[str, Any]:
        """The trend as JSON shows it."""

        def pair(one: Estimate) -> list[float | None]:
            return [round(one.mean, 3), None if one.within is None else round(one.within, 3)]

        return {
            "account": self.account,
            "policy": self.policy,
            "games": self.games,
            "mean_placement": pair(self.mean),
            "last": pair(self.last),
            "before": pair(self.before),
            "parts": [round(part, 3) for part in self.parts],
        }


class Trends:
    """The places of each account and policy in their order, a byte for each."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], bytearray] = {}

    def add(self, one: Entry) -> None:
        """Add a game; one whose place is not known is left out."""
        if one.placement is not None:
            self._places.setdefault((one.account, one.policy), bytearray()).append(one.placement)

    def found(self) -> list[Trend]:
        """The trend of each account and policy with at least :data:`FEWEST` games, in that order."""
        return [_trend(*key, self._places[key]) for key in sorted(self._places) if len(self._places[key]) >= FEWEST]


def _trend(account: str, policy: str, places: Sequence[int]) -> Trend:
    size = min(LAST, len(places) // 3)
    parts = min(PARTS, len(places) // 5)
    ends = [len(places) * part // parts for part in range(parts + 1)]
    means = tuple(_mean(places[start:end]).mean for start, end in pairwise(ends))
    return Trend(
        account, policy, len(places), _mean(places), _mean(places[-size:]), _mean(places[-2 * size : -size]), means
    )


def _mean(places: Sequence[int]) -> Estimate:
    return ratio([(place, 1.0) for place in places])
