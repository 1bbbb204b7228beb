"""The policy ``value``, the default: values every action in one currency, the expected result of the game.

The value of an action is::

    value = (1 - p) * (attack, or fold if attack is not worth enough more) + p * dealt

``p`` is the chance that its tile deals in (0 if none is discarded) and ``dealt`` the worth of the hand's end if it
does, both from the danger estimator. ``attack`` is the worth that the evaluator finds if the hand is played for a win,
and ``fold`` the worth if it folds. Added is what the search does not see: the value of keeping a tile
(:mod:`engine.policy.value.keeping`), and what strong play would choose (:mod:`engine.policy.value.strong_play`). All of
them are expected final results (with uma and oka, or in dan points), less the expected result if this hand were
aborted.

:meth:`ValuePolicy.decide` is the course of a decision, and below it stands the formula. What is only shown is computed
afterwards from the same numbers (:mod:`engine.policy.value.explain`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TypeVar

from engine.model.actions import DISCARDS, NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.rules import HANCHAN, Rules
from engine.model.standing import StandingWorth
from engine.networks.chances import shipped_chance_weights, shipped_chances
from engine.networks.imitation import shipped_network, shipped_weights
from engine.opponents.outcomes import outcomes_digest
from engine.opponents.registry import best_estimator
from engine.policy.decision import JSON, Budget, Decider, Decision
from engine.policy.forced import forced, settled
from engine.policy.grounds import GroundKind, ground
from engine.policy.scene import Scene, by_choice
from engine.policy.settings import LEARNED, ValueSettings
from engine.policy.value.attack import attack
from engine.policy.value.explain import explain
from engine.policy.value.reading import Reading, read_table
from engine.policy.value.strong_play import decides_the_course, lean
from engine.policy.value.ways import Way
from engine.search.discard_tables import discards_digest
from engine.search.evaluator import Evaluation, Worth
from engine.search.position import PositionError
from engine.search.registry import make_evaluator
from engine.state import GameState
from engine.tables import WeightsError
from engine.worth.currency import standing_worth
from engine.worth.objective import Objective, make_objective
from engine.worth.placement import placement_model

T = TypeVar("T")


class ValuePolicy(Decider):
    """See the module."""

    name = "value"

    def __init__(self, seed: int = 0, settings: ValueSettings | None = None) -> None:
        del seed  # nothing here is random
        settings = settings or ValueSettings()
        self._estimator, plain_danger = best_estimator(settings.danger)
        self._evaluator = make_evaluator(settings.evaluator)
        _, no_ranks = _or_without(placement_model, "playing for points alone", settings.utility != "points")
        self._strong_play, no_strong_play = _or_without(
            lambda: shipped_network(LEARNED), "strong play does not count", settings.learned > 0
        )
        self._chances, no_chances = _or_without(shipped_chances, "the tiles to come are those of an average table")
        self.warning = "; ".join(filter(None, (plain_danger, no_ranks, no_strong_play, no_chances))) or None
        utility = "points" if no_ranks else settings.utility
        self._settings = replace(settings, danger=self._estimator.name, utility=utility)
        self._folded = False
        self.objective(HANCHAN)  # an objective that does not exist is refused now

    def start_kyoku(self) -> None:
        """Start a new hand, which has not folded."""
        self._folded = False

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        scene = Scene(state, legal)
        answer = forced(legal) or self._too_far(scene)
        if answer is not None:
            return answer
        table = read_table(scene, self._estimator.estimate(state), self.objective(state.rules), self._chances)
        found = self._search(table, budget)
        worths = {worth.choice: worth for worth in found.actions}
        answers = by_choice(legal, state.drawn)  # one of those that look alike
        ways = [self._weigh(table, action, worths.get(choice)) for choice, action in answers.items()]
        ranked = self._ranked(scene, [way for way in ways if way is not None], table.per_point)
        folded_before, self._folded = self._folded, ranked[0].folds
        return explain(ranked, table, found, self._settings.noise, folded_before=folded_before)

    def _too_far(self, scene: Scene) -> Decision | None:
        """Passing, if the hand is too far from a win to be opened; None otherwise."""
        if not scene.asked_to_call or scene.shanten <= self._settings.calls_from:
            return None
        return settled(PASS, ground(GroundKind.TOO_FAR_TO_CALL, shanten=scene.shanten))

    def _search(self, table: Reading, budget: Budget) -> Evaluation:
        """The worth of attacking after each action; of no action if the position cannot be evaluated."""
        scene = table.scene
        if budget.nodes is None:
            budget = replace(budget, nodes=self._settings.call_nodes if scene.asked_to_call else self._settings.nodes)
        try:
            return attack(self._evaluator, scene.position, table.stakes, table.per_point, budget)
        except PositionError:
            return Evaluation(self._evaluator.name, ())

    def _weigh(self, table: Reading, action: Action, worth: Worth | None) -> Way | None:
        """An action with its value; None if the hand can neither attack nor fold after it.

        Args:
            table: the reading of the table.
            action: the action.
            worth: the worth of attacking after it; None if it was not evaluated.
        """
        if action == NINE_TERMINALS:
            return Way(action)  # worth 0: it aborts the hand
        discard34 = action.tile >> 2 if action.kind in DISCARDS else worth.then34 if worth else -1
        exposed34 = action.tile >> 2 if action.kind is ActionKind.KAKAN else discard34
        attack = worth.value if worth else None
        fold = None  # a hand that makes a call or declares riichi does not fold
        if action.kind is ActionKind.DISCARD or action.kind is ActionKind.PASS:
            fold = float(table.fold[discard34, -1])  # of a pass the last row: all tiles are kept

        # To attack, a hand must be ahead of folding by a lead, which is larger once it has folded, so that it does not
        # change its mind for little. An attack that comes to nothing is a fold.
        lead = table.per_point * (self._settings.stay_folded if self._folded else self._settings.fold_within)
        hopeless = worth is not None and worth.p_win == worth.p_tenpai == 0.0
        if fold is not None and (attack is None or hopeless or attack - fold < lead):
            folds, after = True, fold
        elif attack is not None:
            folds, after = False, attack
        else:
            return None

        deal_in, dealt = table.dealt(exposed34)
        keep = comeback = 0.0
        if table.keep is not None and action.kind is ActionKind.DISCARD and not folds:
            keep = -float(table.keep[discard34])
        if self._folded and fold is None:
            comeback = -lead  # what cannot go on folding has lost the lead
        value = (1.0 - deal_in) * after + dealt + (keep + comeback)
        return Way(
            action,
            worth,
            fold,
            discard34=discard34,
            exposed34=exposed34,
            deal_in=deal_in,
            dealt=dealt,
            lead=lead,
            hopeless=hopeless,
            folds=folds,
            keep=keep,
            comeback=comeback,
            value=value,
        )

    def _ranked(self, scene: Scene, ways: list[Way], per_point: float) -> list[Way]:
        """The ways, best first, with the lean of strong play; equal ones by the worth of attacking."""
        if self._strong_play is not None and len(ways) > 1:
            unit = self._settings.learned * per_point
            if decides_the_course(scene, ways):
                unit *= self._settings.learned_course
            ways = lean(ways, self._strong_play, scene, unit)
        return sorted(ways, key=lambda way: (-way.score, -(way.attack or 0.0)))

    def settings(self) -> Mapping[str, JSON]:
        """The settings, and the weights by their digests."""
        weights = {**self._estimator.digests, **self._evaluator.digests}
        weights |= {"discards": discards_digest(), "outcomes": outcomes_digest()}
        if self._settings.utility != "points":
            weights["placement"] = placement_model().digest
        if self._chances is not None:
            weights["chances"] = shipped_chance_weights().digest()
        if self._strong_play is not None:
            weights[LEARNED] = shipped_weights(LEARNED).digest()
        return {**asdict(self._settings), "weights": weights}

    def objective(self, rules: Rules) -> Objective:
        """The objective at a table with these rules."""
        return make_objective(self._settings.utility, rules, self._settings.dan, self._settings.room)

    def standing(self, rules: Rules, seat: int) -> StandingWorth:
        """The worth by which it values the end of a hand."""
        return standing_worth(self.objective(rules), rules, seat)


def _or_without(load: Callable[[], T], without: str, wanted: bool = True) -> tuple[T | None, str | None]:
    """The model that ``load`` returns, if it is wanted; or None, with what it is to play without it and the reason."""
    if not wanted:
        return None, None
    try:
        return load(), None
    except WeightsError as error:
        return None, f"{without}: {error}"
