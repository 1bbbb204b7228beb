"""The decision of an attack: what an evaluator ranked highest, with its reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.model.actions import Action
from engine.policy.choices import by_choice
from engine.policy.decision import Budget, Candidate, Decision
from engine.policy.explaining import searched
from engine.policy.pushfold import Mode
from engine.policy.scene import Scene
from engine.search.evaluator import Evaluation, Evaluator, Worth
from engine.search.position import PositionError

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
