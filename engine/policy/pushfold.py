"""Push or fold: the table of the FLOW paper, and the state machine that applies one to a hand.

By the paper's table a hand folds against one riichi unless it is 1-shanten or better, against two or more unless it is
tenpai. A hand that has folded never attacks again, because going back and forth near the threshold wins little and
deals in. The variants also count open hands as threats, or let the place in the last round move the limits.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from engine.model.seats import others
from engine.opponents.facts import flush_suit
from engine.policy.pushfold_kernels import attacks
from engine.state import GameState

ALWAYS: Final = 8
"""The highest possible shanten, with which every hand attacks. Derived."""


class Mode(StrEnum):
    """Whether a hand attacks or folds."""

    ATTACK = "attack"
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class PushFoldTable:
    """When a hand attacks."""

    # ``limits[n]`` is the highest shanten that attacks against ``n`` threats; the last entry also holds for more. Every
    # opponent in riichi is a threat.
    limits: tuple[int, ...]
    open_melds: int = 0  # number of called melds with which any open hand is a threat; 0: none is
    flush_melds: int = 0  # the same for an open hand that seems to collect one suit
    # by own place, first to fourth, what is added to the limits in the last round
    last_round: tuple[int, int, int, int] = (0, 0, 0, 0)

    def attacks(self, threats: int, shanten: int, more: int = 0) -> bool:
        """Whether a hand of that shanten attacks against that many threats, with ``more`` added to the limit."""
        return attacks(np.array(self.limits), threats, shanten, more)

    def threats(self, state: GameState) -> int:
        """The number of opponents who count as threats."""
        return sum(self._threatens(state, seat) for seat in others(state.seat))

    def more(self, state: GameState) -> int:
        """The change of the limits for the own place."""
        if state.kyoku < state.rules.last_kyoku:
            return 0
        mine = state.scores[state.seat]
        ahead = sum((-state.scores[seat], seat) < (-mine, state.seat) for seat in others(state.seat))
        return self.last_round[ahead]

    def _threatens(self, state: GameState, seat: int) -> bool:
        if state.has_declared(seat):
            return True
        called = sum(meld.called is not None for meld in state.melds[seat])
        if self.open_melds and called >= self.open_melds:
            return True
        return bool(self.flush_melds) and called >= self.flush_melds and flush_suit(state, seat) is not None


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

    def update(self, threats: int, shanten: int, more: int = 0) -> Mode:
        """Apply the table to a hand of that shanten; see :meth:`PushFoldTable.attacks`. Returns the new mode."""
        if self.mode is Mode.ATTACK and not self.table.attacks(threats, shanten, more):
            self.mode = Mode.FOLD
        return self.mode
