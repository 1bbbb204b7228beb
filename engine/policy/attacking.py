"""Following an evaluator: the decision for the legal action that it ranks highest."""

from collections.abc import Callable, Sequence
from typing import Final

from engine.model.actions import Action
from engine.policy.decision import Budget, Candidate, Decision, InPoints
from engine.policy.explaining import searched
from engine.policy.forced import fallback, forced
from engine.policy.pushfold import Mode
from engine.policy.scene import Scene, by_choice
from engine.search.evaluator import Evaluation, Evaluator, Worth
from engine.search.position import PositionError
from engine.search.registry import make_evaluator
from engine.state import GameState

NOISE: Final = 0.005
"""Share of the best value within which another action counts as equal. A guess; it changes no decision."""


def follow(
    evaluator: Evaluator, scene: Scene, budget: Budget, candidate: Callable[[Action, Worth], Candidate]
) -> Decision | None:
    """The decision for the legal action that an evaluator ranks highest; None if it evaluates none of them.

    Args:
        evaluator: what ranks the actions.
        scene: what is asked.
        budget: bound on the evaluator's work.
        candidate: makes the candidate of a legal action of its worth.
    """
    try:
        evaluation = evaluator.evaluate(scene.position, budget=budget)
    except PositionError:
        return None
    actions = by_choice(scene.legal, scene.state.drawn)
    ranked = [
        (candidate(actions[worth.choice], worth), worth) for worth in evaluation.actions if worth.choice in actions
    ]
    return attack_by(scene, ranked, evaluation) if ranked else None


def attack_by(scene: Scene, ranked: Sequence[tuple[Candidate, Worth]], evaluation: Evaluation) -> Decision:
    """The decision for the first of these actions.

    Args:
        scene: what is asked.
        ranked: the legal actions that were evaluated, best first, each with its worth; at least one.
        evaluation: where the worths come from.
    """
    best, _ = ranked[0]
    return Decision(
        best.action,
        tuple(candidate for candidate, _ in ranked),
        Mode.ATTACK,
        searched(scene, ranked, evaluation.unit),
        evaluation.unit,
        nodes=evaluation.nodes,
        noise=NOISE * abs(best.value),
    )


class AlwaysAttacks(InPoints):
    """A policy that takes every win and never folds: an evaluator decides all other discards, riichi and calls.

    Kans and nine terminals are declared only if the evaluator values them.

    Attributes:
        evaluator: what it follows.
    """

    def __init__(self, evaluator: str) -> None:
        self.evaluator = make_evaluator(evaluator)

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        answer = forced(legal)
        if answer is not None:
            return answer
        return follow(self.evaluator, Scene(state, legal), budget, _candidate) or fallback(state, legal)


def _candidate(action: Action, worth: Worth) -> Candidate:
    return Candidate(action, worth.value, p_win=worth.p_win)
