"""Settings of the evaluator ``gametree``, separate from it so that reading them compiles nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from engine.settings import Bounds


@dataclass(frozen=True, slots=True)
class GameTreeSettings:
    """Settings of the evaluator ``gametree``.

    Attributes:
        hands: number of hands in all trees of a decision together; it decides how deep they are.
    """

    hands: Annotated[int, Bounds(40, 10_000_000)] = 20_000
