"""What a decision spent: enough to give it the same budget again, without a clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.model.budget import Budget


@dataclass(frozen=True, slots=True)
class Spent:
    """A budget as it was used up. Policies ask whether it has expired at places that do not depend on time.

    Attributes:
        nodes: the bound on search nodes that was given; None for none.
        asked: how often it was asked whether time was up.
        expired_at: the first ask, from 1, that was answered yes; None: none was.
    """

    nodes: int | None = None
    asked: int = 0
    expired_at: int | None = None

    def again(self) -> Budget:
        """A budget that says the same at the same asks."""
        last = self.expired_at
        if last is None:
            return Budget(self.nodes)
        asked = 0

        def expired() -> bool:
            nonlocal asked
            asked += 1
            return asked >= last

        return Budget(self.nodes, expired)

    def fields(self) -> dict[str, Any]:
        """As JSON holds it."""
        return {"nodes": self.nodes, "asked": self.asked, "expired_at": self.expired_at}


class BudgetMeter:
    """Counts how often its :attr:`budget` is asked; for one thread."""

    def __init__(self, expired: Callable[[], bool], nodes: int | None = None) -> None:
        self._expired = expired
        self._asked = 0
        self._expired_at: int | None = None
        self.budget = Budget(nodes, self._ask)

    @property
    def spent(self) -> Spent:
        """What was used up so far."""
        return Spent(self.budget.nodes, self._asked, self._expired_at)

    def _ask(self) -> bool:
        self._asked += 1
        if self._expired_at is None and self._expired():
            self._expired_at = self._asked
        return self._expired_at is not None
