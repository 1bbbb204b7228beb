"""A policy with a fault: it discards a tile that does not exist, so that the fallback answers for it."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.actions import Action, ActionKind
from engine.policy.decision import Budget, Decider, Decision
from engine.state import GameState


class Illegal(Decider):
    """Every answer of it breaks the rules."""

    name = "illegal"

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose what nobody may do."""
        del state, legal, budget
        return Decision(Action(ActionKind.DISCARD, 999))
