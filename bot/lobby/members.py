"""The accounts of a lobby, with the record of each while the lobby is open."""

from dataclasses import dataclass, field
from typing import Final

from protocol.tenhou import client, server
from protocol.tenhou.redaction import ACCOUNT_KEY
from protocol.tenhou.session import GUEST

_LONGEST_NAME: Final = 16

REFUSED: Final = server.Err("1003")
"""Tenhou's answer to an unknown account."""

RATING_SCALE: Final = "PF3=1.000000&PF4=1.000000"
_FIELDS: Final = 14
"""Fields of ``PF4``: dan, points, rate, total, four placements, busted, hands, wins, deal-ins, calls, riichi."""


@dataclass(slots=True, eq=False)
class Member:
    """A player known to the lobby."""

    name: str  # the name that others see; it does not reveal the key of an account
    key: str = ""  # the name or key that it logs in with; empty for a guest, who is forgotten on leaving
    sex: str = "M"  # ``M``, ``F`` or ``C``
    # dan, rate: rank index and rating; the lobby does not promote
    dan: int = 0
    rate: float = 1500.0
    # the fields of ``PF4`` from the fourth on: the sum of results, then counts
    totals: list[float] = field(default_factory=lambda: [0.0] * (_FIELDS - 3))

    @property
    def pf4(self) -> str:
        """The record in the form of HELO."""
        total, *counts = self.totals
        return f"{self.dan},0,{self.rate:.2f},{total:.1f}," + ",".join(f"{count:.0f}" for count in counts)

    def add(self, prof: tuple[int | float, ...]) -> None:
        """Add a game; ``prof`` is PROF's ``add``."""
        self.totals = [before + more for before, more in zip(self.totals, prof, strict=True)]

    def greeting(self) -> server.Helo:
        """The reply to HELO; a guest has no record."""
        if not self.key:
            return server.Helo(self.name, ratingscale=RATING_SCALE)
        return server.Helo(self.name, pf4=self.pf4, ratingscale=RATING_SCALE)


class Members:
    """The accounts that have logged in since the lobby opened."""

    def __init__(self, most: int, guest: str = "") -> None:
        """Start without accounts.

        Args:
            most: number of names that are remembered; the one that logged in longest ago is forgotten first.
            guest: name of guests; empty: Tenhou's.
        """
        self._guest = guest or GUEST
        self._most = most
        self._keys = 0
        self._known: dict[str, Member] = {}

    def enter(self, helo: client.Helo) -> Member | None:
        """The account of a HELO, or None if such a name cannot log in.

        ``NoName`` is a guest and ``IDxxxxxxxx-xxxxxxxx`` an account. Any other short printable name is, in this lobby,
        an account of that name.
        """
        name = helo.name
        sex = helo.sx if helo.sx in ("M", "F", "C") else "M"
        if name == GUEST:
            return Member(self._guest, sex=sex)
        if not name.isprintable() or not name.strip() or len(name) > (_LONGEST_NAME + 3):
            return None
        secret = ACCOUNT_KEY.fullmatch(name) is not None
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
