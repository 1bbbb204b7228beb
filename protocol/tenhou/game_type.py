"""Tenhou's game type bits (rules, room and clock of a table), and the ``t`` of JOIN and REJOIN."""

import re
from dataclasses import dataclass, fields
from enum import IntEnum
from typing import Final, NamedTuple

from engine.model.rules import TONPU, Rules
from protocol.errors import RemoteProtocolError, UnsupportedGameError

PEOPLE, NO_RED_FIVES, NO_OPEN_TANYAO, HANCHAN, THREE_PLAYERS, ROOM_A, FAST, ROOM_B = (1 << bit for bit in range(8))
CHIPS: Final = 1 << 9
"""A jansou table: chips for ippatsu, red fives and ura, and 7700 and 7900 are paid as mangan."""
HIGH_HONBA: Final = 1 << 10
"""A jansou table whose honba are worth more."""
CHIP_HONBA: Final = 1_500
"""Points of a honba there."""
NAMED_BITS: Final = 0xFF
"""The bits that every table may have; those above are for chips, tournaments and the like."""


class Room(IntEnum):
    """The room of a table, by strength of its players."""

    GENERAL = 0
    """一般."""
    DAN = ROOM_B
    """上級."""
    UPPER_DAN = ROOM_A
    """特上."""
    PHOENIX = ROOM_A | ROOM_B
    """鳳凰."""


class Clock(NamedTuple):
    """Seconds to think: ``action`` for each answer, and a ``bank`` for each hand in addition."""

    action: float
    bank: float


NORMAL_CLOCK: Final = Clock(5.0, 10.0)
FAST_CLOCK: Final = Clock(3.0, 5.0)


@dataclass(frozen=True, slots=True)
class GameType:
    """The meaning of the game type bits."""

    rules: Rules = TONPU  # rules of play
    fast: bool = False  # whether the clock is the fast one
    people: bool = True  # whether the opponents are people; otherwise they are the server's own players
    room: Room = Room.GENERAL  # the room
    other: int = 0  # the bits above these eight (chip tables, tournaments), unchanged

    @property
    def code(self) -> int:
        """The game type bits; the inverse of :func:`parse_game_type`."""
        return (
            PEOPLE * self.people
            | NO_RED_FIVES * (not self.rules.red_fives)
            | NO_OPEN_TANYAO * (not self.rules.open_tanyao)
            | HANCHAN * self.rules.hanchan
            | CHIPS * self.rules.kiriage
            | HIGH_HONBA * (self.rules.honba_points == CHIP_HONBA)
            | FAST * self.fast
            | self.room
            | self.other
        )

    @property
    def clock(self) -> Clock:
        """The clock of the table."""
        return FAST_CLOCK if self.fast else NORMAL_CLOCK


def parse_game_type(code: int) -> GameType:
    """Parse the game type bits.

    Raises:
        UnsupportedGameError: the game is for three players.
        RemoteProtocolError: the number is not a game type.
    """
    if not 0 <= code < 1 << 16:
        raise RemoteProtocolError(f"game type {code} does not fit in 16 bits", str(code))
    if code & THREE_PLAYERS:
        raise UnsupportedGameError(f"game type {code} (0x{code:02x}) is three-player mahjong, which is not supported")
    rules = Rules(
        hanchan=bool(code & HANCHAN),
        red_fives=not code & NO_RED_FIVES,
        open_tanyao=not code & NO_OPEN_TANYAO,
        kiriage=bool(code & CHIPS),
        honba_points=CHIP_HONBA if code & HIGH_HONBA else 300,
    )
    return GameType(rules, bool(code & FAST), bool(code & PEOPLE), Room(code & Room.PHOENIX), code & ~NAMED_BITS)


def unstated(rules: Rules) -> tuple[str, ...]:
    """The rules that a Tenhou log of a game by them does not state, such as ``'ippatsu False'``.

    A log has the bits of the game type, and its first scores are the start points.
    """
    stated = parse_game_type(GameType(rules).code).rules
    return tuple(
        f"{field.name} {getattr(rules, field.name)}"
        for field in fields(rules)
        if field.name != "start_points" and getattr(rules, field.name) != getattr(stated, field.name)
    )


class Seek(NamedTuple):
    """The ``t`` of JOIN and REJOIN: the table to wait for; ``again`` marks the answer to a REJOIN."""

    lobby: str
    type: int
    again: bool = False


_is_seek: Final = re.compile(r"(C?[0-9]{1,9}),([0-9]{1,5})(,r)?").fullmatch


def parse_seek(t: str) -> Seek:
    """Parse ``'0,9'`` or ``'0,9,r'``.

    Raises:
        RemoteProtocolError: the text has neither form.
    """
    match = _is_seek(t)
    if match is None:
        raise RemoteProtocolError(f"t={t[:40]!r} is not 'lobby,type' or 'lobby,type,r'", t)
    return Seek(match[1], int(match[2]), match[3] is not None)


def format_seek(seek: Seek) -> str:
    """The inverse of :func:`parse_seek`."""
    return f"{seek.lobby},{seek.type}{',r' if seek.again else ''}"
