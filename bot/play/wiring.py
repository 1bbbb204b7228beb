"""From configuration to objects; no other module connects them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from secrets import randbelow
from typing import Any, Final

import structlog
from pydantic import SecretStr

from bot.config import Config
from bot.deciding.players import PlayerSpec
from bot.deciding.thinker import Thinker
from bot.lobby import LobbyConfig
from bot.machine import gate, logs
from bot.machine.errors import InputError, writing_trouble
from bot.machine.gate import Route
from bot.machine.origin import made_by
from bot.machine.outside import FAULTS
from bot.play.client import Client
from bot.play.clock import ClockTracker
from bot.play.dial import FLOW
from bot.play.patience import Manner, Patience
from bot.play.player import Player
from bot.play.record import SUFFIX, GameRecord
from bot.play.tally import Tally
from bot.store.database import data_folder
from engine.model.rules import Rules
from protocol.tenhou.game_type import Clock, GameType
from protocol.tenhou.session import GUEST, Login, Session

log = structlog.get_logger()
PERSON_SECONDS: Final = 60.0
"""Seconds that a person has for each answer in the embedded lobby."""
NAME_LENGTH: Final = 16
"""Characters of the longest name of a person."""


def start_logging(config: Config) -> Callable[[], None]:
    """Set up logging, also of the faults of code from outside; returns a function that closes it.

    Raises:
        InputError: the file cannot be opened.
    """
    section = config.log
    file = Path(section.file).expanduser() if section.file else None
    try:
        close = logs.set_up(
            section.level,
            section.format,
            file,
            rotate=round(section.rotate_mb * 1_000_000),
            keep=section.keep,
        )
    except OSError as error:
        raise InputError(f"log.file: {file}: cannot be opened: {error.strerror}") from None
    before, FAULTS.report = FAULTS.report, lambda what: log.error("fault", what=what)

    def end() -> None:
        FAULTS.report = before
        close()

    return end


def game_type(config: Config) -> GameType:
    """The game type of the requested table."""
    game = config.game
    rules = Rules(hanchan=game.length == "hanchan", red_fives=game.red_fives, open_tanyao=game.open_tanyao)
    return GameType(rules, fast=game.fast, people=game.against == "people")


def record_place(config: Config) -> Path:
    """The place for records: a folder, or the file that is named."""
    if config.record.folder:
        return Path(config.record.folder).expanduser()
    return data_folder() / "records"


def record_folder(config: Config) -> Path:
    """The folder that contains the records."""
    place = record_place(config)
    return place.parent if place.suffix == SUFFIX and not place.is_dir() else place


def embedded_lobby(config: Config, folder: Path, guest: str = "") -> LobbyConfig:
    """The lobby for our own games: on a free port of the loopback, with the policy's seed; ``guest`` is our name."""
    tables = config.lobby.tables  # all accounts come from one address
    settings = config.lobby.model_copy(update={"host": "127.0.0.1", "port": 0, "tables_each": tables})
    return LobbyConfig(settings, seed=config.policy.seed, folder=folder, guest=guest, ready=_READY)


_READY: Final = 60.0
"""Seconds within which we have seen the end of a hand and are ready for the next, in our own lobby."""


def route(config: Config, embedded: str = "") -> Route:
    """The route to the configured server, or to the embedded lobby at that address."""
    server = config.server
    return gate.route(server.url or embedded, server.allow_host, server.proxy)


def clock(config: Config) -> ClockTracker:
    """Our account of the table's clock: on this machine that of the lobby's settings, elsewhere Tenhou's."""
    lobby = LobbyConfig(config.lobby)

    def clock_of(kind: GameType) -> Clock:
        return lobby.clock_of(kind) if config.server.is_loopback else kind.clock

    return ClockTracker(clock_of(game_type(config)), config.clock.margin, config.clock.bank_share, clock_of)


def player(config: Config) -> PlayerSpec:
    """The player that the configuration names."""
    return PlayerSpec.parse(config.policy.name, config.policy.settings)


def thinker(config: Config, game: int) -> Thinker:
    """The policy for the ``game``-th game, in its own thread."""
    return Thinker(player(config).make(config.policy.seed + game))


def caution(config: Config) -> str | None:
    """A warning about the policy before it plays, such as that it must do with simpler tables."""
    chosen = player(config)
    return None if chosen.program else chosen.make(config.policy.seed).warning


def record(
    config: Config, game: int, thinking: Thinker, key: SecretStr, *, returning: bool = False, name: str = ""
) -> GameRecord:
    """A record for the ``game``-th game, which is notified of searches that overran.

    Args:
        config: configuration of the run.
        game: number of the game in the run.
        thinking: the policy.
        key: the account's key; the record says only whether it is a guest's.
        returning: whether a guest tries to resume a game that it left running.
        name: who plays; empty: the policy that the configuration names.

    Raises:
        InputError: the record cannot be written.
    """
    place = record_place(config)
    try:
        keeping = GameRecord(
            place,
            most=1e6 * config.record.most_mb,
            policy={
                "name": name or player(config).name,
                "seed": config.policy.seed + game,
                "settings": dict(thinking.decider.settings()),
            },
            login={
                "type": game_type(config).code,
                "lobby": str(config.game.lobby),
                "sex": config.account.sex,
                "guest": key.get_secret_value() == GUEST,
                "returning": returning,
            },
            config=config.model_dump(mode="json", exclude=_UNRECORDED | {"server": {"proxy"}}),
            made_by=made_by(),
        )
    except OSError as error:
        why = f"record.folder: {place}: cannot be written: {error.strerror}"
        raise InputError(why, writing_trouble(error), str(place)) from None
    thinking.on_overrun = keeping.overran
    return keeping


_UNRECORDED: Any = {"account": True, "record": True, "log": True}
"""Sections of the configuration that do not affect a game."""


def live_player(config: Config, thinking: Thinker, tally: Tally) -> Player:
    """The player of one game, which asks ``thinking`` and counts into ``tally``."""
    return Player(thinking, clock(config), tally)


def manner(
    config: Config,
    pace: float = 0.0,
    stop: asyncio.Event | None = None,
    *,
    reached: bool = False,
    keep_gpid: Callable[[str | None], None] = lambda _: None,
    rest: Callable[[], Awaitable[None]] | None = None,
) -> Manner:
    """How a client plays, by the configuration; the other arguments are those of :class:`~bot.play.patience.Manner`."""
    return Manner(
        pace=pace,
        patience=Patience(give_up=config.reconnect.give_up, seek=config.reconnect.seek, game=config.reconnect.game),
        flow=replace(FLOW, rate=1e3 * config.server.rate_kb, burst=1e3 * config.server.burst_kb),
        stop=stop or asyncio.Event(),
        reached=reached,
        keep_gpid=keep_gpid,
        rest=rest,
    )


def client(
    config: Config,
    way: Route,
    key: SecretStr,
    playing: Player,
    keeping: GameRecord | None = None,
    manner: Manner | None = None,
    gpid: str | None = None,
) -> Client:
    """A client for one game.

    Args:
        config: configuration of the run.
        way: route to the server, from :func:`route`.
        key: the account's key.
        playing: the player, from :func:`live_player`.
        keeping: record to write to; closed by the caller.
        manner: how to play, from :func:`manner`.
        gpid: that of the game which this guest left running.
    """
    login = Login(game_type(config).code, key.get_secret_value(), str(config.game.lobby), config.account.sex)
    return Client(way, Session(login, gpid), playing, keeping, manner)


def for_a_person(settings: Config, seed: int | None, *, fast: bool) -> dict[str, Any]:
    """The changes for a person: time to think, and in our own lobby other walls every time unless a seed is given."""
    own_walls = seed is None and not settings.policy.seed
    return {
        "policy.seed": randbelow(1 << 31) if own_walls else seed,
        "lobby.action": PERSON_SECONDS if not settings.server.url and not fast else None,
        "clock.bank_share": 1.0,
    }


def is_name(text: str) -> bool:
    """Whether a person can bear a name."""
    return text.isprintable() and bool(text.strip()) and len(text) <= NAME_LENGTH
