"""The budget that a decision used, in a form that reproduces it without a clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.model.budget import Budget


@dataclass(frozen=True, slots=True)
class Spent:
    """A budget as it was used. Policies ask whether it has expired at points that do not depend on time.

    Attributes:
        nodes: the bound on search nodes; None: there was none.
        asked: number of times that the policy asked whether time was up.
        expired_at: number of the first question, from 1, that was answered yes; None: none was.
    """

    nodes: int | None = None
    asked: int = 0
    expired_at: int | None = None

    def again(self) -> Budget:
        """A budget that gives the same answers to the same questions."""
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
        """The fields in JSON."""
        return {"nodes": self.nodes, "asked": self.asked, "expired_at": self.expired_at}


class BudgetMeter:
    """Counts the questions to its :attr:`budget`; for one thread."""

    def __init__(self, expired: Callable[[], bool], nodes: int | None = None) -> None:
        self._expired = expired
        self._asked = 0
        self._expired_at: int | None = None
        self.budget = Budget(nodes, self._ask)

    @property
    def spent(self) -> Spent:
        """The budget used so far."""
        return Spent(self.budget.nodes, self._asked, self._expired_at)

    def _ask(self) -> bool:
        self._asked += 1
        if self._expired_at is None and self._expired():
            self._expired_at = self._asked
        return self._expired_at is not None
