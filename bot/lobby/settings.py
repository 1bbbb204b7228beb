"""What a lobby is told when it opens. Values for embedding; the configuration file is :mod:`bot.config`."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a client is put up with before it is dropped.

    Attributes:
        frame: characters of one frame.
        burst: messages at once that nobody waited for; answers to what was asked do not count.
        rate: such messages a second in the long run.
        nonsense: frames that are no message, or no message for the moment.
        unsent: messages waiting to be sent to a client that does not read.
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
        seed: decides the walls and the seats of the games, in the order in which they begin.
        clock: of a table with the normal type.
        fast_clock: of one with the fast bit.
        policies: who takes the seats that nobody sits on, by name in :mod:`engine.policy.registry`.
        make_player: builds one of them from name and seed.
        people: clients that a table against people waits for.
        patience: after which such a table begins with fewer.
        confirm: allowed for the answer to REJOIN.
        ready: allowed for NEXTREADY between hands and at the beginning.
        folder: where games are recorded; None for nowhere.
        now: time of day, for the names of the records.
        limits: on clients.
        faults: what goes wrong on purpose.
        keep: how many of the last finished games stay in memory.
        connections: connections at once.
        connections_each: connections at once from one address.
        openings: new connections a second from one address, in the long run.
        tables: tables at once.
        tables_each: tables at once for the clients of one address.
        names: names whose records are remembered.
        login: allowed for HELO.
        idle: allowed without a table after it.
        origins: web sites whose pages may connect; programs name none.
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
    origins: tuple[str, ...] = ("https://tenhou.net", "http://tenhou.net")

    def __post_init__(self) -> None:
        if not 1 <= self.people <= 4:
            raise ValueError(f"people = {self.people}: a table waits for 1 to 4 clients")

    def clock_of(self, game_type: GameType) -> Clock:
        """The time that players of such a table have."""
        return self.fast_clock if game_type.fast else self.clock
