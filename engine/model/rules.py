"""The rules of a table: what differs between Tenhou's tables is a field of ``Rules``, what does not is a constant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

LIVE_WALL: Final = 70
"""Tiles drawn before a hand is exhausted; each kan takes its replacement tile from them."""

RIICHI_STICK: Final = 1_000
"""Points that a riichi costs, won by the next winner."""

NOTEN_POINTS: Final = 3_000
"""Points that the players who are not tenpai pay together at an exhaustive draw."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of a four-player table.

    Points are points (not hundreds), uma and oka are in thousands of points.
    """

    hanchan: bool = True
    """East and south rounds; else east only."""
    red_fives: bool = True
    """Tiles 16, 52 and 88 are red."""
    open_tanyao: bool = True
    """Kuitan: tanyao counts in an open hand."""
    kiriage: bool = False
    """4 han 30 fu and 3 han 60 fu are paid as mangan: Tenhou's chip tables only."""
    honba_points: int = 300
    """What each honba adds to a win, in points; 1500 at some of Tenhou's chip tables."""
    start_points: int = 25_000
    return_points: int = 30_000
    """The leader must reach this at the end of the last round, or the game goes on by one wind."""
    uma: tuple[int, int, int, int] = (20, 10, -10, -20)
    """Placement bonus by rank, in thousands; the first also takes the oka."""

    @property
    def last_kyoku(self) -> int:
        """Index of the last scheduled kyoku: 3 (E4) or 7 (S4)."""
        return 7 if self.hanchan else 3


HANCHAN: Final = Rules()
TONPU: Final = Rules(hanchan=False)
