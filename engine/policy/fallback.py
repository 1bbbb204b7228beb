"""The answer that is ready before a search starts: cheap, always legal, never reckless."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.actions import PASS, Action, ActionKind
from engine.model.tiles import KINDS, format_tile
from engine.policy.decision import Decision
from engine.policy.forced import settled, winning
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.scene import Scene
from engine.state import GameState


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
    after = scene.discard_shanten
    least = min(after[action.tile >> 2] for action in discards)
    spare = [action for action in discards if after[action.tile >> 2] == least]
    state = scene.state
    return _drawn_first(sorted(spare, key=lambda action: -state.visible[action.tile >> 2]), state.drawn)


def _text(state: GameState, discard: Action) -> str:
    return format_tile(discard.tile, state.rules.red_fives)


def _drawn_first(discards: Sequence[Action], drawn: int | None) -> Action:
    return next((action for action in discards if action.tile == drawn), discards[0])
