"""A player for trials: says whatever is legal, so that everything that can be said is said."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.model.actions import PASS, Action, ActionKind
from engine.policy.decision import Budget, Decider, Decision
from engine.state import GameState


class Anything(Decider):
    """Chooses a kind of answer at random, then one of that kind: calls come far more often than in play."""

    name = "anything"

    def __init__(self, seed: int = 0, *, chi: bool = False) -> None:
        """Sit down.

        Args:
            seed: of its chances.
            chi: say chi whenever that can be, and pon never: so that others could claim the tile with more right.
        """
        self._rng = random.Random(seed)  # noqa: S311  nothing secret
        self._chi = chi

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Choose."""
        kinds: dict[ActionKind, list[Action]] = {}
        for action in legal:
            kinds.setdefault(action.kind, []).append(action)
        if self._chi and PASS in legal:
            kind = ActionKind.CHI if ActionKind.CHI in kinds else ActionKind.PASS
        else:
            kind = self._rng.choice(sorted(kinds))
        return Decision(self._rng.choice(kinds[kind]), mode="forced")
