"""The actions that ``value`` compares, and the grounds of its choice among them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Final

from engine.model.actions import Action, ActionKind
from engine.model.seats import by_score
from engine.model.tiles import format_tile, format_tile37
from engine.opponents.danger import Danger
from engine.policy.decision import Candidate
from engine.policy.explaining import amount, deal_in, does, hand_after, play, riichi_or_silent, risks_of, wins
from engine.policy.grounds import Ground, GroundKind, ground
from engine.policy.scene import Scene
from engine.policy.value.utility import Currency
from engine.state import GameState


@dataclass(frozen=True, slots=True)
class ActionValue:
    """A legal action with its worth relative to an aborted hand.

    Attributes:
        action: the action.
        attack: worth if the hand then attacks and the tile passes; None if it was not computed.
        push: worth if the hand then attacks, with the chance that the tile deals in; None if it was not computed.
        fold: the same if the hand then folds; None if that is not possible.
        lead: worth by which attacking must be ahead of folding. An action after which the hand cannot fold has lost it
            already, if the hand has folded before.
        folds: whether the hand folds after it, because attacking is not worth enough more.
        hopeless: whether an attack neither wins nor ends tenpai, by the chances at this table: then the hand folds.
        discard34: ``tile34`` that is discarded, also after a call; -1 if there is none.
        exposed34: ``tile34`` on which others may win, discarded or added to a kan; -1 if there is none.
        candidate: the figures that the decision shows.
    """

    action: Action
    attack: float | None
    push: float | None
    fold: float | None
    lead: float
    folds: bool
    hopeless: bool
    discard34: int
    exposed34: int
    candidate: Candidate

    @property
    def lean(self) -> float:
        """What strong play adds to its value."""
        return self.candidate.lean or 0.0


NOTABLE: Final = 0.01
"""Lowest chance to deal in that is mentioned while the hand pushes. A guess; it changes no decision."""
CLOSE_CALL: Final = 2_000.0
"""While the hand pushes, folding is mentioned if its worth is lower by no more than this many points, about those of a
cheap win. A guess; it changes no decision."""
LATE: Final = 1
"""The standing is mentioned while at most this many hands are to come. A guess; it changes no decision."""


def explain(
    ranked: Sequence[ActionValue], scene: Scene, danger: Danger, currency: Currency, *, folded_before: bool
) -> tuple[Ground, ...]:
    """The grounds for the first of the ranked actions, most important first.

    Args:
        ranked: the actions, best first.
        scene: scene of the decision.
        danger: the danger of each tile.
        currency: what the ends of the hand are worth.
        folded_before: whether the hand had folded before this decision.
    """
    best = ranked[0]
    return (
        _chosen(best, scene),
        *push_or_fold(ranked, currency, folded_before=folded_before),
        *_danger(best, scene, danger),
        *_prior(ranked, scene.state, currency),
        *_next_best(ranked, scene.state, currency),
        *_standing(scene.state),
    )


def in_points(worth: float, currency: Currency) -> Ground:
    """A worth in points, at the worth of a point at this table; in the objective's unit if a point is worth nothing."""
    if currency.per_point > 0:
        return amount(worth / currency.per_point, "points")
    return amount(worth, currency.objective.unit)


def _does(one: ActionValue, state: GameState) -> Ground:
    return does(state, one.action, one.discard34)


def _chosen(best: ActionValue, scene: Scene) -> Ground:
    does_it = _does(best, scene.state)
    if best.folds:
        return ground(GroundKind.FOLD, does=does_it)
    if best.action.kind is ActionKind.NINE_TERMINALS:
        return play(does_it, [ground(GroundKind.REDEAL)])
    chances = [] if best.candidate.p_win is None else [wins(best.candidate.p_win, best.candidate.win_points)]
    return play(does_it, [*hand_after(scene, best.action), *chances])


def push_or_fold(ranked: Sequence[ActionValue], currency: Currency, *, folded_before: bool) -> Iterator[Ground]:
    """The worth of the chosen side and of the best action of the other side, and what tipped a decision between them.

    They are what the actions are ranked by. Where the chosen side is worth less, or would be without strong play, that
    is said: a push needs a lead, a larger one after a fold, and a hopeless one is none.
    """
    best = ranked[0]
    if best.attack is None or best.fold is None:
        return
    others = [found for one in ranked if (found := _other_side(one, best, folded_before=folded_before)) is not None]
    if not others:
        return
    other, worth = max(others, key=itemgetter(1))
    push, fold = (worth, best.candidate.score) if best.folds else (best.candidate.score, worth)
    pushing, folding = in_points(push, currency), in_points(fold, currency)
    gap = other.candidate.value - best.candidate.value
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


def _other_side(one: ActionValue, best: ActionValue, *, folded_before: bool) -> tuple[ActionValue, float] | None:
    """An action with its worth on the side that was not chosen; None if it cannot take that side.

    What a hand that has folded is charged for an action after which it cannot fold is not taken off: it is the lead.
    """
    if one.folds is not best.folds:
        charged = one.lead if folded_before and one.fold is None else 0.0
        return one, one.candidate.score + charged
    worth = one.push if best.folds else one.fold
    return None if worth is None else (one, worth + one.lean)


def _danger(best: ActionValue, scene: Scene, danger: Danger) -> Iterator[Ground]:
    chance, loss = best.candidate.p_deal_in, best.candidate.expected_loss
    if chance is None or loss is None or (chance < NOTABLE and not best.folds):
        return
    in_hand = best.action.tile >> 2 == best.exposed34
    tile = format_tile(best.action.tile, scene.state.rules.red_fives) if in_hand else format_tile37(best.exposed34)
    found = deal_in(scene, best.exposed34, tile, chance, loss, risks_of(danger, scene.state.seat, best.exposed34))
    if found is not None:
        yield found


def _next_best(ranked: Sequence[ActionValue], state: GameState, currency: Currency) -> Iterator[Ground]:
    if len(ranked) < 2:
        return
    best = ranked[0]
    way = _OTHER_WAY.get(best.action.kind)
    twin = next((one for one in ranked if one.action.kind is way and one.discard34 == best.discard34), None)
    rival = twin or ranked[1]
    if rival.candidate.value > best.candidate.value:
        return  # the ground of the prior says so
    gap = in_points(best.candidate.score - rival.candidate.score, currency)
    mine, other = best.candidate.p_win, rival.candidate.p_win
    if twin is None or best.folds or twin.folds or mine is None or other is None:
        yield ground(GroundKind.NEXT_BEST, does=_does(rival, state), gap=gap)
    else:
        yield riichi_or_silent(
            best.action.kind, wins(mine, best.candidate.win_points), wins(other, twin.candidate.win_points), gap
        )
        yield from _later(best, twin)


def _later(best: ActionValue, twin: ActionValue) -> Iterator[Ground]:
    """The risk of being locked in riichi, beside that of staying silent."""
    riichi, silent = (best, twin) if best.action.kind is ActionKind.RIICHI else (twin, best)
    if riichi.candidate.p_later is not None and silent.candidate.p_later is not None:
        yield ground(GroundKind.LOCKED, riichi=riichi.candidate.p_later, silent=silent.candidate.p_later)


def _prior(ranked: Sequence[ActionValue], state: GameState, currency: Currency) -> Iterator[Ground]:
    """The choice of strong players, if it turned the decision."""
    best = ranked[0]
    rival = max(ranked, key=attrgetter("candidate.value"))
    mine, theirs = best.candidate, rival.candidate
    if rival is best or mine.prior is None or theirs.prior is None:
        return
    gap = in_points(theirs.value - mine.value, currency)
    yield ground(GroundKind.PRIOR, chance=mine.prior, does=_does(rival, state), gap=gap, other=theirs.prior)


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
