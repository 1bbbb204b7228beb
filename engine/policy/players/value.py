"""The default player: every action in one currency, what the end of the game is then expected to be worth.

An action is worth what follows it, less what the tile itself may cost::

    value = (1 - p) * (attack, or fold where attack is not worth enough more) + p * dealt

``p`` is the chance that its tile deals in (0 where none is thrown) and ``dealt`` the worth of the hand's end if it
does, both from the danger estimator; ``attack`` is what the DAG search finds the hand worth when it is played for its
win, and ``fold`` what is left when it is given up. What the search does not see of a tile held back is put in by
:mod:`engine.policy.worth.spare`. All of them are expected final results (with uma and oka, or in dan
points), less that of the same table were this hand void.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import numpy as np

from engine.model.actions import CALLS, DISCARDS, KANS, NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.rules import HANCHAN, Rules
from engine.opponents.danger import Danger
from engine.opponents.model import best_estimator
from engine.opponents.outcomes import outcomes_digest
from engine.policy.choices import by_choice
from engine.policy.decision import JSON, Budget, Candidate, Decider, Decision
from engine.policy.forced import forced, settled
from engine.policy.grounds import GroundKind, Note, ground
from engine.policy.players.settings import ValueSettings
from engine.policy.players.value_grounds import explain
from engine.policy.players.weighed import Weighed
from engine.policy.pushfold import Mode
from engine.policy.scene import Scene
from engine.policy.standing import StandingWorth
from engine.policy.worth import attack as search
from engine.policy.worth.attack import Floats, Survival
from engine.policy.worth.folding import fold_worths
from engine.policy.worth.kans import dearer, kan_in_reach, kan_toll, kept
from engine.policy.worth.objective import Objective, make_objective
from engine.policy.worth.placement import placement_model
from engine.policy.worth.risks import Risks, assess
from engine.policy.worth.spare import later_risk, spare_worths
from engine.policy.worth.standings import standing_worth
from engine.policy.worth.utility import Currency, Table, currency
from engine.search.discard_tables import discard_tables, discards_digest
from engine.search.evaluator import Evaluation, Worth
from engine.search.position import Position, PositionError
from engine.search.registry import make_evaluator
from engine.search.stakes import Stakes
from engine.state import GameState

OPEN_MARGIN: Final = 0.4
"""Of the margin that a call needs, what it needs of an open hand: that has no riichi to lose."""
STEEP: Final = (0.4, 2.5)
"""How far the danger estimate may bend the fitted course of survival."""


@dataclass(frozen=True, slots=True)
class _Basis:
    """What a decision is weighed by; ``spare``: worth of a tile of each kind held back, None where that is nothing."""

    scene: Scene
    currency: Currency
    danger: Danger
    risks: Risks
    survive: Survival
    spare: Floats | None = None


class ValuePolicy(Decider):
    """See the module."""

    name = "value"

    def __init__(self, seed: int = 0, settings: ValueSettings | None = None) -> None:
        del seed  # nothing here is random
        settings = settings or ValueSettings()
        self._estimator, plain_danger = best_estimator(settings.danger)
        utility, plain_utility = _best_utility(settings.utility)
        self._evaluator = make_evaluator(settings.evaluator)
        self._settings = replace(settings, danger=self._estimator.name, utility=utility)
        self.warning = "; ".join(filter(None, (plain_danger, plain_utility))) or None
        self._folded = False
        self.objective(HANCHAN)  # an objective that does not exist is refused now

    def settings(self) -> Mapping[str, JSON]:
        """The settings, and the weights by their digests."""
        weights = {**self._estimator.digests, **self._evaluator.digests}
        weights |= {"discards": discards_digest(), "outcomes": outcomes_digest()}
        if self._settings.utility != "points":
            weights["placement"] = placement_model().digest
        return {**asdict(self._settings), "weights": weights}

    def standing(self, rules: Rules, seat: int) -> StandingWorth:
        """The worth by which it values how a hand ends."""
        return standing_worth(self.objective(rules), rules, seat)

    def start_kyoku(self) -> None:
        """Attack again."""
        self._folded = False

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        scene = Scene(state, legal)
        answer = forced(legal) or self._too_far(scene)
        if answer is not None:
            return answer
        basis = self._basis(scene)
        weighed, evaluation = self._weigh(basis, budget)
        best = weighed[0]
        self._folded = best.folds
        return Decision(
            best.action,
            tuple(one.candidate for one in weighed),
            Mode.FOLD if best.folds else Mode.ATTACK,
            explain(weighed, scene, basis.danger, basis.currency),
            basis.currency.objective.unit,
            nodes=evaluation.nodes if evaluation else 0,
            noise=self._settings.noise * basis.currency.per_point,
            per_point=basis.currency.per_point,
        )

    def _too_far(self, scene: Scene) -> Decision | None:
        """Pass, where the hand is too far from a win to be opened; None where it is not."""
        if not scene.asked_to_call or scene.shanten <= self._settings.calls_from:
            return None
        return settled(PASS, ground(GroundKind.TOO_FAR_TO_CALL, shanten=scene.shanten))

    def objective(self, rules: Rules) -> Objective:
        """What is played for at a table with these rules."""
        return make_objective(self._settings.utility, rules, self._settings.dan, self._settings.room)

    def _basis(self, scene: Scene) -> _Basis:
        state = scene.state
        worth = currency(Table.of(state), self.objective(state.rules))
        danger = self._estimator.estimate(state)
        risks = assess(state, danger, worth)
        spare = self._spare(scene, danger, worth)
        return _Basis(scene, worth, danger, risks, _survival(scene.position, risks.lasts), spare)

    def _spare(self, scene: Scene, danger: Danger, worth: Currency) -> Floats | None:
        """Of the kinds in hand; None against a riichi: what tiles risk later they risk now, and the search knows it."""
        position = scene.position
        if not position.to_discard or position.riichi or position.riichi_against or not self._settings.spare:
            return None
        risk = later_risk(danger, scene.state.seat)
        found = spare_worths(
            position.counts, position.unseen, scene.facts.yakuhai, risk, position.draws_left, scene.shanten
        )
        return found * self._settings.spare * worth.per_point

    def _weigh(self, basis: _Basis, budget: Budget) -> tuple[list[Weighed], Evaluation | None]:
        """The legal actions, best first, one for each that nobody can tell apart."""
        scene = basis.scene
        evaluation = self._evaluate(basis, budget)
        worths = {worth.choice: worth for worth in evaluation.actions} if evaluation else {}
        found = (
            self._weigh_one(basis, action, worths.get(choice))
            for choice, action in by_choice(scene.legal, scene.state.drawn).items()
        )
        return sorted((one for one in found if one is not None), key=_order), evaluation

    def _evaluate(self, basis: _Basis, budget: Budget) -> Evaluation | None:
        scene = basis.scene
        if budget.nodes is None:
            asked = self._settings.call_nodes if scene.asked_to_call else self._settings.nodes
            budget = replace(budget, nodes=asked)
        stakes = _at_stake(basis)
        try:
            return search.attack(self._evaluator, scene.position, stakes, basis.currency.per_point, budget)
        except PositionError:
            return None

    def _weigh_one(self, basis: _Basis, action: Action, worth: Worth | None) -> Weighed | None:
        scene, risks, now = basis.scene, basis.risks, basis.currency.now
        fold = self._fold(basis, action)
        if action == NINE_TERMINALS:
            return Weighed(action, 0.0, None, False, -1, -1, Candidate(action, 0.0, note=Note.REDEAL))
        if worth is None and fold is None:
            return None
        value = worth.value if worth else None
        thrown = action.tile >> 2 if action.kind in DISCARDS else worth.then34 if worth else -1
        exposed = action.tile >> 2 if action.kind is ActionKind.KAKAN else thrown
        own = int(action.kind is ActionKind.RIICHI)
        chance = float(risks.deal_in[exposed]) if exposed >= 0 else 0.0
        folds = self._folds(value, fold, basis.currency)
        way = fold if folds or value is None else value
        after = (1.0 - chance) * (way or 0.0) + (chance * (float(risks.dealt[own, exposed]) - now) if chance else 0.0)
        if self._folded and fold is None:  # a riichi or a call is no way to go on folding
            after -= self._settings.stay_folded * basis.currency.per_point
        if basis.spare is not None and action.kind is ActionKind.DISCARD and not folds:
            after -= float(basis.spare[thrown])
        if action.kind in CALLS:
            margin = self._settings.call_margin * (1.0 if scene.position.closed else OPEN_MARGIN)
            after -= margin * basis.currency.per_point
        discards = action.kind in DISCARDS
        candidate = Candidate(
            action,
            after,
            p_win=worth.p_win if worth else None,
            p_deal_in=chance if exposed >= 0 else None,
            expected_loss=float(risks.loss[exposed]) if exposed >= 0 else None,
            shanten=scene.discard_shanten[thrown] if discards else None,
            ukeire=scene.improvements_after(thrown).total if discards else None,
            note=_note(scene, action, folds=folds),
        )
        return Weighed(action, value, fold, folds, thrown, exposed, candidate, worth.win_points if worth else None)

    def _fold(self, basis: _Basis, action: Action) -> float | None:
        """The worth of giving the hand up after this action, over the hand being void."""
        if action.kind is not ActionKind.DISCARD and action != PASS:
            return None
        held = list(basis.scene.state.counts)
        if action.kind is ActionKind.DISCARD:
            held[action.tile >> 2] -= 1
        return float(fold_worths(held, basis.risks, basis.survive[0])[-1]) - basis.currency.now

    def _folds(self, attack: float | None, fold: float | None, currency: Currency) -> bool:
        if attack is None or fold is None:
            return attack is None
        margin = self._settings.stay_folded if self._folded else self._settings.fold_within
        return attack - fold < margin * currency.per_point


def _best_utility(name: str) -> tuple[str, str | None]:
    """The utility, or points alone and why: all others need the table of final ranks."""
    if name == "points":
        return name, None
    try:
        placement_model()
    except ValueError as error:
        return "points", f"playing for points alone: {error}"
    return name, None


def _order(one: Weighed) -> tuple[float, float]:
    """Best first; of equally safe tiles the one that keeps more of the hand."""
    return -one.value, -(one.attack or 0.0)


def _survival(position: Position, lasts: float) -> Survival:
    """``[own riichi][d]``: chance that no other ends the hand in a go-around.

    The fitted course over the turns, so steep that the wall runs out with the chance ``lasts``.
    """
    draws = range(position.draws_left + 1)
    fitted = [
        np.array([discard_tables().survival(position, left, riichi) for left in draws]) for riichi in (False, True)
    ]
    whole = float(np.log(fitted[0][1:]).sum())
    steep = np.log(max(lasts, 1e-3)) / whole if whole < 0 else 1.0
    plain, riichi = (tuple((course ** float(np.clip(steep, *STEEP))).tolist()) for course in fitted)
    return plain, riichi


def _at_stake(basis: _Basis) -> Stakes:
    """The stakes of the table, and those that hold after each kan that can be made now.

    After a kan the others' wins are dearer, and its tiles can be thrown no more.
    """
    state = basis.scene.state
    stakes = _stakes(basis, basis.risks, state.counts)
    if not kan_in_reach(state):
        return stakes
    risks = assess(state, dearer(basis.danger, state), basis.currency)
    toll = kan_toll(stakes, _stakes(basis, risks, state.counts), basis.scene.shanten)
    kans = [action for action in basis.scene.legal if action.kind in KANS]
    after = tuple((kan.tile >> 2, replace(_stakes(basis, risks, kept(state, kan)), kan_toll=toll)) for kan in kans)
    return replace(stakes, kan_toll=toll, kans=after)


def _stakes(basis: _Basis, risks: Risks, held34: Sequence[int]) -> Stakes:
    """The stakes of the table; ``held34``: the tiles from which the hand may be given up later."""
    fold = fold_worths(held34, risks, basis.survive[0]) - basis.currency.now
    return search.stakes_of(basis.scene.position, basis.currency, risks, basis.survive, fold.tolist())


def _note(scene: Scene, action: Action, *, folds: bool) -> Note | None:
    if folds:
        return Note.FOLD
    silent = action.kind is ActionKind.DISCARD and scene.position.closed and not scene.position.riichi
    return Note.SILENT if silent and scene.discard_shanten[action.tile >> 2] == 0 else None
