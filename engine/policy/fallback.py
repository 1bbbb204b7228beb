"""The answer that is ready before any thought starts: cheap, always legal, never reckless."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.actions import PASS, WINS, Action, ActionKind
from engine.model.tiles import KINDS
from engine.policy.decision import Candidate, Decision
from engine.policy.quick.safety import genbutsu
from engine.shanten import discard_shanten
from engine.state import GameState


def fallback(state: GameState, legal: Sequence[Action]) -> Decision:
    """Take a win; pass a call; against riichi throw what is safe to most of them; else what the hand can best spare."""
    action, reason = _choose(state, legal)
    return Decision(action, (Candidate(action, 0.0),), mode="fallback", reasons=(reason,))


def _choose(state: GameState, legal: Sequence[Action]) -> tuple[Action, str]:
    win = next((action for action in legal if action.kind in WINS), None)
    if win is not None:
        return win, "a win is always taken"
    if PASS in legal:
        return PASS, "no time to think: pass"
    discards = [action for action in legal if action.kind is ActionKind.DISCARD]
    if not discards:
        return legal[0], "no time to think"
    safe = [genbutsu(state, seat) for seat in state.riichi_opponents]
    if safe:
        safety = [sum(seat[kind] for seat in safe) for kind in range(KINDS)]
        best = max(safety[action.tile >> 2] for action in discards)
        if best:
            safest = [action for action in discards if safety[action.tile >> 2] == best]
            return _drawn_first(safest, state.drawn), "no time to think: genbutsu"
    return _spared(state, discards), "no time to think: throws what leaves the hand nearest to complete"


def _spared(state: GameState, discards: Sequence[Action]) -> Action:
    """Of the tiles whose loss keeps the shanten lowest the drawn one, else one that others have least use for."""
    after = discard_shanten(state.counts, len(state.melds[state.seat]))
    least = min(after[action.tile >> 2] for action in discards)
    spare = [action for action in discards if after[action.tile >> 2] == least]
    return _drawn_first(sorted(spare, key=lambda action: -state.visible[action.tile >> 2]), state.drawn)


def _drawn_first(discards: Sequence[Action], drawn: int | None) -> Action:
    return next((action for action in discards if action.tile == drawn), discards[0])
