"""The shortest policy: it wins, passes, or throws away what it has drawn."""

from __future__ import annotations

from collections.abc import Sequence

from oshihiki import PASS, Action, Budget, Decider, Decision, GameState, forced


class Plain(Decider):
    """Without settings, memory or chance, a policy needs no ``__init__``."""

    name = "plain"

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose one of the legal actions."""
        del budget
        ready = forced(legal)
        if ready is not None:
            return ready
        drawn = [action for action in legal if action.tile == state.drawn]
        return Decision(PASS if PASS in legal else drawn[0] if drawn else legal[0])
