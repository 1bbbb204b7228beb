"""The policies ``che`` and ``perceptron``: the players of the CHE paper, which follow an evaluator and never fold.

The evaluator of ``che`` is ``che-calls`` unless another is set.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from engine.papers.che.settings import ChePlayerSettings
from engine.policy.attacking import AlwaysAttacks
from engine.policy.decision import JSON


class ChePolicy(AlwaysAttacks):
    """See the module."""

    name = "che"

    def __init__(self, seed: int = 0, settings: ChePlayerSettings | None = None) -> None:
        del seed  # the evaluators draw their random numbers from the position
        self._settings = settings or ChePlayerSettings()
        super().__init__(self._settings.evaluator)

    def settings(self) -> Mapping[str, JSON]:
        """The settings, and the evaluator's weights by their digests."""
        return {**asdict(self._settings), "weights": dict(self.evaluator.digests)}


class PerceptronPolicy(ChePolicy):
    """The paper's player "testAI", which follows the evaluator ``perceptron``."""

    name = "perceptron"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed, ChePlayerSettings("perceptron"))
