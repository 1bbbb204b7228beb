"""The DAG player: attacks by the worth that the search finds, folds as the simple player does.

Each question goes to the simple player first: it takes wins, keeps the push/fold machine, and its answer is the one
given when the search has none. Where it attacks the search decides, whatever is asked: discards, riichi or not, calls,
kans, and kans in riichi. An action is worth what the search says, less what its own discard may deal in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from engine.model.actions import DISCARDS, KANS, Action
from engine.model.rules import Rules
from engine.opponents.danger_tables import tables_digest
from engine.policy.choices import by_choice
from engine.policy.decision import JSON, Budget, Candidate, Decider, Decision
from engine.policy.explaining import searched
from engine.policy.players.settings import DagPolicySettings
from engine.policy.players.simple import SimplePolicy
from engine.policy.pushfold import PAPER, Mode, PushFoldTable
from engine.policy.quick.threats import Threat, total_danger
from engine.policy.scene import Scene
from engine.policy.standing import StandingWorth, points_of
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import PositionError
from engine.search.registry import make_evaluator
from engine.state import GameState

NOISE: Final = 0.005
"""Share of the best value within which another action is as good: the figures are single precision, the tables fits."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A legal action and what it is worth."""

    action: Action
    worth: Worth
    candidate: Candidate


class DagPolicy(Decider):
    """See the module; ``table`` may be another push/fold table."""

    name = "dag"

    def __init__(self, seed: int = 0, settings: DagPolicySettings | None = None, table: PushFoldTable = PAPER) -> None:
        self._settings = settings or DagPolicySettings()
        self._simple = SimplePolicy(seed, table)
        self._evaluator = make_evaluator(self._settings.evaluator)

    def settings(self) -> Mapping[str, JSON]:
        """The settings, the push/fold table, and the tables by their digests."""
        return {
            **asdict(self._settings),
            "push_fold": self._simple.table.limits,
            "weights": {"danger": tables_digest(), **self._evaluator.digests},
        }

    def standing(self, rules: Rules, seat: int) -> StandingWorth:  # noqa: ARG002
        """Values are points gained in the hand."""
        return points_of(seat)

    def start_kyoku(self) -> None:
        """Attack again."""
        self._simple.start_kyoku()

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        scene = Scene(state, legal)
        simple = self._simple.answer(scene)
        if simple.mode != Mode.ATTACK:
            return simple
        if budget.nodes is None:
            budget = replace(budget, nodes=self._settings.nodes)
        try:
            evaluation = self._evaluator.evaluate(scene.position, budget=budget)
        except PositionError:
            return simple
        ranked = _rank(legal, evaluation, simple.candidates, scene.threats)
        if not ranked or _kan_beyond(simple.action, ranked):
            return simple
        best = ranked[0].candidate
        return Decision(
            best.action,
            tuple(one.candidate for one in ranked),
            Mode.ATTACK,
            searched(scene, [(one.candidate, one.worth) for one in ranked], evaluation.unit),
            evaluation.unit,
            nodes=evaluation.nodes,
            noise=NOISE * abs(best.value),
        )


def _rank(
    legal: Iterable[Action], evaluation: Evaluation, known: Iterable[Candidate], found: Sequence[Threat]
) -> list[_Weighed]:
    """The legal actions that were evaluated, best first; ``known`` has their shanten and ukeire."""
    worths = {worth.choice: worth for worth in evaluation.actions}
    after = {candidate.action.tile >> 2: candidate for candidate in known if candidate.action.kind in DISCARDS}
    ranked: dict[Choice, _Weighed] = {}
    for choice, action in by_choice(legal, None).items():
        worth = worths.get(choice)
        if worth is None:
            continue
        thrown = action.tile >> 2 if action.kind in DISCARDS else worth.then34
        chance, loss = total_danger(found, thrown) if thrown >= 0 else (0.0, 0.0)
        hand = after.get(thrown) if action.kind in DISCARDS else None
        candidate = Candidate(
            action,
            (1.0 - chance) * worth.value - chance * loss,
            p_win=worth.p_win,
            p_deal_in=chance if thrown >= 0 else None,
            expected_loss=loss if thrown >= 0 else None,
            shanten=hand.shanten if hand else None,
            ukeire=hand.ukeire if hand else None,
        )
        ranked[choice] = _Weighed(action, worth, candidate)
    return sorted(ranked.values(), key=lambda one: -one.candidate.value)


def _kan_beyond(action: Action, ranked: Sequence[_Weighed]) -> bool:
    """The simple player would make a kan that the search did not weigh."""
    return action.kind in KANS and all(one.action.kind is not action.kind for one in ranked)
