"""Configuration: a TOML file, checked key by key. ``config.example.toml`` explains every key and equals the defaults.

Account keys are not part of it. They come from the environment variable ``OSHIHIKI_ID`` or from the file named by
``account.id_file`` (:mod:`bot.play.accounts`), and are kept in :class:`~pydantic.SecretStr`.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from bot.deciding.players import PlayerSpec
from bot.machine.errors import InputError
from bot.machine.files import config_file, parse_toml, read_small
from bot.machine.gate import NotAllowedError, is_host, parse_server, route
from bot.machine.outlet import print_error
from bot.machine.outputs import Outputs
from bot.machine.outside import find_here_too
from bot.retired import Kind, retired
from engine.policy.registry import POLICIES
from engine.settings import fields_of, nearest, shown, unknown

EMBEDDED = ""
"""``server.url`` of the lobby that ``oshihiki play`` starts itself."""
PRIVATE_LOBBIES = range(1000, 8000)

Seconds = Annotated[float, Field(ge=0.0, le=600.0)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
Port = Annotated[int, Field(ge=0, le=65535)]
Seed = Annotated[int, Field(ge=0, lt=1 << 63)]
PolicyName = Annotated[str, Field(min_length=1)]
Many = Annotated[int, Field(ge=1, le=1_000_000)]

LISTED: Final = 100
"""Faults that a message about a configuration lists; a file with more is not a configuration."""


class InvalidError(InputError):
    """A configuration that cannot be used; its text is the first fault, and how many more there are.

    Attributes:
        faults: a line for each fault, of very many for the first :data:`LISTED`.
        untold: how many more there are.
    """

    def __init__(self, faults: Sequence[str], untold: int = 0) -> None:
        others = len(faults) - 1 + untold
        more = f" (and {others:,} more; `oshihiki config check` lists them)" if others else ""
        super().__init__(faults[0] + more)
        self.faults = tuple(faults)
        self.untold = untold


def _known_policy(text: str) -> str:
    try:
        PlayerSpec.parse(text)
    except InputError as error:
        raise NotAllowedError("", str(error)) from None
    return text


def _path(text: str) -> str:
    if "\0" in text:
        raise ValueError("a path without NUL characters")
    try:
        Path(text).expanduser()
    except RuntimeError:
        raise ValueError("a path; there is no home folder of such a user") from None
    return text


PathText = Annotated[str, AfterValidator(_path)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True, strict=True)


class Server(_Section):
    """The server to play on."""

    url: str = EMBEDDED
    allow_host: str = ""
    ranked_permission: str = ""
    proxy: str = ""
    rate_kb: Annotated[float, Field(ge=64.0, le=1_000_000.0)] = 512.0
    burst_kb: Annotated[float, Field(ge=1_024.0, le=1_000_000.0)] = 4_096.0

    @property
    def host(self) -> str:
        """Host name in ``url``, in lower case; this machine's for the embedded lobby."""
        return parse_server(self.url).host if self.url else "127.0.0.1"

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine."""
        return not self.url or parse_server(self.url).local

    @model_validator(mode="after")
    def _is_allowed(self) -> "Server":
        if self.url:
            route(self.url, self.allow_host, self.proxy)
        return self


class AccountSection(_Section):
    """The account to play with."""

    id_file: PathText = ""
    sex: Literal["M", "F"] = "M"


class GameChoice(_Section):
    """The table to play at."""

    lobby: int = 0
    against: Literal["people", "computers"] = "computers"
    length: Literal["hanchan", "tonpu"] = "hanchan"
    red_fives: bool = True
    open_tanyao: bool = True
    fast: bool = False

    @field_validator("lobby")
    @classmethod
    def _exists(cls, lobby: int) -> int:
        if lobby != 0 and lobby not in PRIVATE_LOBBIES:
            raise ValueError("0 (public) or 1000 to 7999 (private)")
        return lobby


class Policy(_Section):
    """How it plays: the keys beside the name and the seed are settings of the policies, each checked by its schema.

    A setting that is left out has the default of the policy that plays. One that this policy does not have is without
    effect, so that a file may hold the settings of several.
    """

    model_config = ConfigDict(extra="allow")

    name: PolicyName = "value"
    seed: Seed = 0

    @property
    def settings(self) -> dict[str, Any]:
        """The settings other than defaults."""
        return dict(self.model_extra or {})

    @field_validator("name")
    @classmethod
    def _is_known(cls, name: str) -> str:
        return _known_policy(name)

    @model_validator(mode="before")
    @classmethod
    def _settings_are_known(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        try:
            own = PlayerSpec.parse(given.get("name", cls.model_fields["name"].default)).schema
        except (InputError, AttributeError):  # which the name's own check reports
            return given
        kept = {}
        for key, value in given.items():
            kept[key] = value if key in cls.model_fields else _setting(own, key, value)
        return {key: value for key, value in kept.items() if key not in fields_of(own) or value != _default(own, key)}


def _setting(own: type, key: str, value: Any) -> Any:
    """The value of a setting of a policy, by the schema of the one that plays or the first that has it."""
    others = (row.settings for row in POLICIES.values())
    schema = next((each for each in (own, *others) if key in fields_of(each)), None)
    if schema is None:
        raise NotAllowedError(f"policy.{key}", unknown(key, keys()["policy"]))
    find_here_too(value)
    try:
        return fields_of(schema)[key].read(value)
    except ValueError as error:
        raise NotAllowedError(f"policy.{key}", str(error)) from None


def _default(schema: type, key: str) -> Any:
    return fields_of(schema)[key].default


class Clock(_Section):
    """The use of time."""

    margin: Seconds = 0.5
    bank_share: Share = 0.5


class Reconnect(_Section):
    """Settings for lost connections."""

    give_up: Annotated[float, Field(ge=0.0, le=86_400.0)] = 900.0
    seek: Annotated[float, Field(ge=1.0, le=604_800.0)] = 7_200.0
    game: Annotated[float, Field(ge=60.0, le=604_800.0)] = 14_400.0


class LobbySettings(_Section):
    """The lobby on this machine: embedded in ``play``, or on its own with ``oshihiki lobby``."""

    host: str = "127.0.0.1"
    port: Port = 7001
    action: Seconds = 5.0
    bank: Seconds = 10.0
    fast_action: Seconds = 3.0
    fast_bank: Seconds = 5.0
    seats: Annotated[tuple[PolicyName, PolicyName, PolicyName], Field(strict=False)] = ("simple", "simple", "simple")
    connections: Many = 400
    connections_each: Many = 100
    openings: Annotated[float, Field(ge=1.0, le=100_000.0)] = 100.0
    tables: Many = 64
    tables_each: Many = 16
    names: Many = 10_000
    login: Annotated[float, Field(ge=1.0, le=600.0)] = 10.0
    idle: Annotated[float, Field(ge=1.0, le=86_400.0)] = 1_800.0
    origins: Annotated[tuple[str, ...], Field(strict=False)] = ("https://tenhou.net", "http://tenhou.net")

    @field_validator("host")
    @classmethod
    def _is_a_host(cls, host: str) -> str:
        if not is_host(host):
            raise ValueError("a host name or an IP address")
        return host

    @field_validator("seats")
    @classmethod
    def _are_known(cls, names: tuple[str, str, str]) -> tuple[str, str, str]:
        for name in names:
            _known_policy(name)
        return names


class Record(_Section):
    """The records of games."""

    folder: PathText = ""
    most_mb: Annotated[float, Field(ge=1.0, le=10_000.0)] = 64.0


class Log(_Section):
    """The log."""

    level: Literal["debug", "info", "warning", "error"] = "warning"
    format: Literal["console", "json"] = "console"
    file: PathText = ""
    rotate_mb: Annotated[float, Field(ge=0.0, le=10_000.0)] = 10.0
    keep: Annotated[int, Field(ge=0, le=1_000)] = 5


class Config(_Section):
    """The whole configuration; the defaults work offline."""

    server: Server = Server()
    account: AccountSection = AccountSection()
    game: GameChoice = GameChoice()
    policy: Policy = Policy()
    clock: Clock = Clock()
    reconnect: Reconnect = Reconnect()
    lobby: LobbySettings = LobbySettings()
    record: Record = Record()
    log: Log = Log()

    @model_validator(mode="after")
    def _is_allowed_to_go_there(self) -> "Config":
        server = self.server
        if server.is_loopback:
            return self
        if self.game.against == "people" and self.game.lobby not in PRIVATE_LOBBIES and not server.ranked_permission:
            raise NotAllowedError(
                "server.ranked_permission",
                "ranked tables against people are closed to bots without the operator's permission; "
                "say here who gave it and when, or choose a private lobby (1000 to 7999)",
            )
        return self


def place_of(file: Path | None) -> Path | None:
    """The file that :func:`load` reads: the one named, or the one at the default place; None without either."""
    if file is not None:
        return file
    place = config_file()
    return place if place.exists() else None


def load(file: Path | None) -> Config:
    """Read a configuration file: the one named, or that at the default place; without one, return the defaults.

    Raises:
        InputError: the file cannot be read, is not TOML, has an unknown key, or a value that is not allowed.
    """
    file = place_of(file)
    if file is None:
        return Config()
    chosen = parse(read_small(file, str(file), pipe=True), str(file))
    _keep_what_is_read(chosen, file)
    return chosen


def _keep_what_is_read(config: Config, file: Path) -> None:
    """Refuse a log file that is the configuration or holds the keys."""
    if not config.log.file:
        return
    keys = Path(config.account.id_file).expanduser() if config.account.id_file else None
    try:
        Outputs("log.file:", [file, keys]).refuse_inputs(Path(config.log.file).expanduser())
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def parse(text: str, source: str = "configuration") -> Config:
    """The configuration in TOML text; ``source`` is named in errors, and where a retired key is passed over."""
    content = parse_toml(text, source)
    _pass_over_retired(content, source, text)
    return build(content, source, text)


def _pass_over_retired(content: dict[str, Any], source: str, text: str) -> None:
    """Take the keys of earlier versions out of the content, and say of each on standard error what to use instead."""
    lines = _lines_of(text)
    for section, given in content.items():
        for key in list(given) if isinstance(given, dict) else ():
            known = retired(Kind.SETTING, key) if section == "policy" else retired(Kind.KEY, f"{section}.{key}")
            if known:
                del given[key]
                line = lines.get((section, key))
                where = f"{source}, line {line}" if line else source
                print_error(f"{where}: passed over: {known}")


def build(content: dict[str, Any], source: str, text: str = "") -> Config:
    """The configuration from parsed TOML; ``text`` is searched for line numbers."""
    try:
        return Config.model_validate(content)
    except ValidationError as error:
        faults, lines = error.errors(), _lines_of(text)
        listed = [_tell(fault, source, lines) for fault in faults[:LISTED]]
        raise InvalidError(listed, len(faults) - len(listed)) from None


def override(config: Config, changes: dict[str, Any], source: str = "command line") -> Config:
    """The configuration with changes such as ``{'game.fast': True, …}``; None changes nothing.

    Raises:
        InputError: a value is not allowed.
    """
    content = config.model_dump()
    for key, value in changes.items():
        if value is not None:
            section, name = key.split(".")
            content[section][name] = value
    return build(content, source)


def changes(config: Config) -> list[str]:
    """Names of the settings that are not the default, such as ``'game.fast'``."""
    defaults = Config().model_dump()
    schemas = [POLICIES[Policy().name].settings, *(row.settings for row in POLICIES.values())]
    found = []
    for section, settings in config.model_dump().items():
        for key, value in settings.items():
            own = next((_default(each, key) for each in schemas if key in fields_of(each)), None)
            if value != defaults[section].get(key, own):
                found.append(f"{section}.{key}")
    return found


def keys() -> dict[str, list[str]]:
    """Names of all keys by section, in order; of the policies' settings those of the policy that plays by default."""
    sections = {name: type(field.default) for name, field in Config.model_fields.items()}
    found = {name: list(section().model_dump()) for name, section in sections.items()}
    found["policy"] += fields_of(POLICIES[Policy().name].settings)
    return found


def _tell(fault: Any, source: str, lines: Mapping[tuple[str, str], int]) -> str:
    """A one-line message about a fault: where it is, which key, what is wrong, and what is allowed."""
    inner = fault.get("ctx", {}).get("error")
    elsewhere = inner.key if isinstance(inner, NotAllowedError) else ""
    path = elsewhere.split(".") if elsewhere else [str(part) for part in fault["loc"]]
    section, key = path[0], path[1] if len(path) > 1 else ""
    name = f"{section}.{key}" if key else section
    cause = lines.get((section, "url")) if elsewhere else None  # a key that is missing because of an address
    line = lines.get((section, key)) or cause or lines.get((section, ""))
    where = f"{source}, line {line}" if line else source
    return f"{where}: {name}: {_reason(fault, section, key)}"


def _reason(fault: Any, section: str, key: str) -> str:
    if fault["type"] == "extra_forbidden":
        known = keys()
        options = known[section] if key and section in known else list(known)
        hint = nearest(key or section, options)
        return f"unknown {'key' if key else 'section'}; {hint}there are: {', '.join(options)}"
    inner = fault.get("ctx", {}).get("error")
    if isinstance(inner, NotAllowedError):
        return str(inner)
    given = fault.get("input")
    if inner is not None:
        return f"{shown(given)} is not allowed; it must be {inner}"
    if fault["type"] == "model_type":
        return f"{shown(given)} is not allowed; it is a section: write [{section}] and its keys below"
    if fault["type"] == "missing":
        return f"{shown(given)} is too short"
    message = re.sub("^Input should be ", "", fault["msg"])
    return f"{shown(given)} is not allowed; it must be {message}"


def _lines_of(text: str) -> dict[tuple[str, str], int]:
    """The line in TOML text on which each ``(section, key)`` is first written; a section has the key ``""``."""
    found: dict[tuple[str, str], int] = {}
    current = ""
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*\"?([A-Za-z0-9_-]+)\"?\s*\]", line)
        if header:
            current = header[1]
            found.setdefault((current, ""), number)
        entry = re.match(r"\s*\"?([A-Za-z0-9_-]+)\"?\s*(?:\.\s*\"?([A-Za-z0-9_-]+)\"?\s*)?=", line)
        if entry and current:
            found.setdefault((current, entry[1]), number)
        elif entry:
            found.setdefault((entry[1], entry[2] or ""), number)
            found.setdefault((entry[1], ""), number)
    return found
