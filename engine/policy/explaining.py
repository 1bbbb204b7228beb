"""Grounds that several policies share: the action, its prospects, and the next best action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.model.actions import DISCARDS, PASS, Action, ActionKind
from engine.model.tiles import format_tile, format_tile37, format_tiles, format_tiles37
from engine.policy.decision import Candidate
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.pushfold import Mode
from engine.policy.scene import Scene
from engine.search.evaluator import Worth
from engine.state import GameState

_DOES: Final = {kind: GroundKind(kind.name.lower()) for kind in ActionKind}
_WITHOUT_TILE: Final = frozenset((ActionKind.TSUMO, ActionKind.NINE_TERMINALS, ActionKind.PASS))


def does(state: GameState, action: Action, then34: int = -1) -> Ground:
    """The ground for an action; ``then34`` is the kind discarded after a call, -1 for none."""
    kind = _DOES[action.kind]
    if action.kind in _WITHOUT_TILE:
        return ground(kind)
    tile = format_tile(action.tile, state.rules.red_fives)
    if action.kind is ActionKind.CHI:
        call = ground(kind, tile=tile, own=format_tiles(action.own, state.rules.red_fives))
    else:
        call = ground(kind, tile=tile)
    if action.own and then34 >= 0:
        return ground(GroundKind.CALL_AND_DISCARD, call=call, tile=format_tile37(then34))
    return call


def amount(value: float, unit: str) -> Ground:
    """The ground for a value in a unit."""
    if unit == "points":
        return ground(GroundKind.POINTS, points=float(value))
    return ground(GroundKind.AMOUNT, amount=float(value), unit=unit)


def hand_after(scene: Scene, action: Action) -> tuple[Ground, ...]:
    """The shanten and ukeire, or the waits, after a discard or a pass; nothing for other actions."""
    if action.kind not in DISCARDS and action != PASS:
        return ()
    found = scene.improvements if action == PASS else scene.improvements_after(action.tile >> 2)
    return (distance(found.shanten, [kind for kind, _ in found.tiles], found.total),)


def distance(shanten: int, kinds: Sequence[int], left: int) -> Ground:
    """The ground for the distance of a hand from a win: its shanten and ukeire, or its waits.

    Args:
        shanten: shanten of the hand.
        kinds: the ``tile34`` that improve it.
        left: number of unseen copies of these kinds.
    """
    if shanten > 0:
        return ground(GroundKind.DISTANCE, shanten=shanten, ukeire=left)
    if not kinds:
        return ground(GroundKind.NO_WAITS)
    return ground(GroundKind.WAITS, waits=format_tiles37(kinds), left=left)


def wins(chance: float, points: float | None) -> Ground:
    """The ground for a chance to win, 0-1, with the mean points of a win if they are known."""
    if not points:
        return ground(GroundKind.WINS, chance=float(chance))
    return ground(GroundKind.WINS_OF, chance=float(chance), points=float(points))


def play(act: Ground, prospects: Sequence[Ground]) -> Ground:
    """The ground for an action together with its prospects."""
    return ground(GroundKind.PLAY, does=act, prospects=tuple(prospects)) if prospects else act


def riichi_or_silent(kind: ActionKind, mine: Ground, other: Ground, gap: Ground) -> Ground:
    """The ground that compares riichi with silent tenpai.

    Args:
        kind: RIICHI if that is chosen, otherwise DISCARD.
        mine: chance to win and mean points of the chosen way.
        other: the same for the other way.
        gap: by how much the chosen way is better.
    """
    if kind is ActionKind.RIICHI:
        return ground(GroundKind.RIICHI_BETTER, riichi=mine, silent=other, gap=gap)
    return ground(GroundKind.SILENT_BETTER, riichi=other, silent=mine, gap=gap)


def pushes(riichi: int, shanten: int) -> Ground:
    """The ground that, by the push/fold table, the hand pushes against ``riichi`` opponents."""
    return ground(GroundKind.PUSHES_AGAINST, riichi=riichi, shanten=shanten)


def folds(riichi: int, shanten: int, before: Mode, threats: int = 0) -> Ground:
    """The ground that the hand folds by the push/fold table, or has folded before; ``threats`` include the riichi."""
    if before is Mode.FOLD:
        return ground(GroundKind.FOLDED_BEFORE)
    if threats > riichi:
        return ground(GroundKind.FOLDS_AGAINST_THREATS, threats=threats, shanten=shanten)
    return ground(GroundKind.FOLDS_AGAINST, riichi=riichi, shanten=shanten)


def searched(scene: Scene, ranked: Sequence[tuple[Candidate, Worth]], unit: str) -> tuple[Ground, ...]:
    """The grounds for the first of these candidates, by the worths that an evaluator found; best first."""
    best, worth = ranked[0]
    prospects = [ground(GroundKind.WORTH, value=amount(best.value, unit)), *hand_after(scene, best.action)]
    if worth.p_win is not None:
        prospects.append(wins(worth.p_win, worth.win_points))
    found = [play(does(scene.state, best.action, worth.then34), prospects)]
    if len(ranked) > 1:
        rival, its_worth = ranked[1]
        gap = amount(best.value - rival.value, unit)
        found.append(ground(GroundKind.NEXT_BEST, does=does(scene.state, rival.action, its_worth.then34), gap=gap))
    return tuple(found)
