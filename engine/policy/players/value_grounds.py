"""The grounds of the policy ``value``: what is done, what it brings, what it risks, what the next best is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.model.actions import ActionKind
from engine.model.seats import by_score
from engine.model.tiles import format_tile, format_tile37
from engine.opponents.danger import Danger
from engine.policy.explaining import amount, does, hand_after, play, riichi_or_silent, wins
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.players.weighed import Weighed
from engine.policy.safety import deal_in, risks_of
from engine.policy.scene import Scene
from engine.policy.worth.utility import Currency
from engine.state import GameState

NOTABLE: Final = 0.01
"""While the hand pushes, a chance to deal in below this is not mentioned."""
CLOSE_CALL: Final = 2_000.0
"""While the hand pushes, folding is mentioned where it is worth less by no more than this many points: about what a
cheap win brings, so that one more danger or one less tile could turn the decision."""
LATE: Final = 1
"""The standing is mentioned while at most so many hands are to come."""


def explain(weighed: Sequence[Weighed], scene: Scene, danger: Danger, currency: Currency) -> tuple[Ground, ...]:
    """Why the first of the weighed actions is chosen; the most important ground first."""
    best = weighed[0]
    return (
        _chosen(best, scene),
        *_push_or_fold(best, currency),
        *_danger(best, scene, danger),
        *_next_best(weighed, scene.state, currency),
        *_standing(scene.state),
    )


def in_points(worth: float, currency: Currency) -> Ground:
    """A worth in points, at what a point is worth on this table; in the objective's unit where that is nothing."""
    if currency.per_point > 0:
        return amount(worth / currency.per_point, "points")
    return amount(worth, currency.objective.unit)


def _does(one: Weighed, state: GameState) -> Ground:
    return does(state, one.action, one.thrown)


def _chosen(best: Weighed, scene: Scene) -> Ground:
    does_it = _does(best, scene.state)
    if best.folds:
        return ground(GroundKind.FOLD, does=does_it)
    if best.action.kind is ActionKind.NINE_TERMINALS:
        return play(does_it, [ground(GroundKind.REDEAL)])
    chances = [] if best.candidate.p_win is None else [wins(best.candidate.p_win, best.win_points)]
    return play(does_it, [*hand_after(scene, best.action), *chances])


def _push_or_fold(best: Weighed, currency: Currency) -> Iterator[Ground]:
    if best.attack is None or best.fold is None:
        return
    push, fold = in_points(best.attack, currency), in_points(best.fold, currency)
    if best.folds:
        yield ground(GroundKind.FOLD_WORTH, fold=fold, push=push)
    elif best.fold > best.attack - CLOSE_CALL * currency.per_point:
        yield ground(GroundKind.PUSH_WORTH, push=push, fold=fold)


def _danger(best: Weighed, scene: Scene, danger: Danger) -> Iterator[Ground]:
    chance, loss = best.candidate.p_deal_in, best.candidate.expected_loss
    if chance is None or loss is None or (chance < NOTABLE and not best.folds):
        return
    goes = best.action.tile >> 2 == best.exposed
    tile = format_tile(best.action.tile, scene.state.rules.red_fives) if goes else format_tile37(best.exposed)
    found = deal_in(scene, best.exposed, tile, chance, loss, risks_of(danger, scene.state.seat, best.exposed))
    if found is not None:
        yield found


def _next_best(weighed: Sequence[Weighed], state: GameState, currency: Currency) -> Iterator[Ground]:
    if len(weighed) < 2:
        return
    best = weighed[0]
    twin = next((one for one in weighed[1:] if _other_way(best, one)), None)
    rival = twin or weighed[1]
    gap = in_points(best.value - rival.value, currency)
    mine, other = best.candidate.p_win, rival.candidate.p_win
    if twin is None or best.folds or twin.folds or mine is None or other is None:
        yield ground(GroundKind.NEXT_BEST, does=_does(rival, state), gap=gap)
    else:
        yield riichi_or_silent(best.action.kind, wins(mine, best.win_points), wins(other, twin.win_points), gap)


def _other_way(best: Weighed, one: Weighed) -> bool:
    """The same tile with or without riichi."""
    kinds = {best.action.kind, one.action.kind}
    return kinds == {ActionKind.DISCARD, ActionKind.RIICHI} and best.thrown == one.thrown


def _standing(state: GameState) -> Iterator[Ground]:
    left = state.rules.last_kyoku - state.kyoku
    if left > LATE:
        return
    mine = state.scores[state.seat]
    order = by_score(state.scores)
    place = order.index(state.seat) + 1
    found = [ground(GroundKind.PLACE, place=place, points=mine)]
    if place > 1:
        found.append(ground(GroundKind.BEHIND, points=state.scores[order[place - 2]] - mine, place=place - 1))
    if place < 4:
        found.append(ground(GroundKind.AHEAD, points=mine - state.scores[order[place]], place=place + 1))
    yield ground(GroundKind.LAST_HAND if left <= 0 else GroundKind.NEXT_TO_LAST_HAND, standing=tuple(found))
