"""Conversion of seconds to search nodes: how much a decision may search in the time it has."""

from __future__ import annotations

from typing import Final

NODES_PER_SECOND: Final = 200_000
"""Search nodes per second that a busy core manages: half of what a core of 2024, shared with two other programs,
reached in its slowest decisions (330,000 to 700,000 at 1- to 4-shanten). It is a constant, not measured during play,
so that the same game played again is searched alike if there is enough time."""

AIM: Final = 0.1
"""Share of the allowed time that a decision is sized for; the time bank is for the unforeseen."""

RECOVERY: Final = 1.25
"""After a slow decision, each search that is quick enough increases the next one by this factor."""

LEAST: Final = 1 / 64
"""Smallest share of the nodes, for very slow machines."""


class Pace:
    """Sizes each decision for :data:`AIM` of its time, and smaller after decisions that took longer.

    Attributes:
        share: share of :data:`NODES_PER_SECOND` in use; 1 until a decision took longer than intended.
    """

    def __init__(self) -> None:
        self.share = 1.0

    def nodes(self, seconds: float) -> int:
        """The bound on nodes for a decision that may take ``seconds``; at least 1."""
        return max(1, round(self.share * NODES_PER_SECOND * AIM * seconds))

    def saw(self, allowed: float, seconds: float, searched: bool) -> None:
        """Adjust to a decision that was allowed ``allowed`` seconds and took ``seconds``, with or without a search."""
        aim = AIM * allowed
        if seconds > aim:
            self.share = max(LEAST, self.share * aim / seconds)
        elif searched:
            self.share = min(1.0, self.share * RECOVERY)
