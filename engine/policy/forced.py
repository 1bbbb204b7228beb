"""Answers that need no comparison: a win, the only legal answer, nine terminals, and the one that is ready at once."""

from collections.abc import Sequence
from typing import Final

from engine.model.actions import NINE_TERMINALS, PASS, WINS, Action, ActionKind
from engine.model.tiles import KINDS, TERMINALS_AND_HONOURS, format_tile
from engine.policy.decision import Candidate, Decision
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.pushfold_kernels import deals_again
from engine.policy.scene import Scene
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


def fallback(state: GameState, legal: Sequence[Action]) -> Decision:
    """Win; else pass; else discard the tile safe from the most riichi; else the one that the hand needs least."""
    return settled(*_choose(Scene(state, legal)), mode="fallback")


def _choose(scene: Scene) -> tuple[Action, Ground]:
    state, legal = scene.state, scene.legal
    win = winning(legal)
    if win is not None:
        return win, ground(GroundKind.WIN)
    if PASS in legal:
        return PASS, ground(GroundKind.FALLBACK_PASSES)
    discards = [action for action in legal if action.kind is ActionKind.DISCARD]
    if not discards:
        return legal[0], ground(GroundKind.FALLBACK_ANY)
    against = state.riichi_opponents
    if against:
        safety = [sum(scene.genbutsu[seat] >> kind & 1 for seat in against) for kind in range(KINDS)]
        best = max(safety[action.tile >> 2] for action in discards)
        if best:
            safest = _drawn_first([action for action in discards if safety[action.tile >> 2] == best], state.drawn)
            return safest, ground(GroundKind.FALLBACK_GENBUTSU, tile=_text(state, safest))
    spared = _spared(scene, discards)
    return spared, ground(GroundKind.FALLBACK_NEAREST, tile=_text(state, spared))


def _spared(scene: Scene, discards: Sequence[Action]) -> Action:
    """Of the discards that leave the lowest shanten the drawn tile, otherwise one of which most copies are visible."""
    after = scene.discards.shanten
    least = min(after[action.tile >> 2] for action in discards)
    spare = [action for action in discards if after[action.tile >> 2] == least]
    state = scene.state
    return _drawn_first(sorted(spare, key=lambda action: -state.visible[action.tile >> 2]), state.drawn)


def _text(state: GameState, discard: Action) -> str:
    return format_tile(discard.tile, state.rules.red_fives)


def _drawn_first(discards: Sequence[Action], drawn: int | None) -> Action:
    return next((action for action in discards if action.tile == drawn), discards[0])
