"""The baseline: throws what it drew, wins nothing, calls nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.model.actions import PASS, Action, ActionKind
from engine.policy.decision import Budget, Candidate, Decision
from engine.state import GameState


class TsumogiriPolicy:
    """Discards the drawn tile; after nothing was drawn, the first legal discard."""

    name: Final = "tsumogiri"

    def __init__(self, seed: int = 0) -> None:
        del seed  # nothing here is random

    def start_kyoku(self) -> None:
        """Nothing to forget."""

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Throw the drawn tile, or pass."""
        action = cheapest(legal, state.drawn)
        return Decision(action, (Candidate(action, 0.0),), mode="forced", reasons=("always throws the drawn tile",))


def cheapest(legal: Sequence[Action], drawn: int | None) -> Action:
    """The answer that needs no thought and commits to nothing: pass, else tsumogiri, else the first discard."""
    if PASS in legal:
        return PASS
    discards = [action for action in legal if action.kind is ActionKind.DISCARD]
    return next((action for action in discards if action.tile == drawn), (discards or list(legal))[0])
