"""Accounts: keys from the environment or a file, each with a label that may be shown."""

import hashlib
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import structlog
from pydantic import SecretStr

from bot.config import PRIVATE_LOBBIES, Config
from bot.machine.errors import InputError
from bot.machine.files import read_small
from bot.machine.outlet import print_error
from bot.machine.text import SECRETS, brief
from bot.store import guests
from protocol.tenhou.redaction import ACCOUNT_KEY
from protocol.tenhou.session import GUEST

ID_VARIABLE: Final = "OSHIHIKI_ID"
"""Environment variable with an account's key, or several separated by commas."""
_LONGEST_KEY: Final = 64
"""Characters of the longest key; in a lobby of one's own it may be any name."""
_LONGEST_LABEL: Final = 24
"""Characters of a label that are kept."""
_LARGEST_FILE: Final = 1 << 14
"""Bytes of the largest file of keys."""

log = structlog.get_logger()


class Account(NamedTuple):
    """One login. ``label`` represents it wherever people look and reveals nothing of the key."""

    key: SecretStr
    label: str

    @property
    def guest(self) -> bool:
        """Whether the login has no account."""
        return self.key.get_secret_value() == GUEST


def read_accounts(config: Config) -> tuple[Account, ...]:
    """The accounts that play side by side: from the environment, else from ``account.id_file``, else one guest.

    Raises:
        InputError: the file cannot be read or is empty, a key is invalid, or there are more accounts than may play.
    """
    given = os.environ.get(ID_VARIABLE, "").strip()
    if given:
        return _checked(config, [part.strip() for part in given.split(",")], ID_VARIABLE)
    if not config.account.id_file:
        return (Account(SecretStr(GUEST), "guest"),)
    path = Path(config.account.id_file).expanduser()
    where = f"account.id_file: {path}"
    lines = read_small(path, where, _LARGEST_FILE).splitlines()
    if path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        print_error(f"{where}: others may write this file; chmod 600 it")
    kept = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not kept:
        raise InputError(f"{where}: the file is empty; put the account's key on its first line")
    return _checked(config, kept, where)


def _checked(config: Config, lines: Sequence[str], where: str) -> tuple[Account, ...]:
    """The accounts of the lines ``KEY LABEL``; from now on their keys are hidden wherever text leaves."""
    accounts: list[Account] = []
    for number, line in enumerate(lines, 1):
        key, _, label = line.partition(" ")
        if not key:
            raise InputError(f"{where}: number {number} is empty; put one comma between two keys, and none at the end")
        if len(key) > _LONGEST_KEY or (
            not config.server.is_loopback and key != GUEST and not ACCOUNT_KEY.fullmatch(key)
        ):
            raise InputError(
                f"{where}: number {number} is not a key of the form IDxxxxxxxx-xxxxxxxx (it is not shown here)"
            )
        same = next((at for at, each in enumerate(accounts, 1) if each.key.get_secret_value() == key), None)
        if same is not None and key != GUEST:
            raise InputError(
                f"{where}: numbers {same} and {number} are the same key, whose logins would end each other; remove one"
            )
        shown = brief(label.strip(), _LONGEST_LABEL)
        if key in label:
            raise InputError(f"{where}: the label of number {number} reveals its key; choose another")
        if key != GUEST:
            SECRETS.add([key])
        # a label of its own keeps accounts apart in statistics; nobody finds a key from sixteen bits of its hash
        unnamed = "guest" if key == GUEST else f"account {hashlib.sha256(key.encode()).hexdigest()[:4]}"
        accounts.append(Account(SecretStr(key), shown or unnamed))
    labels = [account.label for account in accounts]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise InputError(f"{where}: {twice!r} appears twice; give each account its own label after its key")
    game, server = config.game, config.server
    ranked = not server.is_loopback and game.against == "people" and game.lobby not in PRIVATE_LOBBIES
    if ranked and len(accounts) > 1:  # they could play into each other's hands
        raise InputError(
            f"{where}: {len(accounts)} accounts at ranked tables against people could meet there; use one, "
            "or choose a private lobby (1000 to 7999)"
        )
    return tuple(accounts)


@dataclass(frozen=True, slots=True)
class Guests:
    """The ``gpid`` of each guest's running game on a server. Never logged: whoever knows it owns the seat.

    If the disk fails, the games go on; a restarted program then looks for another table.
    """

    folder: Path  # folder of the records, whose store keeps them
    server: str  # address of the server the games are on

    def running(self, label: str) -> str | None:
        """The ``gpid`` of the game that a guest left running, or None if there is no such game or it is not known."""
        try:
            return guests.running(self.folder, self.server, label)
        except InputError as error:
            log.error("the guest's game was not looked up", reason=str(error))  # noqa: TRY400
            return None

    def keep(self, label: str, gpid: str | None) -> None:
        """Keep the ``gpid`` of a guest's game; None means that the game is over."""
        try:
            guests.keep(self.folder, self.server, label, gpid)
        except InputError as error:
            log.error("the guest's game was not kept", reason=str(error))  # noqa: TRY400
