"""Results of games, kept on disk permanently: one line of JSON for each, and their sums by day."""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from bot.live.client import GameResult
from bot.machine.files import append as append_whole
from bot.machine.files import open_private
from bot.machine.text import hide
from engine.model.seats import four
from engine.policy.value.objective import make_objective
from protocol.errors import RemoteProtocolError
from protocol.tenhou.game_type import Room, parse_game_type

FILE: Final = "results.ndjson"
"""Name of the file in the folder of the records."""
_ROOMS: Final = {
    Room.GENERAL: "general",
    Room.DAN: "dan",
    Room.UPPER_DAN: "upper",
    Room.PHOENIX: "phoenix",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One game of one account.

    Attributes:
        at: when it ended, ISO 8601 with the offset of local time.
        account: label of the account.
        server: host, or ``embedded`` for our own lobby.
        lobby: number of the lobby.
        game_type: Tenhou's type bits.
        placement: 1 to 4; None if it is not known.
        score: final points; None if they are not known.
        result: result points in thousands, including uma; None if the server did not say.
        dan, points, rate: the account's before the game; None for a guest.
        drops: number of connections lost.
        log: log id of the game.
        policy: who played: the policy's name with its settings, or ``human``; empty in entries of older versions.
    """

    at: str
    account: str
    server: str
    lobby: int
    game_type: int
    placement: int | None = None
    score: int | None = None
    result: float | None = None
    dan: int | None = None
    points: int | None = None
    rate: float | None = None
    drops: int = 0
    log: str = ""
    policy: str = ""

    @property
    def day(self) -> date:
        """The local date on which it ended."""
        return datetime.fromisoformat(self.at).date()

    @property
    def dan_points(self) -> float:
        """What the game is worth by Tenhou's table; 0 unless it was ranked and the rank is known."""
        if self.placement is None or self.dan is None or self.lobby != 0:
            return 0.0
        try:
            kind = parse_game_type(self.game_type)
        except RemoteProtocolError:
            return 0.0
        if not kind.people:
            return 0.0
        return make_objective("dan", kind.rules, self.dan, _ROOMS[kind.room]).by_rank[self.placement - 1]


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


def append(folder: Path, one: Entry) -> None:
    """Append an entry; it is on disk when this returns.

    Raises:
        OSError: it cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    line = (hide(json.dumps(asdict(one), ensure_ascii=False)) + "\n").encode()
    file = open_private(folder / FILE)
    try:
        size = os.fstat(file).st_size
        torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
        append_whole(file, b"\n" * torn + line)
        os.fsync(file)
    finally:
        os.close(file)


def read(folder: Path) -> list[Entry]:
    """All entries, oldest first; lines that are not entries (such as an incomplete last one) are skipped.

    Raises:
        OSError: the file exists but cannot be read.
    """
    path = folder / FILE
    if not path.exists():
        return []
    known = {each.name for each in fields(Entry)}
    found = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            values = json.loads(line)
            one = Entry(**{name: value for name, value in values.items() if name in known})
            datetime.fromisoformat(one.at)
        except (ValueError, TypeError, AttributeError, RecursionError):
            continue
        found.append(one)
    return found


@dataclass(frozen=True, slots=True)
class Day:
    """The games of one account and policy on one day.

    Attributes:
        day: local date.
        account: label of the account.
        policy: who played, as in :class:`Entry`.
        games: number of games.
        placements: number of first to fourth places; games with unknown placement are not counted.
        result: sum of the results, in thousands.
        dan_points: sum of what the games are worth by Tenhou's table.
        rank: dan, points and rating before the last game, if known.
        drops: number of connections lost.
    """

    day: date
    account: str
    policy: str
    games: int
    placements: tuple[int, int, int, int]
    result: float
    dan_points: float
    rank: tuple[int, int, float] | None
    drops: int

    @property
    def mean_placement(self) -> float | None:
        """Mean over the games whose placement is known."""
        known = sum(self.placements)
        return sum((at + 1) * count for at, count in enumerate(self.placements)) / known if known else None

    def fields(self) -> dict[str, Any]:
        """The day as JSON shows it."""
        mean = self.mean_placement
        return {
            "day": self.day.isoformat(),
            "account": self.account,
            "policy": self.policy,
            "games": self.games,
            "placements": list(self.placements),
            "mean_placement": None if mean is None else round(mean, 3),
            "result": round(self.result, 1),
            "dan_points": round(self.dan_points, 1),
            "dan": None if self.rank is None else self.rank[0],
            "points": None if self.rank is None else self.rank[1],
            "rate": None if self.rank is None else self.rank[2],
            "drops": self.drops,
        }


def days(entries: Iterable[Entry]) -> list[Day]:
    """The games summed up by day, account and policy, in that order."""
    groups: dict[tuple[date, str, str], list[Entry]] = {}
    for one in entries:
        groups.setdefault((one.day, one.account, one.policy), []).append(one)
    return [_day(*key, groups[key]) for key in sorted(groups)]


def _day(day: date, account: str, policy: str, games: Sequence[Entry]) -> Day:
    rank = None
    for one in games:
        if one.dan is not None and one.points is not None and one.rate is not None:
            rank = (one.dan, one.points, one.rate)
    return Day(
        day,
        account,
        policy,
        len(games),
        four(sum(one.placement == place for one in games) for place in (1, 2, 3, 4)),
        sum(one.result or 0.0 for one in games),
        sum(one.dan_points for one in games),
        rank,
        sum(one.drops for one in games),
    )
