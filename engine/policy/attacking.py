"""The decision of an attack: what an evaluator ranked highest, with its reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.policy.decision import Candidate, Decision
from engine.policy.explaining import searched
from engine.policy.pushfold import Mode
from engine.policy.scene import Scene
from engine.search.evaluator import Evaluation, Worth

NOISE: Final = 0.005
"""Share of the best value within which another action counts as equal. A guess; it changes no decision."""


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
