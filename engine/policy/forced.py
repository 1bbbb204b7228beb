"""Answers that need no weighing: a win, the only legal answer, a hand that is better dealt again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.model.actions import NINE_TERMINALS, WINS, Action
from engine.model.tiles import TERMINALS_AND_HONOURS
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Ground, GroundKind, ground
from engine.state import GameState

FORCED: Final = "forced"
"""Mode of a decision that weighed nothing."""
KOKUSHI_KINDS: Final = 11
"""With so many kinds of terminals and honours a first hand goes for thirteen orphans instead of a draw."""
NINE_TERMINALS_SHANTEN: Final = 3
"""A first hand at least this far away is drawn."""


def settled(action: Action, why: Ground, mode: str = FORCED) -> Decision:
    """The decision for an action that was compared with nothing."""
    return Decision(action, (Candidate(action, 0.0),), mode, (why,))


def winning(legal: Sequence[Action]) -> Action | None:
    """The win among the legal actions; None where there is none."""
    return next((action for action in legal if action.kind in WINS), None)


def forced(legal: Sequence[Action]) -> Decision | None:
    """The decision where there is nothing to weigh: a win, or the only legal answer; None otherwise."""
    win = winning(legal)
    if win is not None:
        return settled(win, ground(GroundKind.WIN))
    if len(legal) == 1:
        return settled(legal[0], ground(GroundKind.ONLY_ANSWER))
    return None


def dealt_again(state: GameState, legal: Sequence[Action], shanten: int) -> Decision | None:
    """Nine terminals, where they can be declared and the hand is far from a win and from thirteen orphans."""
    kinds = sum(state.counts[kind] > 0 for kind in TERMINALS_AND_HONOURS)
    if NINE_TERMINALS not in legal or kinds >= KOKUSHI_KINDS or shanten < NINE_TERMINALS_SHANTEN:
        return None
    return settled(NINE_TERMINALS, ground(GroundKind.NINE_TERMINALS_FAR, kinds=kinds, shanten=shanten))
