"""The policy ``value``, the default: values every action in one currency, the expected result of the game.

The value of an action is::

    value = (1 - p) * (attack, or fold if attack is not worth enough more) + p * dealt

``p`` is the chance that its tile deals in (0 if none is discarded) and ``dealt`` the worth of the hand's end if it
does, both from the danger estimator. ``attack`` is the worth that the evaluator finds if the hand is played for a win,
and ``fold`` the worth if it folds. :mod:`engine.policy.value.corrections` adds what the search does not see: the value
of keeping a tile, and what strong play would choose. All of them are expected final results (with uma and oka, or in
dan points), less the expected result if this hand were aborted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from engine.model.actions import DISCARDS, KANS, NINE_TERMINALS, PASS, Action, ActionKind
from engine.model.rules import HANCHAN, Rules
from engine.model.standing import StandingWorth
from engine.model.tiles import KINDS
from engine.networks.chances import Chances, shipped_chance_weights, shipped_chances
from engine.networks.imitation import Network, shipped_network, shipped_weights
from engine.opponents.danger import Danger
from engine.opponents.outcomes import outcomes_digest
from engine.opponents.registry import best_estimator
from engine.policy.decision import JSON, Budget, Candidate, Decider, Decision, Parts
from engine.policy.forced import forced, settled
from engine.policy.grounds import GroundKind, Note, ground
from engine.policy.pushfold import Mode
from engine.policy.scene import Scene, by_choice
from engine.policy.settings import LEARNED, ValueSettings
from engine.policy.value.attack import Floats, at_stake, attack
from engine.policy.value.corrections import (
    chances,
    keep_values,
    later_risk,
    lean_by_tile,
)
from engine.policy.value.grounds import ActionValue, explain
from engine.policy.value.objective import Objective, make_objective
from engine.policy.value.parts import Course, Paths, attack_parts, fold_parts, folding
from engine.policy.value.placement import placement_model
from engine.policy.value.recorded import won_as_recorded
from engine.policy.value.risks import FoldEnds, Risks, assess, fold_ends
from engine.policy.value.tiles import tile_chances
from engine.policy.value.utility import Currency, Situation, currency, standing_worth
from engine.search.discard_tables import discards_digest
from engine.search.evaluator import AS_IT_STANDS, Evaluation, Stakes, TileChances, Worth
from engine.search.position import PositionError
from engine.search.read_waits import read_waits
from engine.search.registry import make_evaluator
from engine.state import GameState
from engine.tables import WeightsError


@dataclass(frozen=True, slots=True)
class _Context:
    """Figures on which a decision depends.

    Attributes:
        tiles: chances of the tiles to come.
        worth_of_folding: float64[35, d]: worth of folding with ``d`` own draws left, relative to an aborted hand, after
            the discard of each kind held; the last row while all tiles are kept.
        fold_ends: how folding comes to that, by the same rows.
        keep_value: worth of keeping a tile of each kind; None if it is not counted.
    """

    scene: Scene
    currency: Currency
    danger: Danger
    risks: Risks
    tiles: TileChances
    worth_of_folding: Floats
    fold_ends: FoldEnds
    keep_value: Floats | None = None


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
        self._learned, not_learned = _best_learned() if settings.learned else (None, None)
        self._chances, no_chances = _best_chances()
        absent = (plain_danger, plain_utility, not_learned, no_chances)
        self.warning = "; ".join(filter(None, absent)) or None
        self._folded = False
        self.objective(HANCHAN)  # an objective that does not exist is refused now

    def settings(self) -> Mapping[str, JSON]:
        """The settings, and the weights by their digests."""
        weights = {**self._estimator.digests, **self._evaluator.digests}
        weights |= {"discards": discards_digest(), "outcomes": outcomes_digest()}
        if self._settings.utility != "points":
            weights["placement"] = placement_model().digest
        if self._chances is not None:
            weights["chances"] = shipped_chance_weights().digest()
        if self._learned is not None:
            weights[LEARNED] = shipped_weights(LEARNED).digest()
        return {**asdict(self._settings), "weights": weights}

    def standing(self, rules: Rules, seat: int) -> StandingWorth:
        """The worth by which it values the end of a hand."""
        return standing_worth(self.objective(rules), rules, seat)

    def start_kyoku(self) -> None:
        """Start a new hand, in ATTACK."""
        self._folded = False

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        scene = Scene(state, legal)
        answer = forced(legal) or self._too_far(scene)
        if answer is not None:
            return answer
        context = self._basis(scene)
        ranked, evaluation = self._action_values(context, budget)
        best, folded_before = ranked[0], self._folded
        self._folded = best.folds
        return Decision(
            best.action,
            tuple([one.candidate for one in ranked]),
            Mode.FOLD if best.folds else Mode.ATTACK,
            explain(ranked, scene, context.danger, context.currency, folded_before=folded_before),
            context.currency.objective.unit,
            nodes=evaluation.nodes if evaluation else 0,
            noise=self._settings.noise * context.currency.per_point,
            per_point=context.currency.per_point,
        )

    def _too_far(self, scene: Scene) -> Decision | None:
        """Passing, if the hand is too far from a win to be opened; None otherwise."""
        if not scene.asked_to_call or scene.shanten <= self._settings.calls_from:
            return None
        return settled(PASS, ground(GroundKind.TOO_FAR_TO_CALL, shanten=scene.shanten))

    def objective(self, rules: Rules) -> Objective:
        """The objective at a table with these rules."""
        return make_objective(self._settings.utility, rules, self._settings.dan, self._settings.room)

    def _basis(self, scene: Scene) -> _Context:
        state = scene.state
        worth = currency(Situation.of(state), self.objective(state.rules))
        danger = self._estimator.estimate(state)
        risks = assess(state, danger, worth)
        kept = self._keep_value(scene, danger, worth)
        tiles = tile_chances(self._chances, scene) if self._chances else read_waits(scene.position)
        survive = tiles.by_draws(tiles.survive[AS_IT_STANDS], scene.position.draws_left)
        of_folding, ends = _worth_of_folding(scene, risks, survive.tolist(), worth)
        return _Context(scene, worth, danger, risks, tiles, of_folding, ends, kept)

    def _keep_value(self, scene: Scene, danger: Danger, worth: Currency) -> Floats | None:
        """Worth of keeping a tile of each kind; None against a riichi, whose danger the search already counts."""
        position = scene.position
        if not position.to_discard or position.riichi or position.riichi_against:
            return None
        risk = later_risk(danger, scene.state.seat)
        found = keep_values(position.counts, position.unseen, scene.yakuhai, risk, position.draws_left, scene.shanten)
        return found * worth.per_point

    def _action_values(self, context: _Context, budget: Budget) -> tuple[list[ActionValue], Evaluation | None]:
        """The legal actions, best first; one of those that look the same."""
        scene = context.scene
        stakes = at_stake(
            scene, context.currency, context.danger, context.risks, context.tiles, context.worth_of_folding[KINDS]
        )
        evaluation = self._evaluate(scene, stakes, context.currency.per_point, budget)
        worths = {worth.choice: worth for worth in evaluation.actions} if evaluation else {}
        by_draws = max((worth.p_win_by_draws for worth in worths.values()), key=len, default=())
        paths = Paths(context.fold_ends, context.tiles, by_draws, scene.position.tail, scene.position.closed)
        found = []
        for choice, action in by_choice(scene.legal, scene.state.drawn).items():
            one = self._action_value(context, action, worths.get(choice), stakes, paths)
            if one is not None:
                found.append(one)
        return self._with_learned(context, _ranked(found)), evaluation

    def _with_learned(self, context: _Context, ranked: list[ActionValue]) -> list[ActionValue]:
        """The actions ranked with the choices of strong programs; see :mod:`engine.policy.value.corrections`."""
        if self._learned is None or len(ranked) < 2:
            return ranked
        scene, unit = context.scene, self._settings.learned * context.currency.per_point
        if scene.asked_to_call or _between_push_and_fold(scene, ranked):
            unit *= self._settings.learned_course
        found = chances(self._learned, scene, [one.action for one in ranked])
        return _leaning(ranked, found, lean_by_tile(found, unit))

    def _evaluate(self, scene: Scene, stakes: Stakes, per_point: float, budget: Budget) -> Evaluation | None:
        if budget.nodes is None:
            asked = self._settings.call_nodes if scene.asked_to_call else self._settings.nodes
            budget = replace(budget, nodes=asked)
        try:
            return attack(self._evaluator, scene.position, stakes, per_point, budget)
        except PositionError:
            return None

    def _action_value(
        self, context: _Context, action: Action, worth: Worth | None, stakes: Stakes, paths: Paths
    ) -> ActionValue | None:
        scene, risks, now = context.scene, context.risks, context.currency.now
        per_point = context.currency.per_point
        discards = action.kind in DISCARDS
        fold = None  # a hand that makes a call or declares riichi does not fold
        if action.kind is ActionKind.DISCARD or action.kind is ActionKind.PASS:
            fold = float(context.worth_of_folding[action.tile >> 2 if discards else KINDS, -1])
            if worth is not None and scene.position.closed and not scene.position.riichi:
                distance = scene.discards.shanten[action.tile >> 2] if discards else scene.shanten
                worth = won_as_recorded(worth, distance, scene.position.draws_left)
        if action == NINE_TERMINALS:
            candidate = Candidate(action, 0.0, note=Note.REDEAL, parts=Parts())
            return ActionValue(action, 0.0, 0.0, None, 0.0, False, False, -1, -1, candidate)
        if worth is None and fold is None:
            return None
        value = worth.value if worth else None
        discard34 = action.tile >> 2 if discards else worth.then34 if worth else -1
        exposed34 = action.tile >> 2 if action.kind is ActionKind.KAKAN else discard34
        own = int(action.kind is ActionKind.RIICHI)
        chance = float(risks.deal_in[exposed34]) if exposed34 >= 0 else 0.0
        # The decision to fold: the attack must be worth more than folding by a lead, which is larger for a hand that
        # has folded before, so that it does not change its mind for little. An attack that comes to nothing by the
        # chances at this table is a fold.
        lead = per_point * (self._settings.stay_folded if self._folded else self._settings.fold_within)
        hopeless = worth is not None and worth.p_win == worth.p_tenpai == 0.0
        folds = value is None or (fold is not None and (hopeless or value - fold < lead))
        way = fold if folds or value is None else value
        passes = 1.0 - chance
        # a riichi whose own tile is won on never stands, so its stick is not paid
        dealt = chance * (float(risks.dealt[0, exposed34]) - now) if chance else 0.0
        after = passes * (way or 0.0) + dealt
        push, folded = (None if each is None else passes * each + dealt for each in (value, fold))
        keep = experience = 0.0
        if self._folded and fold is None:  # after a riichi or a call the hand cannot go on folding
            experience = -self._settings.stay_folded * per_point
        if context.keep_value is not None and action.kind is ActionKind.DISCARD and not folds:
            keep = -float(context.keep_value[discard34])
        course, parts = self._parts(context, None if folds else worth, discard34, stakes, paths, riichi=bool(own))
        if parts is not None:
            parts = replace(parts.scaled(passes), deal_in=dealt, keep=keep, experience=experience)
        later = passes * course.p_later if course and per_point > 0 else None
        after += keep + experience
        shanten = scene.discards.shanten[discard34] if discards else None
        silent = action.kind is ActionKind.DISCARD and scene.position.closed and not scene.position.riichi
        candidate = Candidate(
            action,
            after,
            p_win=None if worth is None or worth.p_win is None else passes * worth.p_win,
            p_deal_in=chance if exposed34 >= 0 else None,
            expected_loss=float(risks.loss[exposed34]) if exposed34 >= 0 else None,
            shanten=shanten,
            ukeire=scene.discards.ukeire[discard34] if discards else None,
            note=Note.FOLD if folds else Note.SILENT if silent and shanten == 0 else None,
            p_tenpai=None if worth is None or worth.p_tenpai is None else passes * worth.p_tenpai,
            win_points=worth.win_points if worth else None,
            p_later=later,
            later_loss=-parts.later / per_point / later if parts and later else None,
            parts=parts,
        )
        sides = push, folded, lead, folds, hopeless
        return ActionValue(action, value, *sides, discard34, exposed34, candidate)

    def _parts(
        self, context: _Context, worth: Worth | None, discard34: int, stakes: Stakes, paths: Paths, *, riichi: bool
    ) -> tuple[Course | None, Parts | None]:
        """How the hand goes on after an action, and the parts of what that is worth; without ``worth`` it folds."""
        scene = context.scene
        if worth is None:
            row = discard34 if discard34 >= 0 else KINDS
            course = folding(context.fold_ends, row, context.scene.position.draws_left)
            return course, fold_parts(course)
        kind = worth.choice.kind
        if kind in KANS:
            stakes = stakes.after_kan(worth.choice.tile34)
        found = paths.attacking(worth, stakes, riichi=riichi or scene.position.riichi > 0)
        if found is None:
            return None, None
        rate = max(context.currency.per_point, context.currency.objective.per_point)
        return found, attack_parts(worth, found, stakes, rate)


def _best_utility(name: str) -> tuple[str, str | None]:
    """The utility, or ``points`` with the reason if the placement weights, which all others need, are missing."""
    if name == "points":
        return name, None
    try:
        placement_model()
    except ValueError as error:
        return "points", f"playing for points alone: {error}"
    return name, None


def _best_chances() -> tuple[Chances | None, str | None]:
    """The network of the tiles to come; or None and the reason, and then they come as at an average table."""
    try:
        return shipped_chances(), None
    except WeightsError as error:
        return None, f"the tiles to come are those of an average table: {error}"


def _between_push_and_fold(scene: Scene, ranked: Sequence[ActionValue]) -> bool:
    """Whether the hand chooses between pushing and folding against a riichi; one that may declare riichi does not."""
    if not scene.position.riichi_against or ActionKind.RIICHI in scene.kinds:
        return False
    return {one.folds for one in ranked if one.action.kind in DISCARDS} == {True, False}


def _leaning(
    ranked: Sequence[ActionValue], found: Mapping[Action, float], added: Mapping[Action, float]
) -> list[ActionValue]:
    """The actions ranked with a network's chances of each, and what these add; its favourite loses nothing."""
    most = max(added.values())
    leaning = []
    for one in ranked:
        candidate = one.candidate
        lean = added[one.action] - most
        parts = candidate.parts and replace(candidate.parts, network=lean)
        candidate = replace(candidate, prior=found[one.action], lean=lean or None, parts=parts)
        leaning.append(replace(one, candidate=candidate))
    return _ranked(leaning)


def _best_learned() -> tuple[Network | None, str | None]:
    """The network of strong programs; or None and the reason."""
    try:
        return shipped_network(LEARNED), None
    except WeightsError as error:
        return None, f"strong play does not count: {error}"


def _ranked(found: Sequence[ActionValue]) -> list[ActionValue]:
    """The actions, best first; equal ones by their attacking worth."""
    keys = [(-one.candidate.score, -(one.attack or 0.0), at) for at, one in enumerate(found)]
    return [found[at] for _, _, at in sorted(keys)]


def _worth_of_folding(scene: Scene, risks: Risks, survive: Sequence[float], worth: Currency) -> tuple[Floats, FoldEnds]:
    """The worth of folding after each discard, and its ends; see :class:`_Context`."""
    counts = np.array(scene.state.counts)
    of_folding = np.zeros((KINDS + 1, len(survive)))
    held = np.append(np.flatnonzero(counts), KINDS)
    hands = counts - np.eye(KINDS + 1, KINDS, dtype=np.int64)[held]
    found = fold_ends(hands, risks, survive, worth.now)
    of_folding[held] = found.worths.sum(axis=0)
    worths = np.zeros((3, *of_folding.shape))
    deal_in = np.zeros_like(of_folding)
    worths[:, held], deal_in[held] = found.worths, found.deal_in
    return of_folding, FoldEnds(worths, deal_in)
