"""A player's time: so much for each answer, and a bank for each hand on top."""

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
        """A hand begins: the bank is full again."""
        self._bank = self._allowance.bank

    def start(self) -> float:
        """The player is asked; returns when its time is up."""
        self._started = self._now()
        return self._started + self._allowance.action + self._bank

    def stop(self) -> None:
        """The player has answered, or its time is up: what went beyond the answer's time comes out of the bank."""
        beyond = self._now() - self._started - self._allowance.action
        self._bank = max(0.0, self._bank - max(0.0, beyond))
