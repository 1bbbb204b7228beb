"""The settings of a lobby, for embedding it; the configuration file is read in :mod:`bot.config`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.lobby.faults import FaultPlan
from engine.policy.decision import Decider
from engine.policy.registry import make_policy
from protocol.tenhou.game_type import FAST_CLOCK, NORMAL_CLOCK, Clock, GameType


def _local_time() -> datetime:
    return datetime.now().astimezone()


def _nothing(_line: str) -> None:
    """Nobody wants to know."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits after which a client is dropped.

    Attributes:
        frame: characters of one frame.
        burst: messages at once without a prompt; answers to prompts do not count.
        rate: such messages per second in the long run.
        nonsense: frames that are not a message, or not one that is possible now.
        unsent: messages queued for a client that does not read.
    """

    frame: int = 1 << 13
    burst: int = 100
    rate: float = 25.0
    nonsense: int = 20
    unsent: int = 2_000


@dataclass(frozen=True, slots=True)
class LobbyConfig:
    """The lobby's settings. Durations are seconds.

    Attributes:
        host: address to listen on.
        port: 0 for any that is free.
        seed: seed of the walls and seats of the games, in the order in which they begin.
        clock: clock of tables with the normal type.
        fast_clock: clock of tables with the fast bit.
        policies: players for the free seats, by name in :mod:`engine.policy.registry`.
        make_player: creates one of them from name and seed.
        people: number of clients that a table against people waits for.
        patience: time after which such a table begins with fewer.
        confirm: time limit for the answer to REJOIN.
        ready: time limit for NEXTREADY, between hands and at the beginning.
        guest: name of guests; empty: Tenhou's, ``NoName``.
        folder: folder for the records of games; None: none are written.
        now: returns the time of day, for the names of the records.
        limits: limits for clients.
        faults: faults to inject.
        keep: number of finished games that stay in memory.
        connections: maximum number of connections.
        connections_each: maximum number of connections from one address.
        openings: new connections per second from one address, in the long run.
        tables: maximum number of tables.
        tables_each: maximum number of tables for the clients of one address.
        names: number of names whose records are remembered.
        login: time limit for HELO.
        idle: time limit for finding a table after it.
        news: called with a line for people about each client that comes or goes and each table that begins.
        origins: web sites whose pages may connect; programs do not send an origin.
    """

    host: str = "127.0.0.1"
    port: int = 0
    seed: int = 0
    clock: Clock = NORMAL_CLOCK
    fast_clock: Clock = FAST_CLOCK
    policies: tuple[str, str, str] = ("simple", "simple", "simple")
    make_player: Callable[[str, int], Decider] = make_policy
    people: int = 4
    patience: float = 20.0
    confirm: float = 10.0
    ready: float = 10.0
    guest: str = ""
    folder: Path | None = None
    now: Callable[[], datetime] = _local_time
    limits: Limits = Limits()
    faults: FaultPlan | None = None
    keep: int = 20
    connections: int = 400
    connections_each: int = 100
    openings: float = 100.0
    tables: int = 64
    tables_each: int = 16
    names: int = 10_000
    login: float = 10.0
    idle: float = 1_800.0
    news: Callable[[str], None] = _nothing
    origins: tuple[str, ...] = ("https://tenhou.net", "http://tenhou.net")

    def __post_init__(self) -> None:
        if not 1 <= self.people <= 4:
            raise ValueError(f"people = {self.people}: a table waits for 1 to 4 clients")

    def clock_of(self, game_type: GameType) -> Clock:
        """The clock of a table of that type."""
        return self.fast_clock if game_type.fast else self.clock
