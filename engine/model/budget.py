"""Bounds on a search. The engine has no clock; its caller has one and says when time is up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds on one decision.

    Attributes:
        nodes: most nodes to search; None for no bound.
        expired: called between units of work; once it returns True, the best answer so far is given.
    """

    nodes: int | None = None
    expired: Callable[[], bool] = field(default=_never)
