"""How long a decision may take: so many seconds for each answer, a bank for each hand, less the way to the server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from protocol.tenhou.game_type import NORMAL_CLOCK, Clock, GameType

LEAST: Final = 0.05
"""Seconds that are left for thought when the margin would eat it all."""
_GAIN: Final = 1 / 8
_SPREAD_GAIN: Final = 1 / 4
_SPREADS: Final = 4.0
"""Weights of a new round trip and of its deviation, and how many deviations a margin covers: as TCP does (RFC 6298)."""


class RoundTrips:
    """What is known of the way to the server and back, from pings.

    Attributes:
        mean, spread: smoothed seconds, and their smoothed deviation; 0 before the first.
        count: how many were measured.
    """

    def __init__(self) -> None:
        self.mean = 0.0
        self.spread = 0.0
        self.count = 0

    def add(self, seconds: float) -> None:
        """One more was measured."""
        if not self.count:
            self.mean, self.spread = seconds, seconds / 2
        else:
            self.spread += _SPREAD_GAIN * (abs(seconds - self.mean) - self.spread)
            self.mean += _GAIN * (seconds - self.mean)
        self.count += 1

    @property
    def margin(self) -> float:
        """Seconds within which a round trip is all but sure to be over."""
        return self.mean + _SPREADS * self.spread


class ClockTracker:
    """Our own account of the table's clock.

    Args:
        clock: seconds an answer and a hand, until a table says otherwise.
        margin: seconds kept back from each answer at least; more where measured round trips ask for it.
        bank_share: how much of the bank that is left one decision may use, 0-1.
        clock_of: the clock of a table's type; None keeps ``clock``.
        trips: round trips, as they are measured.
    """

    def __init__(
        self,
        clock: Clock = NORMAL_CLOCK,
        margin: float = 0.5,
        bank_share: float = 0.5,
        clock_of: Callable[[GameType], Clock] | None = None,
        trips: RoundTrips | None = None,
    ) -> None:
        self.clock = clock
        self.bank = clock.bank
        self.trips = trips or RoundTrips()
        self._least_margin = margin
        self._share = bank_share
        self._clock_of = clock_of

    @property
    def margin(self) -> float:
        """Seconds kept back from each answer."""
        return max(self._least_margin, self.trips.margin)

    def sit(self, game_type: GameType) -> None:
        """A table was found: its type says which clock it has, whatever was sought."""
        if self._clock_of is not None:
            self.clock = self._clock_of(game_type)
            self.bank = self.clock.bank

    def start_kyoku(self) -> None:
        """The bank is full again."""
        self.bank = self.clock.bank

    def resume(self) -> None:
        """Back in the middle of a hand: what is left of its bank cannot be known, so that nothing is counted on."""
        self.bank = 0.0

    def allowance(self, waited: float = 0.0) -> float:
        """Seconds that the next decision may take, when the question has lain here for ``waited`` already."""
        return max(self.clock.action + self._share * self.bank - self.margin - waited, LEAST)

    def spend(self, seconds: float) -> None:
        """An answer took that long; what went beyond the seconds of an answer comes off the bank."""
        self.bank = max(self.bank - max(seconds + self.margin - self.clock.action, 0.0), 0.0)
