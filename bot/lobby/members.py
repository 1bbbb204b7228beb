"""Who may come in, and the record that the lobby keeps of each while it is open."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from protocol.tenhou.messages import client, server

GUEST: Final = "NoName"
_KEY: Final = re.compile(r"ID[0-9A-Fa-f]{8}-[0-9A-Za-z]{8}")
_LONGEST_NAME: Final = 16

REFUSED: Final = server.Err("1003")
"""Tenhou's answer to an account it does not know."""

RATING_SCALE: Final = "PF3=1.000000&PF4=1.000000"
_FIELDS: Final = 14
"""Of ``PF4``: dan, points, rate, total, four placements, busted, hands, wins, deal-ins, calls, riichi."""


def is_key(name: str) -> bool:
    """Whether a login name has the form of an account key, which nobody else is supposed to know."""
    return _KEY.fullmatch(name) is not None


@dataclass(slots=True, eq=False)
class Member:
    """A player known to the lobby.

    Attributes:
        name: as the others see it; of an account with a key it does not tell the key.
        key: what it logs in with; empty for a guest, who is nobody again when gone.
        sex: ``M``, ``F`` or ``C``.
        dan, rate: rank index and rating; the lobby does not promote.
        totals: of ``PF4`` from the fourth field on: the sum of results, then counts.
    """

    name: str
    key: str = ""
    sex: str = "M"
    dan: int = 0
    rate: float = 1500.0
    totals: list[float] = field(default_factory=lambda: [0.0] * (_FIELDS - 3))

    @property
    def pf4(self) -> str:
        """The record as HELO states it."""
        total, *counts = self.totals
        return f"{self.dan},0,{self.rate:.2f},{total:.1f}," + ",".join(f"{count:.0f}" for count in counts)

    def add(self, prof: tuple[int | float, ...]) -> None:
        """Count a game; ``prof`` is PROF's ``add``."""
        self.totals = [before + more for before, more in zip(self.totals, prof, strict=True)]

    def greeting(self) -> server.Helo:
        """The answer to HELO; a guest has no record."""
        if not self.key:
            return server.Helo(self.name, ratingscale=RATING_SCALE)
        return server.Helo(self.name, pf4=self.pf4, ratingscale=RATING_SCALE)


class Members:
    """All that have come in since the lobby opened."""

    def __init__(self, most: int) -> None:
        """Open.

        Args:
            most: names that are remembered; the one that came in longest ago is forgotten.
        """
        self._most = most
        self._keys = 0
        self._known: dict[str, Member] = {}

    def enter(self, helo: client.Helo) -> Member | None:
        """The account of a HELO, or None when such a name cannot come in.

        ``NoName`` is a guest, ``IDxxxxxxxx-xxxxxxxx`` an account; any other short printable name is, in this lobby, an
        account of that name.
        """
        name = helo.name
        sex = helo.sx if helo.sx in ("M", "F", "C") else "M"
        if name == GUEST:
            return Member(GUEST, sex=sex)
        if not name.isprintable() or not name.strip() or len(name) > (_LONGEST_NAME + 3):
            return None
        secret = is_key(name)
        if not secret and (len(name) > _LONGEST_NAME or name.startswith("ID")):
            return None
        known = self._known.pop(name, None)
        if known is None:
            self._keys += 1
            known = Member(f"Player{self._keys}" if secret else name, key=name, sex=sex)
        self._known[name] = known
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return known
