"""The hall of a lobby: accounts, the waiting room, the tables, and the games that are stored."""

import asyncio
import hashlib
import random
import secrets
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Final

import structlog

from bot.deciding.players import make_player
from bot.lobby.connection import LOGGED_IN_ELSEWHERE, Connection
from bot.lobby.members import REFUSED, Member, Members
from bot.lobby.remote import RemoteSeat
from bot.lobby.seats import HouseSeat, Seat, TurnClock
from bot.lobby.settings import LobbyConfig
from bot.lobby.table import Table, TableResult
from bot.lobby.visitors import Place, Visitor, WaitingRoom
from bot.machine.files import create_private
from bot.machine.text import brief, plural
from engine.arena import Referee
from engine.model.seats import SEATS, four
from protocol.errors import ProtocolError
from protocol.logs.formats import FORMATS, write_log
from protocol.logs.game_log import GameLog
from protocol.tenhou import client, server
from protocol.tenhou.events import TableFacts
from protocol.tenhou.game_type import Seek, parse_game_type
from protocol.tenhou.redaction import ACCOUNT_KEY
from protocol.tenhou.session import GUEST

log = structlog.get_logger(__name__)

WRITTEN: Final = ("mjlog", "tenhou6")
FULL: Final = "every table is taken; try again later"
_LONGEST_NAME: Final = 24
"""Characters of the name of a built-in player."""
PROBE: Final = 1.0
"""Seconds within which a connection must answer a ping, if another client logs in under its public name."""


def new_log_id(now: datetime, game_type: int, lobby: str) -> str:
    """A new log id in Tenhou's form: hour, type, lobby, and eight random digits."""
    number = "".join(filter(str.isdigit, lobby)) or "0"
    return f"{now:%Y%m%d%H}gm-{game_type:04x}-{int(number) % 10_000:04d}-{secrets.token_hex(4)}"


def record(game: GameLog, folder: Path | None) -> tuple[Path, ...]:
    """Write a game in every format, readable by the owner only; returns the files. Errors are logged, never raised."""
    if folder is None:
        return ()
    files = []
    for name in WRITTEN:
        file = folder / f"{game.info.log_id}{FORMATS[name].suffix}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            create_private(file, write_log(game, name).encode())
        except (OSError, ProtocolError) as error:
            reason = (error.strerror if isinstance(error, OSError) else None) or brief(str(error))
            log.error("the game was not stored", file=str(file), reason=reason)  # noqa: TRY400
        else:
            files.append(file)
    return tuple(files)


def game_seed(seed: int, game: int) -> int:
    """The seed of the lobby's ``game``-th game, counted from 0."""
    return int.from_bytes(hashlib.sha256(f"lobby {seed}/{game}".encode()).digest()[:8], "big")


class Hall:
    """Everything that the clients share.

    Attributes:
        members: the accounts.
        waiting: the waiting room.
        visitors: the connected clients.
        results: the last finished games, oldest first.
    """

    def __init__(self, config: LobbyConfig) -> None:
        self.members = Members(config.settings.names, config.guest)
        self.waiting = WaitingRoom(config, self._spawn, self.seat)
        self.visitors: set[Visitor] = set()
        self.results: deque[TableResult] = deque(maxlen=config.keep)
        self._finished = 0
        self._config = config
        self._tasks: set[asyncio.Future[None]] = set()
        self._tables: dict[RemoteSeat, Table] = {}
        self._games = 0
        self._open = 0
        """Number of open tables."""
        self._open_for: Counter[str] = Counter()
        """Number of open tables for the clients of each address."""
        self._ended = asyncio.Condition()

    def counters(self) -> server.Ln:
        """The numbers of clients that are connected, waiting and playing."""
        playing = len(self._tables)
        idle = len(self.visitors) - playing - len(self.waiting)
        return server.Ln(
            n=f"{len(self.visitors)},{len(self.visitors)},{idle},0", j=str(len(self.waiting)), g=str(playing)
        )

    def tell(self, member: Member, what: str) -> None:
        """Tell whoever runs the lobby what somebody does, and how many are here now."""
        here = sum(visitor.member is not None for visitor in self.visitors)
        self._config.news(f"{brief(member.name)} {what} ({plural(here, 'client')} here)")

    async def ended(self, games: int) -> TableResult:
        """The result of the ``games``-th game since the lobby opened, once it has ended."""
        async with self._ended:
            await self._ended.wait_for(lambda: self._finished >= games)
            return self.results[games - 1 - self._finished]

    # -- tables ----------------------------------------------------------------------------------------------------

    def seat(self, visitors: Sequence[Visitor], seek: Seek) -> None:
        """Open a table for these clients, with built-in players on the other seats, or refuse it to all of them."""
        if any(map(self.is_full, visitors)):
            for visitor in visitors:
                visitor.place = Place.LOBBY
                visitor.refuse(FULL)
            return
        seed = game_seed(self._config.seed, self._games)
        self._games += 1
        self._open += 1
        addresses = {visitor.address for visitor in visitors}
        self._open_for.update(addresses)
        for visitor in visitors:
            visitor.place = Place.SEATED  # so that it cannot ask for another table
        self._spawn(asyncio.ensure_future(self._occupy(visitors, seek, seed, addresses)))

    def is_full(self, visitor: Visitor) -> bool:
        """Whether no further table may be opened, or none for clients of this one's address."""
        each = self._open_for[visitor.address]
        settings = self._config.settings
        return self._open >= settings.tables or each >= settings.tables_each

    async def _occupy(self, visitors: Sequence[Visitor], seek: Seek, seed: int, addresses: set[str]) -> None:
        try:
            await self._play(visitors, seek, seed)
        finally:
            self._open -= 1
            self._open_for.subtract(addresses)
            self._open_for += Counter()  # drops those without tables

    async def _play(self, visitors: Sequence[Visitor], seek: Seek, seed: int) -> None:
        """Play a game to its end, and keep its result."""
        seats = self._seats(visitors, seek, seed)
        with self._table(seats, seek, seed) as table:
            for visitor in visitors:
                if visitor not in self.visitors and visitor.seat is not None:  # it left before the table opened
                    table.lost(visitor.seat, visitor)
            try:
                result = await table.run()
            except Exception:
                log.exception("a table failed", table=table.facts.log)
                raise
        async with self._ended:
            self.results.append(result)
            self._finished += 1
            self._ended.notify_all()

    def _seats(self, visitors: Sequence[Visitor], seek: Seek, seed: int) -> list[Seat]:
        """The seats in order, drawn for the clients, and with built-in players where no client sits."""
        config, game_type = self._config, parse_game_type(seek.type)
        clock = config.clock_of(game_type)
        now = asyncio.get_running_loop().time
        order = list(SEATS)
        random.Random(seed).shuffle(order)  # noqa: S311  the order of the seats is not secret
        seats: list[Seat] = []
        for visitor, index in zip(visitors, order, strict=False):
            token = secrets.token_hex(8).upper()  # random, because whoever knows it may take the seat
            gpid = f"{token[:8]}-{token[8:]}" if game_type.people else ""
            member = visitor.member or Member(config.guest or GUEST)
            seat = RemoteSeat(index, member, visitor, TurnClock(clock, now), gpid)
            seats.append(seat)
            visitor.sit(seat)
        for number, index in enumerate(order[len(visitors) :]):
            policy = config.settings.seats[number]
            name = f"ⓝ{policy}{number + 1}" if game_type.people else _house_name(policy)
            decider = make_player(policy, seed + index)
            seats.append(HouseSeat(index, name, decider, game_type.rules, TurnClock(clock, now)))
        return sorted(seats, key=lambda seat: seat.index)

    @contextmanager
    def _table(self, seats: Sequence[Seat], seek: Seek, seed: int) -> Iterator[Table]:
        """A table at which these seats play; it is cleared however its game ends, and the clients stand up."""
        config, game_type = self._config, parse_game_type(seek.type)
        facts = TableFacts(
            type=seek.type,
            names=four([seat.name for seat in seats]),
            lobby=seek.lobby,
            dan=four([seat.dan for seat in seats]),
            rates=four([seat.rate for seat in seats]),
            sexes=four([seat.sex for seat in seats]),
            log=new_log_id(config.now(), seek.type, seek.lobby),
        )
        table = Table(
            facts,
            seats,
            Referee(game_type.rules, seed, facts.names),
            config.ready,
            lambda game: record(game, config.folder),
            game_type.people,
        )
        remote = [seat for seat in seats if isinstance(seat, RemoteSeat)]
        self._tables.update(dict.fromkeys(remote, table))
        config.news(f"a table begins: {', '.join(map(brief, facts.names))}")
        try:
            yield table
        finally:
            for seat in seats:
                seat.close()
            for client_seat in remote:
                del self._tables[client_seat]
            for visitor in self.visitors:
                if visitor.seat in remote:
                    visitor.stand_up()

    # -- leaving and coming back -----------------------------------------------------------------------------------

    def lost(self, seat: RemoteSeat, connection: Connection) -> None:
        """A seated client has disconnected."""
        table = self._tables.get(seat)
        if table is not None:
            table.lost(seat, connection)

    def leave(self, visitor: Visitor) -> None:
        """A client's connection has ended."""
        self.waiting.remove(visitor)
        seat, visitor.seat = visitor.seat, None
        if visitor.member is not None and visitor.place is not Place.DOOR:
            self.tell(visitor.member, "goes" if seat is None else "is gone from a table that plays on")
        if seat is not None:
            self.lost(seat, visitor)
        visitor.place = Place.DOOR

    def holder(self, visitor: Visitor, name: str) -> Visitor | None:
        """Another client connected under this public name; None for keys, which only their owner knows."""
        if name == GUEST or ACCOUNT_KEY.fullmatch(name):
            return None
        others = (other for other in self.visitors if other is not visitor and other.member is not None)
        return next((other for other in others if other.member is not None and other.member.key == name), None)

    def contest(
        self, visitor: Visitor, helo: client.Helo, holder: Visitor, enter: Callable[[client.Helo], None]
    ) -> None:
        """Admit a client under a public name only if the connection that has the name turns out to be dead."""
        self._spawn(asyncio.ensure_future(self._contest(visitor, helo, holder, enter)))

    async def _contest(
        self, visitor: Visitor, helo: client.Helo, holder: Visitor, enter: Callable[[client.Helo], None]
    ) -> None:
        alive = await holder.is_alive(PROBE)
        if visitor not in self.visitors:
            return
        if alive:
            log.info("refused", reason="the name is in use")
            visitor.send(REFUSED)
            visitor.close()
            return
        if holder in self.visitors:
            holder.drop("connection lost", LOGGED_IN_ELSEWHERE)
            self.leave(holder)
        enter(helo)

    def displace(self, member: Member, visitor: Visitor) -> None:
        """Close other connections that are logged in as this member. Guests have no key and are not affected."""
        for other in list(self.visitors):
            if other is not visitor and member.key and other.member is member:
                other.drop("logged in elsewhere", LOGGED_IN_ELSEWHERE)
                self.leave(other)

    def take_back(self, visitor: Visitor, helo: client.Helo) -> bool:
        """Give a returning client its seat; returns False if it has none.

        Its old connection may still seem to be open; the new one replaces it.
        """
        for seat, table in self._tables.items():
            by_key = seat.member.key and seat.member.key == helo.name
            by_gpid = (
                seat.gpid and helo.gpid is not None and secrets.compare_digest(seat.gpid.encode(), helo.gpid.encode())
            )
            if by_key or by_gpid:
                for other in list(self.visitors):
                    if other is not visitor and other.seat is seat:
                        other.drop("logged in elsewhere", LOGGED_IN_ELSEWHERE)
                        self.leave(other)
                visitor.member = seat.member
                visitor.sit(seat)
                self._config.news(f"{brief(seat.member.name)} is back at the table")
                self._spawn(asyncio.ensure_future(table.resume(seat, visitor)))
                return True
        return False

    # -- tasks -----------------------------------------------------------------------------------------------------

    def _spawn(self, task: asyncio.Future[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("lobby task failed", error=repr(task.exception()))

    async def close(self) -> None:
        """Stop every table."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _house_name(policy: str) -> str:
    """The name of a built-in player at a practice table: its policy, without settings or folders."""
    name = policy.partition("=")[0].rpartition(":")[0] if "=" in policy else policy
    return name.rpartition("/")[2][:_LONGEST_NAME]
