"""Bounds on a search. The engine has no clock; the caller signals when time is up."""

from collections.abc import Callable
from dataclasses import dataclass, field


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds on one decision.

    Attributes:
        nodes: maximum number of nodes to search; None for no bound.
        expired: called between units of work; once it returns True, the search returns the best answer so far.
    """

    nodes: int | None = None
    expired: Callable[[], bool] = field(default=_never)
