"""Push or fold: the table of the FLOW paper, and the state machine that applies it to one hand.

Against one riichi a hand folds unless it is 1-shanten or better, against two or more unless it is tenpai. A hand that
has folded never attacks again, because going back and forth near the threshold wins little and deals in.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

ALWAYS: Final = 8
"""The highest possible shanten, with which every hand attacks. Derived."""


class Mode(StrEnum):
    """Whether a hand attacks or folds."""

    ATTACK = "attack"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class PushFoldTable:
    """``limits[n]``: the highest shanten that attacks against ``n`` riichi; the last entry also holds for more."""

    limits: tuple[int, ...]

    def attacks(self, riichi: int, shanten: int) -> bool:
        """Whether a hand of that shanten attacks against that many riichi."""
        return shanten <= self.limits[min(riichi, len(self.limits) - 1)]


PAPER: Final = PushFoldTable(limits=(ALWAYS, 1, 0))


class PushFoldMachine:
    """The state of one hand: starts in ATTACK, may change to FOLD, and stays there until :meth:`reset`."""

    __slots__ = ("mode", "table")

    def __init__(self, table: PushFoldTable = PAPER) -> None:
        self.table = table
        self.mode = Mode.ATTACK

    def reset(self) -> None:
        """Start a new hand."""
        self.mode = Mode.ATTACK

    def update(self, riichi: int, shanten: int) -> Mode:
        """Apply the table to a hand of that shanten against ``riichi`` opponents in riichi; returns the new mode."""
        if self.mode is Mode.ATTACK and not self.table.attacks(riichi, shanten):
            self.mode = Mode.FOLD
        return self.mode
