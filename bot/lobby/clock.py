"""A player's time: seconds for each answer, and a bank for each hand in addition."""

from __future__ import annotations

from collections.abc import Callable

from protocol.tenhou.game_type import Clock


class TurnClock:
    """Counts one player's time. ``now`` gives seconds on a clock that never goes back."""

    __slots__ = ("_allowance", "_bank", "_now", "_started")

    def __init__(self, allowance: Clock, now: Callable[[], float]) -> None:
        self._allowance = allowance
        self._now = now
        self._bank = allowance.bank
        self._started = 0.0

    @property
    def bank(self) -> float:
        """Seconds left in the bank."""
        return self._bank

    def refill(self) -> None:
        """Refill the bank at the beginning of a hand."""
        self._bank = self._allowance.bank

    def start(self) -> float:
        """Start the clock; returns the time at which it runs out."""
        self._started = self._now()
        return self._started + self._allowance.action + self._bank

    def stop(self) -> None:
        """Stop the clock; what exceeds the time of an answer is taken from the bank."""
        beyond = self._now() - self._started - self._allowance.action
        self._bank = max(0.0, self._bank - max(0.0, beyond))
