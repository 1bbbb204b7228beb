"""The settings of a lobby, for embedding it; the configuration file is read in :mod:`bot.config`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bot.lobby.faults import FaultPlan
from engine.policy.decision import Decider
from engine.policy.registry import make_policy
from protocol.tenhou.game_type import FAST_CLOCK, NORMAL_CLOCK, Clock, GameType


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits after which a client is dropped."""

    frame: int = 1 << 13  # characters of one frame
    burst: int = 100  # messages at once without a prompt; answers to prompts do not count
    rate: float = 25.0  # such messages per second in the long run
    nonsense: int = 20  # frames that are not a message, or not one that is possible now
    unsent: int = 2_000  # messages queued for a client that does not read


@dataclass(frozen=True, slots=True)
class LobbyConfig:
    """The lobby's settings. Durations are seconds."""

    host: str = "127.0.0.1"  # address to listen on
    port: int = 0  # 0 for any that is free
    seed: int = 0  # seed of the walls and seats of the games, in the order in which they begin
    clock: Clock = NORMAL_CLOCK  # clock of tables with the normal type
    fast_clock: Clock = FAST_CLOCK  # clock of tables with the fast bit
    # players for the free seats, by name in :mod:`engine.policy.registry`
    policies: tuple[str, str, str] = ("simple", "simple", "simple")
    make_player: Callable[[str, int], Decider] = make_policy  # creates one of them from name and seed
    people: int = 4  # number of clients that a table against people waits for
    patience: float = 20.0  # time after which such a table begins with fewer
    confirm: float = 10.0  # time limit for the answer to REJOIN
    ready: float = 10.0  # time limit for NEXTREADY, between hands and at the beginning
    guest: str = ""  # name of guests; empty: Tenhou's, ``NoName``
    folder: Path | None = None  # folder for the records of games; None: none are written
    # returns the time of day, for the names of the records
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    limits: Limits = Limits()  # limits for clients
    faults: FaultPlan | None = None  # faults to inject
    keep: int = 20  # number of finished games that stay in memory
    connections: int = 400  # maximum number of connections
    connections_each: int = 100  # maximum number of connections from one address
    openings: float = 100.0  # new connections per second from one address, in the long run
    tables: int = 64  # maximum number of tables
    tables_each: int = 16  # maximum number of tables for the clients of one address
    names: int = 10_000  # number of names whose records are remembered
    login: float = 10.0  # time limit for HELO
    idle: float = 1_800.0  # time limit for finding a table after it
    # called with a line for people about each client that comes or goes and each table that begins
    news: Callable[[str], None] = lambda _: None
    # web sites whose pages may connect; programs do not send an origin
    origins: tuple[str, ...] = ("https://tenhou.net", "http://tenhou.net")

    def __post_init__(self) -> None:
        if not 1 <= self.people <= 4:
            raise ValueError(f"people = {self.people}: a table waits for 1 to 4 clients")

    def clock_of(self, game_type: GameType) -> Clock:
        """The clock of a table of that type."""
        return self.fast_clock if game_type.fast else self.clock
