"""The policies ``che`` and ``perceptron``: the players of the CHE paper, which follow an evaluator and never fold.

They take every win. The evaluator, of ``che`` ``che-calls`` unless another is set, decides all other discards, riichi
and calls. Kans and nine terminals are declared only if the evaluator values them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from engine.model.actions import Action
from engine.model.rules import Rules
from engine.policy.attacking import follow
from engine.policy.decision import JSON, Budget, Candidate, Decider, Decision
from engine.policy.forced import fallback, forced
from engine.policy.scene import Scene
from engine.policy.settings import CheSettings
from engine.policy.standing import StandingWorth, points_of
from engine.search.evaluator import Worth
from engine.search.registry import make_evaluator
from engine.state import GameState


class ChePolicy(Decider):
    """See the module."""

    name = "che"

    def __init__(self, seed: int = 0, settings: CheSettings | None = None) -> None:
        del seed  # the evaluators draw their random numbers from the position
        self._settings = settings or CheSettings()
        self._evaluator = make_evaluator(self._settings.evaluator)

    def settings(self) -> Mapping[str, JSON]:
        """The settings, and the evaluator's weights by their digests."""
        return {**asdict(self._settings), "weights": dict(self._evaluator.digests)}

    def standing(self, rules: Rules, seat: int) -> StandingWorth:  # noqa: ARG002
        """The seat's score: values are points gained in the hand."""
        return points_of(seat)

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:
        """Choose; see :class:`~engine.policy.decision.Decider`."""
        answer = forced(legal)
        if answer is not None:
            return answer
        return follow(self._evaluator, Scene(state, legal), budget, _candidate) or fallback(state, legal)


def _candidate(action: Action, worth: Worth) -> Candidate:
    return Candidate(action, worth.value, p_win=worth.p_win)


class PerceptronPolicy(ChePolicy):
    """The paper's player "testAI", which follows the evaluator ``perceptron``."""

    name = "perceptron"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, CheSettings("perceptron"))
