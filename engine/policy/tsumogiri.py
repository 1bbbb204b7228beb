"""The policy ``tsumogiri``, a baseline: discards the tile it drew, never wins and never calls."""

from collections.abc import Sequence

from engine.model.actions import PASS, Action, ActionKind
from engine.policy.decision import Budget, Decider, Decision
from engine.policy.forced import settled
from engine.policy.grounds import GroundKind, ground
from engine.state import GameState


class TsumogiriPolicy(Decider):
    """Discards the drawn tile, or the first legal discard if nothing was drawn."""

    name = "tsumogiri"

    def __init__(self, seed: int = 0) -> None:
        del seed  # nothing here is random

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Discard the drawn tile, or pass."""
        if PASS in legal:
            action = PASS
        else:
            discards = [action for action in legal if action.kind is ActionKind.DISCARD]
            action = next((one for one in discards if one.tile == state.drawn), discards[0])
        return settled(action, ground(GroundKind.DRAWN_TILE))
