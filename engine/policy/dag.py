"""The policy ``dag``: attacks by the values of an evaluator, folds like ``simple``.

Each question goes to ``simple`` first: it takes wins and runs the push/fold machine, and its answer is used when the
search has none. While it attacks, the evaluator decides everything: discards, riichi, calls, kans, and kans in riichi.
The value of an action is that of the evaluator, less the expected loss by dealing in with its discard.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from engine.model.actions import DISCARDS, KANS, Action
from engine.opponents.danger_tables import tables_digest
from engine.policy.attacking import attack_by
from engine.policy.decision import JSON, Budget, Candidate, Decision, InPoints
from engine.policy.pushfold import PAPER, Mode
from engine.policy.scene import Scene, by_choice
from engine.policy.settings import DagPolicySettings
from engine.policy.simple.policy import SimplePolicy
from engine.policy.simple.weighing import Threats, threats_of
from engine.search.evaluator import Choice, Evaluation, Worth
from engine.search.position import PositionError
from engine.search.registry import make_evaluator
from engine.state import GameState


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A legal action with its worth."""

    action: Action
    worth: Worth
    candidate: Candidate


class DagPolicy(InPoints):
    """See the module."""

    name = "dag"

    def __init__(self, seed: int = 0, settings: DagPolicySettings | None = None) -> None:
        self._settings = settings or DagPolicySettings()
        self._simple = SimplePolicy(seed, PAPER)
        self._evaluator = make_evaluator(self._settings.evaluator)

    def settings(self) -> Mapping[str, JSON]:
        """The settings, the push/fold table, and the tables by their digests."""
        return {
            **asdict(self._settings),
            "push_fold": self._simple.table.limits,
            "weights": {"danger": tables_digest(), **self._evaluator.digests},
        }

    def start_kyoku(self) -> None:
        """Start a new hand, in ATTACK."""
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
        ranked = _rank(legal, evaluation, simple.candidates, threats_of(state))
        # a kan that ``simple`` would make may be one that the search did not evaluate
        if not ranked or (
            simple.action.kind in KANS and all(one.action.kind is not simple.action.kind for one in ranked)
        ):
            return simple
        return attack_by(scene, [(one.candidate, one.worth) for one in ranked], evaluation)


def _rank(legal: Iterable[Action], evaluation: Evaluation, known: Iterable[Candidate], found: Threats) -> list[_Ranked]:
    """The legal actions that were evaluated, best first; ``known`` holds their shanten and ukeire."""
    worths = {worth.choice: worth for worth in evaluation.actions}
    after = {candidate.action.tile >> 2: candidate for candidate in known if candidate.action.kind in DISCARDS}
    ranked: dict[Choice, _Ranked] = {}
    for choice, action in by_choice(legal, None).items():
        worth = worths.get(choice)
        if worth is None:
            continue
        discard34 = action.tile >> 2 if action.kind in DISCARDS else worth.then34
        chance, loss = (found.chance[discard34], found.loss[discard34]) if discard34 >= 0 else (0.0, 0.0)
        hand = after.get(discard34) if action.kind in DISCARDS else None
        candidate = Candidate(
            action,
            (1.0 - chance) * worth.value - chance * loss,
            p_win=worth.p_win,
            p_deal_in=chance if discard34 >= 0 else None,
            expected_loss=loss if discard34 >= 0 else None,
            shanten=hand.shanten if hand else None,
            ukeire=hand.ukeire if hand else None,
        )
        ranked[choice] = _Ranked(action, worth, candidate)
    return sorted(ranked.values(), key=lambda one: -one.candidate.value)
