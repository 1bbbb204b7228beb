"""Messages sent by a client."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from protocol.tenhou.schema import INT, SAID, TEXT, TILE, Message, attr, table


class NType(IntEnum):
    """The ``type`` of :class:`N`; without a type it declines."""

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
    """Login. ``name`` is ``NoName`` or the account's key, its only credential; ``gpid`` resumes a game."""

    TAG = "HELO"
    name: str = attr(SAID, secret=True)
    tid: str | None = attr(TEXT, default=None)
    sx: str | None = attr(TEXT, default=None)
    gpid: str | None = attr(TEXT, default=None, secret=True)


@dataclass(frozen=True, slots=True)
class Auth(Message):
    """The reply to the token in HELO (only on the older transport)."""

    TAG = "AUTH"
    val: str = attr(TEXT)


@dataclass(frozen=True, slots=True)
class Pxr(Message):
    """Asks for the statistics of a rule. The first one after login spells its attribute ``V``."""

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
    """A change of lobby over websocket."""

    TAG = "LOBBY"
    id: int = attr(INT)


@dataclass(frozen=True, slots=True)
class Cs(Message):
    """Enters a tournament lobby."""

    TAG = "CS"
    lobby: str = attr(TEXT)


@dataclass(frozen=True, slots=True)
class Date(Message):
    """Asks for the time of the next tournament game."""

    TAG = "DATE"


@dataclass(frozen=True, slots=True)
class Join(Message):
    """Waits for a table; ``t`` is lobby, type and, in answer to REJOIN, ``r``. Without ``t`` it stops waiting."""

    TAG = "JOIN"
    t: str | None = attr(TEXT, default=None)


@dataclass(frozen=True, slots=True)
class Gok(Message):
    """Confirms GO."""

    TAG = "GOK"


@dataclass(frozen=True, slots=True)
class NextReady(Message):
    """The client is ready for the next hand."""

    TAG = "NEXTREADY"


@dataclass(frozen=True, slots=True)
class Discard(Message):
    """Discards tile ``p``."""

    TAG = "D"
    p: int = attr(TILE)


@dataclass(frozen=True, slots=True)
class N(Message):
    """A call or a win (see :class:`NType`); bare, it declines. ``hai0``, ``hai1``: the own tiles of a chi or pon."""

    TAG = "N"
    type: int | None = attr(INT, default=None)
    hai: int | None = attr(TILE, default=None)
    hai0: int | None = attr(TILE, default=None)
    hai1: int | None = attr(TILE, default=None)


@dataclass(frozen=True, slots=True)
class Reach(Message):
    """Declares riichi; the discard is a separate message. ``hai`` is that tile, only on the older transport."""

    TAG = "REACH"
    hai: int | None = attr(TILE, default=None)


@dataclass(frozen=True, slots=True)
class Bye(Message):
    """Leaves the table or the server."""

    TAG = "BYE"


@dataclass(frozen=True, slots=True)
class KeepAlive(Message):
    """A keep-alive, sent every ten seconds."""

    TAG = "Z"


@dataclass(frozen=True, slots=True)
class Echo(Message):
    """Asks for an ECHO, to measure the round trip."""

    TAG = "ECHO"


@dataclass(frozen=True, slots=True)
class Watch(Message):
    """Spectates a game."""

    TAG = "WG"
    id: str = attr(TEXT)
    tw: int = attr(INT, default=0)


ATTRIBUTES: Final = table(
    (
        Helo, Auth, Pxr, Chat, Lobby, Cs, Date, Join, Gok, NextReady, Discard, N, Reach, Bye, KeepAlive, Echo, Watch,
    )
)  # fmt: skip
"""Schemas by tag."""
