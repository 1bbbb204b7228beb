"""The clients of a lobby: each with its account and its place, and the waiting room for those who seek a table.

The room opens a table when enough clients want the same one and confirm it, or when time runs out.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

import structlog

from bot.lobby.connection import Connection
from bot.lobby.door import LobbySocket
from bot.lobby.faults import Line
from bot.lobby.remote import RemoteSeat
from bot.lobby.settings import Limits, LobbyConfig
from protocol.tenhou import client, server
from protocol.tenhou.game_type import Seek, format_seek

GUEST: Final = "NoName"
_KEY: Final = re.compile(r"ID[0-9A-Fa-f]{8}-[0-9A-Za-z]{8}")
_LONGEST_NAME: Final = 16

REFUSED: Final = server.Err("1003")
"""Tenhou's answer to an unknown account."""

RATING_SCALE: Final = "PF3=1.000000&PF4=1.000000"
_FIELDS: Final = 14
"""Fields of ``PF4``: dan, points, rate, total, four placements, busted, hands, wins, deal-ins, calls, riichi."""


def is_key(name: str) -> bool:
    """Whether a login name has the form of an account key, which nobody else is supposed to know."""
    return _KEY.fullmatch(name) is not None


@dataclass(slots=True, eq=False)
class Member:
    """A player known to the lobby."""

    name: str  # the name that others see; it does not reveal the key of an account
    key: str = ""  # the name or key that it logs in with; empty for a guest, who is forgotten on leaving
    sex: str = "M"  # ``M``, ``F`` or ``C``
    # dan, rate: rank index and rating; the lobby does not promote
    dan: int = 0
    rate: float = 1500.0
    # the fields of ``PF4`` from the fourth on: the sum of results, then counts
    totals: list[float] = field(default_factory=lambda: [0.0] * (_FIELDS - 3))

    @property
    def pf4(self) -> str:
        """The record in the form of HELO."""
        total, *counts = self.totals
        return f"{self.dan},0,{self.rate:.2f},{total:.1f}," + ",".join(f"{count:.0f}" for count in counts)

    def add(self, prof: tuple[int | float, ...]) -> None:
        """Add a game; ``prof`` is PROF's ``add``."""
        self.totals = [before + more for before, more in zip(self.totals, prof, strict=True)]

    def greeting(self) -> server.Helo:
        """The reply to HELO; a guest has no record."""
        if not self.key:
            return server.Helo(self.name, ratingscale=RATING_SCALE)
        return server.Helo(self.name, pf4=self.pf4, ratingscale=RATING_SCALE)


class Members:
    """The accounts that have logged in since the lobby opened."""

    def __init__(self, most: int, guest: str = "") -> None:
        """Start without accounts.

        Args:
            most: number of names that are remembered; the one that logged in longest ago is forgotten first.
            guest: name of guests; empty: Tenhou's.
        """
        self._guest = guest or GUEST
        self._most = most
        self._keys = 0
        self._known: dict[str, Member] = {}

    def enter(self, helo: client.Helo) -> Member | None:
        """The account of a HELO, or None if such a name cannot log in.

        ``NoName`` is a guest and ``IDxxxxxxxx-xxxxxxxx`` an account. Any other short printable name is, in this lobby,
        an account of that name.
        """
        name = helo.name
        sex = helo.sx if helo.sx in ("M", "F", "C") else "M"
        if name == GUEST:
            return Member(self._guest, sex=sex)
        if not name.isprintable() or not name.strip() or len(name) > (_LONGEST_NAME + 3):
            return None
        secret = is_key(name)
        if not secret and (len(name) > _LONGEST_NAME or name.startswith("ID")):
            return None
        known = self._known.pop(name, None)
        if known is None:
            self._keys += 1
            known = Member(f"Player{self._keys}" if secret else name, key=name, sex=sex)
        self._known[name] = known
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return known


log = structlog.get_logger(__name__)

UNSUPPORTED: Final = server.Err("1104")
"""Sent with a CHAT that says what is not supported."""
_MOST: Final = 4
"""Number of clients at a table."""


class Place(Enum):
    """The state of a client."""

    DOOR = auto()
    LOBBY = auto()
    WAITING = auto()
    SEATED = auto()


class Visitor(Connection):
    """A client of the lobby: its connection, and where it is.

    Attributes:
        member: its account; None before the login.
        place: its state.
        seek: the table that it waits for.
        confirmed: set when it has answered REJOIN.
        seat: its seat while it plays.
        played: whether its last game is over and none has begun since.
        games: number of tables that it has joined.
    """

    def __init__(self, socket: LobbySocket, limits: Limits, line: Line | None = None) -> None:
        super().__init__(socket, limits, line)
        self.member: Member | None = None
        self.place = Place.DOOR
        self.seek: Seek | None = None
        self.confirmed = asyncio.Event()
        self.seat: RemoteSeat | None = None
        self.played = False
        self.games = 0

    def sit(self, seat: RemoteSeat) -> None:
        """Take a seat."""
        self.place, self.seat, self.seek, self.played = Place.SEATED, seat, None, False
        self.games += 1

    def stand_up(self) -> None:
        """Leave the seat: the game is over."""
        self.place, self.seat, self.played = Place.LOBBY, None, True

    def refuse(self, reason: str) -> None:
        """Tell the client that something is not available; the connection stays open."""
        log.info("refused", reason=reason)
        self.send(server.Chat(text=reason), UNSUPPORTED)


Group = list[Visitor]


class WaitingRoom:
    """Clients grouped by the table that they want."""

    def __init__(
        self,
        config: LobbyConfig,
        spawn: Callable[[asyncio.Future[None]], None],
        seat: Callable[[Sequence[Visitor], Seek], None],
    ) -> None:
        """Open the room.

        Args:
            config: settings of the lobby.
            spawn: called with each new task, which it keeps.
            seat: called with the clients of a new table.
        """
        self._config = config
        self._spawn = spawn
        self._seat = seat
        self._groups: dict[Seek, Group] = {}

    def __len__(self) -> int:
        return sum(map(len, self._groups.values()))

    def add(self, visitor: Visitor, seek: Seek) -> None:
        """Add a waiting client."""
        group = self._groups.setdefault(seek, [])
        group.append(visitor)
        if len(group) >= self._config.people:
            self._gather(seek)
        elif len(group) == 1:
            asyncio.get_running_loop().call_later(self._config.patience, self._out_of_patience, seek, group)

    def remove(self, visitor: Visitor) -> None:
        """Remove a client that no longer waits."""
        for seek, group in list(self._groups.items()):
            if visitor in group:
                group.remove(visitor)
                if not group:
                    del self._groups[seek]
        if visitor.place is Place.WAITING:
            visitor.place = Place.LOBBY
        visitor.seek = None

    def _out_of_patience(self, seek: Seek, group: Group) -> None:
        if group and self._groups.get(seek) is group:
            self._gather(seek)

    def _gather(self, seek: Seek) -> None:
        group = self._groups.pop(seek)
        self._spawn(asyncio.ensure_future(self._confirm(group[:_MOST], seek)))

    async def _confirm(self, group: Group, seek: Seek) -> None:
        """Send REJOIN to all. Those who answer play; the others are removed."""
        question = server.Rejoin(format_seek(seek._replace(again=True)))
        for visitor in group:
            visitor.confirmed.clear()
            visitor.send(question)
        waits = [asyncio.ensure_future(visitor.confirmed.wait()) for visitor in group]
        try:
            await asyncio.wait(waits, timeout=self._config.confirm)
        finally:
            for wait in waits:
                wait.cancel()
        there = [v for v in group if v.confirmed.is_set() and v.place is Place.WAITING and v.seek == seek]
        for visitor in group:
            if visitor not in there:
                self.remove(visitor)
        if len(there) < len(group) and len(there) < self._config.people:
            for visitor in there:
                self.add(visitor, seek)  # wait for others instead of those who did not answer
        elif there:
            self._seat(there, seek)
