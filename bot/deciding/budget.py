"""The budget that a decision used, in a form that reproduces it without a clock."""

from dataclasses import dataclass

from engine.model.budget import Budget


@dataclass(frozen=True, slots=True)
class Spent:
    """A budget as it was used. Policies ask whether it has expired at points that do not depend on time."""

    nodes: int | None = None  # the bound on search nodes; None: there was none
    asked: int = 0  # number of times that the policy asked whether time was up
    expired_at: int | None = None  # number of the first question, from 1, that was answered yes; None: none was

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
