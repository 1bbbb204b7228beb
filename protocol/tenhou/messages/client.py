"""What a client says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from protocol.tenhou.messages.fields import INT, SAID, TEXT, TILE, attr
from protocol.tenhou.messages.schema import Message, table


class NType(IntEnum):
    """The ``type`` of :class:`N`; without one it declines."""

    PON = 1
    DAIMINKAN = 2
    CHI = 3
    ANKAN = 4
    KAKAN = 5
    RON = 6
    TSUMO = 7
    NINE_TERMINALS = 9
    KITA = 10


@dataclass(frozen=True, slots=True)
class Helo(Message):
    """Login. ``name`` is ``NoName`` or the account's key, which is its whole credential; ``gpid`` resumes a game."""

    TAG = "HELO"
    name: str = attr(SAID, secret=True)
    tid: str | None = attr(TEXT, default=None)
    sx: str | None = attr(TEXT, default=None)
    gpid: str | None = attr(TEXT, default=None, secret=True)


@dataclass(frozen=True, slots=True)
class Auth(Message):
    """The answer to the token in HELO (older transport alone)."""

    TAG = "AUTH"
    val: str = attr(TEXT)


@dataclass(frozen=True, slots=True)
class Pxr(Message):
    """Which rule's statistics to show. The first one writes its attribute large."""

    TAG = "PXR"
    first: int | None = attr(INT, "V", default=None)
    v: int | None = attr(INT, default=None)


@dataclass(frozen=True, slots=True)
class Chat(Message):
    """Chat, or a change of lobby (``/lobby 7994``)."""

    TAG = "CHAT"
    text: str = attr(SAID)


@dataclass(frozen=True, slots=True)
class Lobby(Message):
    """Change of lobby over websocket."""

    TAG = "LOBBY"
    id: int = attr(INT)


@dataclass(frozen=True, slots=True)
class Cs(Message):
    """Enter a tournament lobby."""

    TAG = "CS"
    lobby: str = attr(TEXT)


@dataclass(frozen=True, slots=True)
class Date(Message):
    """Asks for the time of the next tournament game."""

    TAG = "DATE"


@dataclass(frozen=True, slots=True)
class Join(Message):
    """Wait for a table; ``t`` is lobby, type and, answering REJOIN, ``r``. Without it: wait no more."""

    TAG = "JOIN"
    t: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Gok(Message):
    """GO was seen."""

    TAG = "GOK"


@dataclass(frozen=True, slots=True)
class NextReady(Message):
    """Ready for the next hand."""

    TAG = "NEXTREADY"


@dataclass(frozen=True, slots=True)
class Discard(Message):
    """Discard ``p``."""

    TAG = "D"
    p: int = attr(TILE)


@dataclass(frozen=True, slots=True)
class N(Message):
    """A call or a win (see :class:`NType`); bare: declined. ``hai0``, ``hai1``: one's own tiles of a chi or pon."""

    TAG = "N"
    type: int | None = attr(INT, default=None)
    hai: int | None = attr(TILE, default=None)
    hai0: int | None = attr(TILE, default=None)
    hai1: int | None = attr(TILE, default=None)


@dataclass(frozen=True, slots=True)
class Reach(Message):
    """Riichi; the discard is a message of its own. ``hai`` is that tile, over the older transport alone."""

    TAG = "REACH"
    hai: int | None = attr(TILE, default=None)


@dataclass(frozen=True, slots=True)
class Bye(Message):
    """Leave."""

    TAG = "BYE"


@dataclass(frozen=True, slots=True)
class KeepAlive(Message):
    """Sent every ten seconds."""

    TAG = "Z"


@dataclass(frozen=True, slots=True)
class Echo(Message):
    """Asks for an ECHO, to time it."""

    TAG = "ECHO"


@dataclass(frozen=True, slots=True)
class Watch(Message):
    """Spectate."""

    TAG = "WG"
    id: str = attr(TEXT)
    tw: int = attr(INT, default=0)


ATTRIBUTES: Final = table(
    (
        Helo, Auth, Pxr, Chat, Lobby, Cs, Date, Join, Gok, NextReady, Discard, N, Reach, Bye, KeepAlive, Echo, Watch,
    )
)  # fmt: skip
"""Schemas by tag."""
