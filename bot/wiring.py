"""From configuration to objects: the only place where they meet."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from platformdirs import user_data_path
from pydantic import SecretStr

from bot import logs
from bot.config import Config
from bot.errors import InputError
from bot.live.client import Client
from bot.live.clock import ClockTracker
from bot.live.player import Player, Watcher
from bot.live.record import GameRecord
from bot.live.tally import Tally
from bot.live.thinker import Thinker
from bot.lobby import LobbyConfig
from engine.model.rules import Rules
from engine.policy.registry import make_policy
from protocol.tenhou.game_type import Clock, GameType
from protocol.tenhou.session import GUEST, Login, Session

ID_VARIABLE = "OSHIHIKI_ID"
"""Environment variable that holds an account's key."""


def account_key(config: Config) -> SecretStr:
    """The account's key: from the environment, else from ``account.id_file``, else that of a guest.

    Raises:
        InputError: the file cannot be read or is empty.
    """
    key = os.environ.get(ID_VARIABLE, "").strip()
    if key:
        return SecretStr(key)
    if not config.account.id_file:
        return SecretStr(GUEST)
    path = Path(config.account.id_file).expanduser()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InputError(f"account.id_file: {path}: cannot be read: {reason}") from None
    if not lines or not lines[0].strip():
        raise InputError(f"account.id_file: {path}: its first line is empty; put the account's key there")
    return SecretStr(lines[0].strip())


def start_logging(config: Config, key: SecretStr) -> Callable[[], None]:
    """Set logging up; returns what closes it.

    Raises:
        InputError: the file cannot be opened.
    """
    file = Path(config.log.file).expanduser() if config.log.file else None
    secret = key.get_secret_value()
    try:
        return logs.set_up(config.log.level, config.log.format, file, () if secret == GUEST else (secret,))
    except OSError as error:
        raise InputError(f"log.file: {file}: cannot be opened: {error.strerror}") from None


def game_type(config: Config) -> GameType:
    """The table that is sought."""
    game = config.game
    rules = Rules(hanchan=game.length == "hanchan", red_fives=game.red_fives, open_tanyao=game.open_tanyao)
    return GameType(rules, fast=game.fast, people=game.against == "people")


def record_folder(config: Config) -> Path:
    """Where records lie."""
    if config.record.folder:
        return Path(config.record.folder).expanduser()
    return user_data_path("oshihiki", appauthor=False) / "records"


def lobby(config: Config, folder: Path | None = None, *, embedded: bool = False) -> LobbyConfig:
    """The lobby of this machine; an embedded one takes a free port on the loopback."""
    settings = config.lobby
    return LobbyConfig(
        host="127.0.0.1" if embedded else settings.host,
        port=0 if embedded else settings.port,
        seed=config.policy.seed,
        clock=Clock(settings.action, settings.bank),
        fast_clock=Clock(settings.fast_action, settings.fast_bank),
        policies=settings.seats,
        folder=folder,
    )


def clock(config: Config) -> ClockTracker:
    """Our account of the table's clock: our own lobby's settings where it is ours, else Tenhou's."""
    kind = game_type(config)
    allowed = kind.clock if config.server.url else lobby(config).clock_of(kind)
    return ClockTracker(allowed, config.clock.margin, config.clock.bank_share)


def thinker(config: Config, game: int) -> Thinker:
    """The policy for the ``game``-th game, in a thread of its own."""
    return Thinker(make_policy(config.policy.name, config.policy.seed + game))


def record(config: Config, folder: Path, game: int) -> GameRecord:
    """A record for the ``game``-th game.

    Raises:
        InputError: it cannot be written.
    """
    facts = {
        "policy": config.policy.name,
        "seed": config.policy.seed + game,
        "type": game_type(config).code,
        "lobby": config.game.lobby,
    }
    try:
        return GameRecord(folder, **facts)
    except OSError as error:
        raise InputError(f"record.folder: {folder}: cannot be written: {error.strerror}") from None


def client(
    config: Config,
    url: str,
    key: SecretStr,
    thinking: Thinker,
    tally: Tally,
    keeping: GameRecord,
    make_watchers: Callable[[Callable[[], Sequence[str]]], Sequence[Watcher]] | None = None,
    pace: float = 0.0,
) -> Client:
    """A client for one game.

    Args:
        config: of the run.
        url: of the server.
        key: account's key.
        thinking: closed by the caller.
        tally: counted into.
        keeping: written to; closed by the caller.
        make_watchers: given a function that tells the players' names.
        pace: seconds before each answer.
    """
    login = Login(game_type(config).code, key.get_secret_value(), str(config.game.lobby), config.account.sex)
    player = Player(thinking, clock(config), tally)
    if make_watchers is not None:
        player.watchers = tuple(make_watchers(lambda: player.names))
    return Client(url, Session(login), player, keeping, pace)
