"""A random player for trials, which takes every kind of legal action sooner or later."""

from __future__ import annotations

import random
from collections.abc import Sequence

from engine.model.actions import PASS, Action, ActionKind
from engine.policy.decision import Budget, Decider, Decision
from engine.state import GameState


class Anything(Decider):
    """Chooses a kind of action at random, then one of that kind, so calls are far more frequent than in play."""

    name = "anything"

    def __init__(self, seed: int = 0, *, chi: bool = False) -> None:
        """Create the player.

        Args:
            seed: seed of its choices.
            chi: whether it calls chi whenever possible and never pon, so that others often have priority.
        """
        self._rng = random.Random(seed)  # noqa: S311  nothing secret
        self._chi = chi

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Choose at random."""
        kinds: dict[ActionKind, list[Action]] = {}
        for action in legal:
            kinds.setdefault(action.kind, []).append(action)
        if self._chi and PASS in legal:
            kind = ActionKind.CHI if ActionKind.CHI in kinds else ActionKind.PASS
        else:
            kind = self._rng.choice(sorted(kinds))
        return Decision(self._rng.choice(kinds[kind]), mode="forced")
