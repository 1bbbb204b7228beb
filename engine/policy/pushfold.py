"""Push or fold: the transition table as data, and the machine that runs it for one hand.

The table is the one of the FLOW paper: against one riichi fold unless 1-shanten or better, against two or more fold
unless tenpai. A hand that has folded never attacks again: near the threshold, going back and forth wins nothing and
deals in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ALWAYS: Final = 8
"""No hand is further than 8-shanten."""


class Mode(StrEnum):
    """Who decides: the efficiency of the hand, or the danger of the tile."""

    ATTACK = "attack"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class PushFoldTable:
    """``limits[n]``: the highest shanten that still attacks against ``n`` riichi; the last row also serves above."""

    limits: tuple[int, ...]

    def attacks(self, riichi: int, shanten: int) -> bool:
        """Whether a hand of that shanten goes on against that many riichi."""
        return shanten <= self.limits[min(riichi, len(self.limits) - 1)]


PAPER: Final = PushFoldTable(limits=(ALWAYS, 1, 0))


class PushFoldMachine:
    """The state of one hand: starts in attack, may go to fold, never comes back before :meth:`reset`."""

    __slots__ = ("mode", "table")

    def __init__(self, table: PushFoldTable = PAPER) -> None:
        self.table = table
        self.mode = Mode.ATTACK

    def reset(self) -> None:
        """A new hand is dealt."""
        self.mode = Mode.ATTACK

    def update(self, riichi: int, shanten: int) -> Mode:
        """Look at the table once more: ``riichi`` opponents have declared, the hand is ``shanten`` away."""
        if self.mode is Mode.ATTACK and not self.table.attacks(riichi, shanten):
            self.mode = Mode.FOLD
        return self.mode
