"""The policy ``neat``: follows an evolved network wherever it leads, and never folds or calls.

It takes every win, and decides as ``che`` does with the evaluator ``neat``.
"""

from __future__ import annotations

from dataclasses import asdict

from engine.policy.players.che import ChePolicy
from engine.search.neat.settings import NeatSettings
from engine.search.registry import make_evaluator


class NeatPolicy(ChePolicy):
    """See the module."""

    name = "neat"

    def __init__(self, seed: int = 0, settings: NeatSettings | None = None) -> None:
        del seed  # nothing is random
        self._settings = settings or NeatSettings()
        self._evaluator = make_evaluator("neat", asdict(self._settings))
