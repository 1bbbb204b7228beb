"""The policy ``neat``: follows an evolved network wherever it leads, and never folds or calls.

It takes every win, and decides as ``che`` does with the evaluator ``neat``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from engine.policy.che import ChePolicy
from engine.policy.decision import JSON
from engine.policy.settings import CheSettings
from engine.search.neat.settings import NeatSettings


class NeatPolicy(ChePolicy):
    """See the module."""

    name = "neat"

    def __init__(self, seed: int = 0, settings: NeatSettings | None = None) -> None:
        self._chosen = settings or NeatSettings()
        super().__init__(seed, CheSettings(f"neat:{self._chosen.champion}"))

    def settings(self) -> Mapping[str, JSON]:
        """The champion, and its network by its digest."""
        return {**asdict(self._chosen), "weights": dict(self._evaluator.digests)}
