"""The grounds of a choice of ``value`` among the ways to answer."""

from collections.abc import Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import Final

from engine.model.actions import ActionKind
from engine.model.seats import by_score
from engine.model.tiles import format_tile, format_tile37
from engine.policy.decision import Candidate
from engine.policy.explaining import amount, deal_in, does, hand_after, play, riichi_or_silent, risks_of, wins
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.scene import Scene
from engine.policy.value.reading import Reading
from engine.policy.value.ways import Way
from engine.state import GameState
from engine.worth.currency import Currency

NOTABLE: Final = 0.01
"""Lowest chance to deal in that is mentioned while the hand pushes. A guess; it changes no decision."""
CLOSE_CALL: Final = 2_000.0
"""While the hand pushes, folding is mentioned if its worth is lower by no more than this many points, about those of a
cheap win. A guess; it changes no decision."""
LATE: Final = 1
"""The standing is mentioned while at most this many hands are to come. A guess; it changes no decision."""


def grounds(
    ranked: Sequence[Way], candidates: Sequence[Candidate], table: Reading, *, folded_before: bool
) -> tuple[Ground, ...]:
    """The grounds for the first of the ranked ways, most important first.

    Args:
        ranked: the ways to answer, best first.
        candidates: the figures that are shown of each.
        table: the reading of the table.
        folded_before: whether the hand had folded before this decision.
    """
    best, state, currency = ranked[0], table.scene.state, table.currency
    return (
        _chosen(best, candidates[0], table.scene),
        *push_or_fold(ranked, currency, folded_before=folded_before),
        *_danger(best, table),
        *_strong_play(ranked, state, currency),
        *_next_best(ranked, candidates, state, currency),
        *_standing(state),
    )


def in_points(worth: float, currency: Currency) -> Ground:
    """A worth in points, at the worth of a point at this table; in the objective's unit if a point is worth nothing."""
    if currency.per_point > 0:
        return amount(worth / currency.per_point, "points")
    return amount(worth, currency.objective.unit)


def _does(way: Way, state: GameState) -> Ground:
    return does(state, way.action, way.discard34)


def _chosen(best: Way, shown: Candidate, scene: Scene) -> Ground:
    does_it = _does(best, scene.state)
    if best.folds:
        return ground(GroundKind.FOLD, does=does_it)
    if best.action.kind is ActionKind.NINE_TERMINALS:
        return play(does_it, [ground(GroundKind.REDEAL)])
    chances = [] if shown.p_win is None else [wins(shown.p_win, shown.win_points)]
    return play(does_it, [*hand_after(scene, best.action), *chances])


def push_or_fold(ranked: Sequence[Way], currency: Currency, *, folded_before: bool) -> Iterator[Ground]:
    """The worth of the chosen side and of the best way on the other side, and what tipped a decision between them.

    They are what the ways are ranked by. Where the chosen side is worth less, or would be without strong play, that is
    said: a push needs a lead, a larger one after a fold, and a hopeless one is none.
    """
    best = ranked[0]
    if best.attack is None or best.fold is None:
        return
    others = [found for way in ranked if (found := _other_side(way, best, folded_before=folded_before)) is not None]
    if not others:
        return
    other, worth = max(others, key=itemgetter(1))
    push, fold = (worth, best.score) if best.folds else (best.score, worth)
    pushing, folding = in_points(push, currency), in_points(fold, currency)
    gap = other.value - best.value
    if best.folds and push > fold:
        if other.folds and other.hopeless:
            yield ground(GroundKind.FOLD_HOPELESS, push=pushing, fold=folding)
        else:
            lead = in_points(other.lead, currency)
            yield ground(
                GroundKind.FOLD_KEPT if folded_before else GroundKind.FOLD_CLOSE, push=pushing, fold=folding, lead=lead
            )
    elif other.folds is not best.folds and gap > 0.0:
        yield ground(
            GroundKind.FOLD_STRONG_PLAY if best.folds else GroundKind.PUSH_STRONG_PLAY,
            push=pushing,
            fold=folding,
            gap=in_points(gap, currency),
        )
    elif best.folds:
        yield ground(GroundKind.FOLD_WORTH, push=pushing, fold=folding)
    elif push >= fold > push - CLOSE_CALL * currency.per_point:
        yield ground(GroundKind.PUSH_WORTH, push=pushing, fold=folding)


def _other_side(way: Way, best: Way, *, folded_before: bool) -> tuple[Way, float] | None:
    """A way with its worth on the side that was not chosen; None if it cannot take that side.

    What a hand that has folded is charged for an action after which it cannot fold is not taken off: it is the lead.
    """
    if way.folds is not best.folds:
        charged = way.lead if folded_before and way.fold is None else 0.0
        return way, way.score + charged
    worth = way.attack if best.folds else way.fold
    return None if worth is None else (way, way.passes * worth + way.dealt + way.lean)


def _danger(best: Way, table: Reading) -> Iterator[Ground]:
    scene, tile34 = table.scene, best.exposed34
    if tile34 < 0 or (best.deal_in < NOTABLE and not best.folds):
        return
    in_hand = best.action.tile >> 2 == tile34
    tile = format_tile(best.action.tile, scene.state.rules.red_fives) if in_hand else format_tile37(tile34)
    risks = risks_of(table.danger, scene.state.seat, tile34)
    found = deal_in(scene, tile34, tile, best.deal_in, float(table.risks.loss[tile34]), risks)
    if found is not None:
        yield found


def _next_best(
    ranked: Sequence[Way], candidates: Sequence[Candidate], state: GameState, currency: Currency
) -> Iterator[Ground]:
    if len(ranked) < 2:
        return
    best = ranked[0]
    kind = _OTHER_WAY.get(best.action.kind)
    twin = next((at for at, way in enumerate(ranked) if way.action.kind is kind and way.discard34 == best.discard34), 0)
    rival = ranked[twin or 1]
    if rival.value > best.value:
        return  # the ground of strong play says so
    gap = in_points(best.score - rival.score, currency)
    mine, other = candidates[0], candidates[twin]
    if not twin or best.folds or rival.folds or mine.p_win is None or other.p_win is None:
        yield ground(GroundKind.NEXT_BEST, does=_does(rival, state), gap=gap)
        return
    yield riichi_or_silent(
        best.action.kind, wins(mine.p_win, mine.win_points), wins(other.p_win, other.win_points), gap
    )
    riichi, silent = (mine, other) if best.action.kind is ActionKind.RIICHI else (other, mine)
    if riichi.p_later is not None and silent.p_later is not None:
        yield ground(GroundKind.LOCKED, riichi=riichi.p_later, silent=silent.p_later)


def _strong_play(ranked: Sequence[Way], state: GameState, currency: Currency) -> Iterator[Ground]:
    """The choice of strong players, if it turned the decision."""
    best, rival = ranked[0], max(ranked, key=attrgetter("value"))
    if rival is best or best.prior is None or rival.prior is None:
        return
    gap = in_points(rival.value - best.value, currency)
    yield ground(GroundKind.PRIOR, chance=best.prior, does=_does(rival, state), gap=gap, other=rival.prior)


_OTHER_WAY: Final = {ActionKind.DISCARD: ActionKind.RIICHI, ActionKind.RIICHI: ActionKind.DISCARD}
"""The other way to discard a tile: silently or in riichi."""


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
