"""The time for a decision: seconds for each answer and a bank for each hand, less the round trip to the server."""

from collections.abc import Callable
from typing import Final

from protocol.tenhou.game_type import NORMAL_CLOCK, Clock, GameType

LEAST: Final = 0.05
"""Minimum seconds for a decision, even if the margin is larger."""
_GAIN: Final = 1 / 8
_SPREAD_GAIN: Final = 1 / 4
_SPREADS: Final = 4.0
"""Weights of a new round trip and of its deviation, and the deviations in a margin; those of TCP (RFC 6298)."""


class RoundTrips:
    """Round trips to the server, measured by pings.

    Attributes:
        mean, spread: smoothed seconds and their smoothed deviation; 0 before the first.
        count: number of measurements.
    """

    def __init__(self) -> None:
        self.mean = 0.0
        self.spread = 0.0
        self.count = 0

    def add(self, seconds: float) -> None:
        """Add a measurement."""
        if not self.count:
            self.mean, self.spread = seconds, seconds / 2
        else:
            self.spread += _SPREAD_GAIN * (abs(seconds - self.mean) - self.spread)
            self.mean += _GAIN * (seconds - self.mean)
        self.count += 1

    @property
    def margin(self) -> float:
        """Seconds within which a round trip is almost certain to be over."""
        return self.mean + _SPREADS * self.spread


class ClockTracker:
    """Keeps account of the table's clock.

    Args:
        clock: seconds for an answer and for a hand, until a table is found.
        margin: minimum seconds kept back from each answer; more if measured round trips require it.
        bank_share: share of the remaining bank that one decision may use, 0 to 1.
        clock_of: gives the clock of a table's type; None keeps ``clock``.

    Attributes:
        clock: the seconds that hold now.
        bank: seconds left of those for the hand.
        trips: round trips, as they are measured.
    """

    def __init__(
        self,
        clock: Clock = NORMAL_CLOCK,
        margin: float = 0.5,
        bank_share: float = 0.5,
        clock_of: Callable[[GameType], Clock] | None = None,
    ) -> None:
        self.clock = clock
        self.bank = clock.bank
        self.trips = RoundTrips()
        self._least_margin = margin
        self._share = bank_share
        self._clock_of = clock_of

    @property
    def margin(self) -> float:
        """Seconds kept back from each answer."""
        return max(self._least_margin, self.trips.margin)

    def sit(self, game_type: GameType) -> None:
        """Take the clock of the table that was found."""
        if self._clock_of is not None:
            self.clock = self._clock_of(game_type)
            self.bank = self.clock.bank

    def start_kyoku(self) -> None:
        """Fill the bank for a new hand."""
        self.bank = self.clock.bank

    def resume(self) -> None:
        """Take the bank as empty: how much of it is left is unknown when play resumes within a hand."""
        self.bank = 0.0

    def allowance(self, waited: float = 0.0) -> float:
        """Seconds that the next decision may take if the prompt arrived ``waited`` seconds ago."""
        return max(self.clock.action + self._share * self.bank - self.margin - waited, LEAST)

    def spend(self, seconds: float) -> None:
        """Take from the bank what an answer took beyond the seconds of an answer."""
        self.bank = max(self.bank - max(seconds + self.margin - self.clock.action, 0.0), 0.0)
