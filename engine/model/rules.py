"""The rules of a table. Rules that differ between Tenhou's tables are fields of ``Rules``, the others constants."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final

from engine.model.bounds import HONBA_POINTS, RETURN_POINTS, START_POINTS, UMA, first_fault
from engine.model.seats import SEATS
from engine.settings import shown

LIVE_WALL: Final = 70
"""Number of tiles that are drawn before the hand is exhausted, including replacement tiles of kans."""

RIICHI_WALL: Final = 4
"""Fewest tiles in the live wall with which riichi may be declared."""

RIICHI_STICK: Final = 1_000
"""Points that a riichi costs; the next winner takes them."""

NOTEN_POINTS: Final = 3_000
"""Points that the players who are not tenpai pay together at an exhaustive draw."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a four-player table.

    Points are points (not hundreds), uma and oka are in thousands of points.

    Raises:
        ValueError: a field is beyond what :mod:`engine.model.bounds` allows; the message names both.
    """

    hanchan: bool = True
    """Whether there is a south round; otherwise there is an east round only."""
    red_fives: bool = True
    """Whether the tiles 16, 52 and 88 are red."""
    open_tanyao: bool = True
    """Kuitan: whether tanyao counts in an open hand."""
    ura_dora: bool = True
    """Whether a win in riichi turns the ura dora; always so at Tenhou's tables."""
    ippatsu: bool = True
    """Whether ippatsu counts; always so at Tenhou's tables."""
    kiriage: bool = False
    """Whether 4 han 30 fu and 3 han 60 fu are paid as mangan; only at Tenhou's chip tables."""
    honba_points: int = 300
    """Points that each honba adds to a win; 1500 at some of Tenhou's chip tables."""
    start_points: int = 25_000
    return_points: int = 30_000
    """Points that the leader must have at the end of the last round; otherwise another round is played."""
    uma: tuple[int, int, int, int] = (20, 10, -10, -20)
    """Placement bonus by rank, in thousands; the first also takes the oka."""

    def __post_init__(self) -> None:
        fault = first_fault(
            *(_fault_of_flag(name, getattr(self, name)) for name in _FLAGS),
            HONBA_POINTS.fault("honba_points", self.honba_points),
            START_POINTS.fault("start_points", self.start_points),
            RETURN_POINTS.fault("return_points", self.return_points),
            _fault_of_uma(self.uma),
        )
        if fault:
            raise ValueError(f"rules: {fault}")

    def begun_with(self, scores: Sequence[int], sticks: int) -> "Rules":
        """These rules with the start points that the scores of a hand and the riichi sticks come from.

        They are unchanged where no game can have begun so.
        """
        start = (sum(scores) + RIICHI_STICK * sticks) // len(SEATS)
        return self if START_POINTS.fault("start_points", start) else replace(self, start_points=start)

    @property
    def last_kyoku(self) -> int:
        """Index of the last scheduled kyoku: 3 (E4) or 7 (S4)."""
        return 7 if self.hanchan else 3


_FLAGS: Final = tuple(field.name for field in fields(Rules) if field.type is bool)


def _fault_of_flag(name: str, value: object) -> str:
    return "" if isinstance(value, bool) else f"{name} {shown(value)}: it is True or False"


def _fault_of_uma(uma: object) -> str:
    if not isinstance(uma, tuple) or len(uma) != len(SEATS):
        return f"uma {shown(uma)}: four whole numbers, in thousands of points"
    return first_fault(*(UMA.fault("uma", bonus) for bonus in uma))


HANCHAN: Final = Rules()
TONPU: Final = Rules(hanchan=False)
