"""Results of games: their sums by day, and whether places get better."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

from bot.play.client import GameResult
from bot.store.played import Entry
from engine.critic.estimates import Estimate, ratio
from engine.worth.objective import make_objective
from protocol.errors import ProtocolError
from protocol.tenhou.game_type import Room, parse_game_type

_ROOMS: Final = {
    Room.GENERAL: "general",
    Room.DAN: "dan",
    Room.UPPER_DAN: "upper",
    Room.PHOENIX: "phoenix",
}


def dan_points(one: Entry) -> float:
    """The game's dan points by Tenhou's table; 0 unless it was ranked and the rank is known."""
    if one.placement is None or one.dan is None or one.lobby != 0:
        return 0.0
    return _dan_points(one.game_type, one.dan)[one.placement - 1]


@lru_cache(maxsize=1_024)
def _dan_points(game_type: int, dan: int) -> tuple[float, float, float, float]:
    """The dan points of each place for a player of that rank at such a table."""
    try:
        kind = parse_game_type(game_type)
    except ProtocolError:
        return _WORTHLESS
    return make_objective("dan", kind.rules, dan, _ROOMS[kind.room]).by_rank if kind.people else _WORTHLESS


_WORTHLESS: Final = (0.0, 0.0, 0.0, 0.0)


def entry(result: GameResult, *, at: datetime, account: str, policy: str, server: str, lobby: int, drops: int) -> Entry:
    """The entry of a finished game."""
    seat, standing = result.seat, result.standing
    return Entry(
        at=at.isoformat(timespec="seconds"),
        account=account,
        server=server,
        lobby=lobby,
        game_type=result.game_type,
        placement=result.placement,
        score=None if result.scores is None else result.scores[seat],
        result=None if result.results is None else result.results[seat],
        dan=None if standing is None else standing.dan,
        points=None if standing is None else standing.points,
        rate=None if standing is None else standing.rate,
        drops=drops,
        log=result.log_id,
        policy=policy,
    )


@dataclass(slots=True)
class Day:
    """The games of one account and policy on one day."""

    day: date  # local date
    account: str  # label of the account
    policy: str  # who played, as in :class:`Entry`
    placements: list[int] = field(default_factory=lambda: [0] * 4)  # number of games by placement, where it is known
    result: float = 0.0  # sum of the results of these games, in thousands
    dan_points: float = 0.0  # sum of what they are worth by Tenhou's table
    rank: tuple[int, int, float] | None = None  # dan, points and rating before the last game, if known
    drops: int = 0  # number of connections lost, in all games
    unknown: int = 0  # number of games whose place is not known; they enter no other figure but the drops

    @property
    def games(self) -> int:
        """Number of games whose place is known."""
        return sum(self.placements)

    @property
    def mean_placement(self) -> float | None:
        """Mean over the games whose placement is known."""
        known = self.games
        return sum((at + 1) * count for at, count in enumerate(self.placements)) / known if known else None

    def add(self, one: Entry) -> None:
        """Add a game of this day."""
        self.drops += one.drops
        if one.dan is not None and one.points is not None and one.rate is not None:
            self.rank = (one.dan, one.points, one.rate)
        if one.placement is None:
            self.unknown += 1
            return
        self.placements[one.placement - 1] += 1
        self.result += one.result or 0.0
        self.dan_points += dan_points(one)

    def fields(self) -> dict[str, Any]:
        """The day as JSON shows it."""
        mean = self.mean_placement
        dan, points, rate = self.rank or (None, None, None)
        return {
            "day": self.day.isoformat(),
            "account": self.account,
            "policy": self.policy,
            "games": self.games,
            "placements": self.placements,
            "mean_placement": None if mean is None else round(mean, 3),
            "result": round(self.result, 1),
            "dan_points": round(self.dan_points, 1),
            "dan": dan,
            "points": points,
            "rate": rate,
            "drops": self.drops,
            "unknown_place": self.unknown,
        }


Places = dict[tuple[str, str], bytearray]
"""By account and policy, the places of its games in their order, where they are known; a byte for each."""


def days(entries: Iterable[Entry], places: Places | None = None) -> list[Day]:
    """The games summed up by day, account and policy, in that order; a game more costs no memory.

    Args:
        entries: the games.
        places: takes their places, of which :func:`trends` makes what they come to over time.
    """
    sums: dict[tuple[date, str, str], Day] = {}
    for one in entries:
        key = (one.day, one.account, one.policy)
        sums.setdefault(key, Day(*key)).add(one)
        if places is not None and one.placement is not None:
            places.setdefault(key[1:], bytearray()).append(one.placement)
    return [sums[key] for key in sorted(sums)]


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


def trends(places: Places) -> list[Trend]:
    """The trend of each account and policy with at least :data:`FEWEST` games whose place is known, in that order."""
    return [_trend(*key, found) for key, found in sorted(places.items()) if len(found) >= FEWEST]


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
