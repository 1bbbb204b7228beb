"""Accounts: keys from the environment or a file, each with a label that may be shown."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import SecretStr

from bot.config import PRIVATE_LOBBIES, Config
from bot.errors import InputError
from bot.outlet import standard_error
from bot.secrecy import SECRETS
from bot.small_files import read_small
from bot.text import brief
from protocol.tenhou.session import GUEST

ID_VARIABLE: Final = "OSHIHIKI_ID"
"""Environment variable with an account's key, or several separated by commas."""
_KEY: Final = re.compile("ID[0-9A-Za-z]{8}-[0-9A-Za-z]{8}").fullmatch
_LABEL: Final = 24
_LONGEST: Final = 64
"""Characters of the longest key; in a lobby of one's own it may be any name."""
_LARGEST: Final = 1 << 14
"""Bytes of the largest key file."""


class Account(NamedTuple):
    """One login. ``label`` represents it wherever people look and reveals nothing of the key."""

    key: SecretStr
    label: str

    @property
    def guest(self) -> bool:
        """Whether the login has no account."""
        return self.key.get_secret_value() == GUEST


def read_accounts(config: Config) -> tuple[Account, ...]:
    """The accounts to play at the same time: from the environment, else from ``account.id_file``, else one guest.

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
    lines = read_small(path, where, _LARGEST).splitlines()
    if path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        standard_error().write(f"oshihiki: {where}: others may write this file; chmod 600 it\n")
    kept = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if not kept:
        raise InputError(f"{where}: the file is empty; put the account's key on its first line")
    return _checked(config, kept, where)


def secrets(accounts: Sequence[Account]) -> tuple[str, ...]:
    """The texts that must not be written anywhere."""
    return tuple(account.key.get_secret_value() for account in accounts if not account.guest)


def _checked(config: Config, lines: Sequence[str], where: str) -> tuple[Account, ...]:
    accounts: list[Account] = []
    for number, line in enumerate(lines, 1):
        key, _, label = line.partition(" ")
        if not key:
            raise InputError(f"{where}: number {number} is empty; put one comma between two keys, and none at the end")
        if len(key) > _LONGEST or (not config.server.is_loopback and key != GUEST and not _KEY(key)):
            raise InputError(
                f"{where}: number {number} is not a key of the form IDxxxxxxxx-xxxxxxxx (it is not shown here)"
            )
        same = next((at for at, each in enumerate(accounts, 1) if each.key.get_secret_value() == key), None)
        if same is not None and key != GUEST:
            raise InputError(
                f"{where}: numbers {same} and {number} are the same key, whose logins would end each other; remove one"
            )
        shown = brief(label.strip(), _LABEL)
        if key in label:
            raise InputError(f"{where}: the label of number {number} reveals its key; choose another")
        if key != GUEST:
            SECRETS.add([key])
        accounts.append(Account(SecretStr(key), shown or ("guest" if key == GUEST else _label(key))))
    labels = [account.label for account in accounts]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise InputError(f"{where}: {twice!r} appears twice; give each account its own label after its key")
    _not_together_at_ranked_tables(config, accounts, where)
    return tuple(accounts)


def _label(key: str) -> str:
    """A label that is always the same for a key, so that statistics keep accounts apart.

    It shows sixteen bits of a hash, from which nobody finds a key.
    """
    return f"account {hashlib.sha256(key.encode()).hexdigest()[:4]}"


def _not_together_at_ranked_tables(config: Config, accounts: Sequence[Account], where: str) -> None:
    """Refuse several accounts at ranked tables, where they could play into each other's hands."""
    game, server = config.game, config.server
    ranked = not server.is_loopback and game.against == "people" and game.lobby not in PRIVATE_LOBBIES
    if ranked and len(accounts) > 1:
        raise InputError(
            f"{where}: {len(accounts)} accounts at ranked tables against people could meet there; use one, "
            "or choose a private lobby (1000 to 7999)"
        )
