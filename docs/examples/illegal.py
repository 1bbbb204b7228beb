"""A policy with a fault: it discards a tile that does not exist, so that the fallback answers for it."""

from __future__ import annotations

from collections.abc import Sequence

from oshihiki import Action, ActionKind, Budget, Decider, Decision, GameState


class Illegal(Decider):
    """Every answer of it breaks the rules."""

    name = "illegal"

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose what nobody may do."""
        del state, legal, budget
        return Decision(Action(ActionKind.DISCARD, 999))
