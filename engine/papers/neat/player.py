"""The policy ``neat``: follows an evolved network wherever it leads, and never folds or calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from engine.papers.neat.settings import NeatSettings
from engine.policy.attacking import AlwaysAttacks
from engine.policy.decision import JSON


class NeatPolicy(AlwaysAttacks):
    """See the module."""

    name = "neat"

    def __init__(self, seed: int = 0, settings: NeatSettings | None = None) -> None:
        del seed  # nothing here is random
        self._settings = settings or NeatSettings()
        super().__init__(f"neat:{self._settings.champion}")

    def settings(self) -> Mapping[str, JSON]:
        """The champion, and its network by its digest."""
        return {**asdict(self._settings), "weights": dict(self.evaluator.digests)}
