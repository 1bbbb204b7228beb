"""Answers that need no comparison: a win, the only legal answer, nine terminals with a bad hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.model.actions import NINE_TERMINALS, WINS, Action
from engine.model.tiles import TERMINALS_AND_HONOURS
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.pushfold_kernels import deals_again
from engine.state import GameState

FORCED: Final = "forced"
"""Mode of a decision in which nothing was compared."""


def settled(action: Action, why: Ground, mode: str = FORCED) -> Decision:
    """The decision for an action that was not compared with others."""
    return Decision(action, (Candidate(action, 0.0),), mode, (why,))


def winning(legal: Sequence[Action]) -> Action | None:
    """The win among the legal actions; None if there is none."""
    return next((action for action in legal if action.kind in WINS), None)


def forced(legal: Sequence[Action]) -> Decision | None:
    """The decision if there is nothing to compare: a win, or the only legal answer; None otherwise."""
    win = winning(legal)
    if win is not None:
        return settled(win, ground(GroundKind.WIN))
    if len(legal) == 1:
        return settled(legal[0], ground(GroundKind.ONLY_ANSWER))
    return None


def dealt_again(state: GameState, legal: Sequence[Action], shanten: int) -> Decision | None:
    """Nine terminals if it can be declared and the hand is far from a win and from thirteen orphans; else None."""
    if NINE_TERMINALS not in legal or not deals_again(_outer_kinds(state), shanten):
        return None
    return redealt(state, shanten)


def redealt(state: GameState, shanten: int) -> Decision:
    """The decision for nine terminals with a hand of that shanten."""
    why = ground(GroundKind.NINE_TERMINALS_FAR, kinds=_outer_kinds(state), shanten=shanten)
    return settled(NINE_TERMINALS, why)


def _outer_kinds(state: GameState) -> int:
    return sum(state.counts[kind] > 0 for kind in TERMINALS_AND_HONOURS)
