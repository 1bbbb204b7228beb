"""What the danger estimates that policies use need before the first decision."""

from __future__ import annotations

from typing import Final

from engine.opponents import danger_kernels, feature_kernels
from engine.opponents.model import best_estimator
from engine.opponents.registry import make_estimator
from engine.preparation import Preparation
from engine.state import GameState


def _estimate_by_suji() -> None:
    make_estimator("suji").estimate(GameState(0))


def _estimate() -> None:
    best, _ = best_estimator()
    best.estimate(GameState(0))


SUJI: Final = Preparation("danger by suji", {danger_kernels.classify: 0.5}, _estimate_by_suji)
DANGER: Final = Preparation("danger by the network", {feature_kernels.fill_opponents: 5.0}, _estimate)
