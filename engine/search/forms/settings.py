"""Settings of the evaluators of this folder, separate from them so that reading them compiles nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from engine.settings import Bounds


@dataclass(frozen=True, slots=True)
class InversionSettings:
    """Settings of the evaluator ``inversion``.

    Attributes:
        forms: number of winning forms that are scored.
    """

    forms: Annotated[int, Bounds(1, 1_000_000)] = 6_000


@dataclass(frozen=True, slots=True)
class CheSettings:
    """Settings of the evaluators ``che`` and ``che-calls``.

    Attributes:
        extra: N, tiles drawn in each round in addition to those that the hand lacks. The default is the paper's.
        rounds: number of rounds, of all calls together.
    """

    extra: Annotated[int, Bounds(0, 12)] = 5
    rounds: Annotated[int, Bounds(1, 1_000_000)] = 1_000
