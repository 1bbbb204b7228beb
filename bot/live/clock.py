"""How long a decision may take: so many seconds for each answer, and a bank for each hand on top."""

from __future__ import annotations

from typing import Final

from protocol.tenhou.game_type import NORMAL_CLOCK, Clock

LEAST: Final = 0.05
"""Seconds that are left for thought when the margin would eat it all."""


class ClockTracker:
    """Our own account of the table's clock.

    Args:
        clock: seconds an answer and a hand.
        margin: seconds kept back from each answer for the way to the server.
        bank_share: how much of the bank that is left one decision may use, 0-1.
    """

    def __init__(self, clock: Clock = NORMAL_CLOCK, margin: float = 0.5, bank_share: float = 0.5) -> None:
        self.clock = clock
        self.bank = clock.bank
        self._margin = margin
        self._share = bank_share

    def start_kyoku(self) -> None:
        """The bank is full again."""
        self.bank = self.clock.bank

    def allowance(self) -> float:
        """Seconds that the next decision may take."""
        return max(self.clock.action + self._share * self.bank - self._margin, LEAST)

    def spend(self, seconds: float) -> None:
        """An answer took that long; what went beyond the seconds of an answer comes off the bank."""
        self.bank = max(self.bank - max(seconds + self._margin - self.clock.action, 0.0), 0.0)
