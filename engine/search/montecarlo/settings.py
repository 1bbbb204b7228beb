"""Settings of the evaluator ``montecarlo``, separate from it so that reading them compiles nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from engine.settings import Bounds


@dataclass(frozen=True, slots=True)
class MonteCarloSettings:
    """Settings of the evaluator ``montecarlo``.

    Attributes:
        walls: number of random walls over which each action is played out. The default makes about the paper's 30,000
            playouts of a decision.
    """

    walls: Annotated[int, Bounds(1, 1_000_000)] = 2_000
