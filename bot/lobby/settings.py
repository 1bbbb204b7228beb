"""Settings of a lobby: its section of the configuration, and what a file does not say."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from bot.config import LobbySettings
from protocol.tenhou.game_type import Clock, GameType


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
    """A lobby to be opened. Durations are seconds."""

    settings: LobbySettings = field(default_factory=LobbySettings)  # where it listens, its clocks, seats and bounds
    seed: int = 0  # seed of the walls and seats of the games, in the order in which they begin
    people: int = 4  # number of clients that a table against people waits for
    patience: float = 20.0  # time after which such a table begins with fewer
    confirm: float = 10.0  # time limit for the answer to REJOIN
    ready: float = 10.0  # time limit for NEXTREADY, between hands and at the beginning
    guest: str = ""  # name of guests; empty: Tenhou's, ``NoName``
    folder: Path | None = None  # folder for the records of games; None: none are written
    # returns the time of day, for the names of the records
    now: Callable[[], datetime] = lambda: datetime.now().astimezone()
    limits: Limits = Limits()  # limits for clients
    keep: int = 20  # number of finished games that stay in memory
    # called with a line for people about each client that comes or goes and each table that begins
    news: Callable[[str], None] = lambda _: None

    def __post_init__(self) -> None:
        if not 1 <= self.people <= 4:
            raise ValueError(f"people = {self.people}: a table waits for 1 to 4 clients")

    def clock_of(self, game_type: GameType) -> Clock:
        """The clock of a table of that type."""
        settings = self.settings
        if game_type.fast:
            return Clock(settings.fast_action, settings.fast_bank)
        return Clock(settings.action, settings.bank)
