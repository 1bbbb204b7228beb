"""Results of games, kept on disk permanently, a line of JSON each: their sums by day, and whether places get better."""

import codecs
import errno
import json
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Final, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from bot.machine.files import append as append_whole
from bot.machine.files import locked, open_private
from bot.machine.text import brief, hide
from bot.machine.values import first_fault
from bot.play.client import GameResult
from engine.critic.estimates import Estimate, ratio
from engine.model.seats import four
from engine.worth.objective import make_objective
from protocol.errors import ProtocolError
from protocol.tenhou.game_type import Room, parse_game_type

FILE: Final = "results.ndjson"
"""Name of the file in the folder of the records."""
_ROOMS: Final = {
    Room.GENERAL: "general",
    Room.DAN: "dan",
    Room.UPPER_DAN: "upper",
    Room.PHOENIX: "phoenix",
}


class Entry(NamedTuple):
    """One game of one account; a tuple, of which a million are made in seconds."""

    at: str  # when it ended, ISO 8601 with the offset of local time
    account: str  # label of the account
    server: str  # host, or ``embedded`` for our own lobby
    lobby: int  # number of the lobby
    game_type: int  # Tenhou's type bits
    placement: int | None = None  # 1 to 4; None if it is not known
    score: int | None = None  # final points; None if they are not known
    result: float | None = None  # result points in thousands, including uma; None if the server did not say
    # dan, points, rate: the account's before the game; None for a guest
    dan: int | None = None
    points: int | None = None
    rate: float | None = None
    drops: int = 0  # number of connections lost
    log: str = ""  # log id of the game
    # who played: the policy's name with its settings, or ``human``; empty in entries of older versions
    policy: str = ""

    @property
    def day(self) -> date:
        """The local date on which it ended."""
        return datetime.fromisoformat(self.at).date()

    @property
    def dan_points(self) -> float:
        """The game's dan points by Tenhou's table; 0 unless it was ranked and the rank is known."""
        if self.placement is None or self.dan is None or self.lobby != 0:
            return 0.0
        return _dan_points(self.game_type, self.dan)[self.placement - 1]


@lru_cache(maxsize=1_024)
def _dan_points(game_type: int, dan: int) -> tuple[float, float, float, float]:
    """The dan points of each place for a player of that rank at such a table."""
    try:
        kind = parse_game_type(game_type)
    except ProtocolError:
        return _WORTHLESS
    return make_objective("dan", kind.rules, dan, _ROOMS[kind.room]).by_rank if kind.people else _WORTHLESS


_WORTHLESS: Final = (0.0, 0.0, 0.0, 0.0)
_LINE: Final = 1 << 16
"""Bytes of the longest line that is read; an entry has a few hundred."""
_Count = Annotated[int, Field(ge=0, le=10**9)]
_Points = Annotated[int, Field(ge=-(10**9), le=10**9)]
_Number = Annotated[float, Field(ge=-1e9, le=1e9)]


def _time(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("it is no time such as 2026-03-01T23:10:00+09:00") from None
    return text


class _Line(BaseModel):
    """The fields of an entry as its line has them; other fields are passed over."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    at: Annotated[str, AfterValidator(_time)]
    account: str
    server: str
    lobby: _Count
    game_type: _Count
    placement: Annotated[int, Field(ge=1, le=4)] | None = None
    score: _Points | None = None
    result: _Number | None = None
    dan: Annotated[int, Field(ge=0, le=100)] | None = None
    points: _Points | None = None
    rate: _Number | None = None
    drops: _Count = 0
    log: str = ""
    policy: str = ""


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
        OSError: it cannot be written; what was there is unchanged.
    """
    folder.mkdir(parents=True, exist_ok=True)
    line = (hide(json.dumps(one._asdict(), ensure_ascii=False)) + "\n").encode("utf-8", "replace")
    file = open_private(folder / FILE, getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        with locked(file):  # a second program must not append between this one's looking, writing and taking back
            size = os.fstat(file).st_size
            torn = size > 0 and os.pread(file, 1, size - 1) != b"\n"
            append_whole(file, b"\n" * torn + line)
        os.fsync(file)
    finally:
        os.close(file)


@dataclass(slots=True)
class LeftOut:
    """The lines of a file of results that are no entries."""

    lines: int = 0  # how many there are
    where: int = 0  # number of the first one, from 1
    why: str = ""  # what is wrong with it

    def add(self, where: int, why: str) -> None:
        """Note a line."""
        if not self.lines:
            self.where, self.why = where, why
        self.lines += 1


def read(folder: Path, left_out: LeftOut | None = None) -> Iterator[Entry]:
    """Yield all entries, oldest first; other lines are left out.

    The file is read line by line, so that its length costs no memory.

    Args:
        folder: folder of the records; without a file of results there are no entries.
        left_out: notes the lines that are no entries.

    Raises:
        OSError: the file exists but cannot be read.
    """
    left_out = LeftOut() if left_out is None else left_out
    try:
        file = os.open(folder / FILE, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))  # a pipe is not waited for
    except FileNotFoundError:
        return
    with os.fdopen(file, "rb") as stream:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        for number, line in enumerate(_lines(stream), 1):
            if not line or line.isspace():
                continue
            try:
                yield Entry(**vars(_Line.model_validate_json(line)))
            except ValidationError as error:
                left_out.add(number, _reason(line, error))


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; of one that is longer than any entry, the beginning."""
    first = stream.readline(_LINE)
    yield first.removeprefix(codecs.BOM_UTF8)
    whole = first.endswith(b"\n")
    while line := stream.readline(_LINE):
        if whole:
            yield line
        whole = line.endswith(b"\n")


def _reason(line: bytes, error: ValidationError) -> str:
    """What is wrong with a line."""
    if not line.endswith(b"\n"):
        return f"is longer than {_LINE:,} bytes" if len(line) == _LINE else "is cut off"
    return brief(f"is no game: {first_fault(error)}", 200)


@dataclass(frozen=True, slots=True)
class Day:
    """The games of one account and policy on one day."""

    day: date  # local date
    account: str  # label of the account
    policy: str  # who played, as in :class:`Entry`
    games: int  # number of games whose place is known
    placements: tuple[int, int, int, int]  # how many of them were first to fourth places
    result: float  # sum of their results, in thousands
    dan_points: float  # sum of what they are worth by Tenhou's table
    rank: tuple[int, int, float] | None  # dan, points and rating before the last game, if known
    drops: int  # number of connections lost, in all games
    unknown: int = 0  # number of games whose place is not known; they enter no other figure but the drops

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
            "unknown_place": self.unknown,
        }


def days(entries: Iterable[Entry]) -> list[Day]:
    """The games summed up by day, account and policy, in that order."""
    sums = Sums()
    for one in entries:
        sums.add(one)
    return sums.days()


class Sums:
    """The sums of games by day, account and policy; a game more costs no memory."""

    def __init__(self) -> None:
        self._sums: dict[tuple[date, str, str], _Sum] = {}

    def add(self, one: Entry) -> None:
        """Add a game."""
        key = (one.day, one.account, one.policy)
        found = self._sums.get(key)
        if found is None:
            found = self._sums[key] = _Sum()
        found.add(one)

    def days(self) -> list[Day]:
        """The sums, in the order of their days, accounts and policies."""
        return [self._sums[key].day(*key) for key in sorted(self._sums)]


class _Sum:
    __slots__ = ("dan_points", "drops", "places", "rank", "result", "unknown")

    def __init__(self) -> None:
        self.places = [0, 0, 0, 0]
        self.result = self.dan_points = 0.0
        self.rank: tuple[int, int, float] | None = None
        self.drops = self.unknown = 0

    def add(self, one: Entry) -> None:
        self.drops += one.drops
        if one.dan is not None and one.points is not None and one.rate is not None:
            self.rank = (one.dan, one.points, one.rate)
        if one.placement is None:
            self.unknown += 1
            return
        self.places[one.placement - 1] += 1
        self.result += one.result or 0.0
        self.dan_points += one.dan_points

    def day(self, day: date, account: str, policy: str) -> Day:
        games, places = sum(self.places), four(self.places)
        return Day(
            day, account, policy, games, places, self.result, self.dan_points, self.rank, self.drops, self.unknown
        )


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
