"""How much thought is allowed: the engine has no clock, its caller does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """How much thought is allowed.

    Attributes:
        nodes: bound on search nodes; None for no bound.
        expired: asked between units of work; once true, answer with the best so far.
    """

    nodes: int | None = None
    expired: Callable[[], bool] = field(default=_never)
