"""From seconds to search nodes: how much a decision may think about in the time it has."""

from __future__ import annotations

from typing import Final

NODES_PER_SECOND: Final = 200_000
"""Search nodes a second that a busy core manages: half of what one of 2024 shared with two other programs did in the
slowest decision of thousands of nodes (330 000 to 700 000 at 1- to 4-shanten). A number, not measured while playing: so
that the same game, played again where there is time enough, is thought about alike."""

AIM: Final = 0.1
"""Share of the allowed time that a decision is sized for: the bank is for the unforeseen."""

RECOVERY: Final = 1.25
"""Where a machine was too slow, each search that was quick enough allows the next one so much more."""

LEAST: Final = 1 / 64
"""Share of the nodes that is left to the slowest machine."""


class Pace:
    """Sizes each decision for :data:`AIM` of its time, smaller ones after some that took longer.

    Attributes:
        share: of the nodes that :data:`NODES_PER_SECOND` promises; 1 until a decision took longer than aimed at.
    """

    def __init__(self) -> None:
        self.share = 1.0

    def nodes(self, seconds: float) -> int:
        """The bound for a decision that may take ``seconds``; at least 1."""
        return max(1, round(self.share * NODES_PER_SECOND * AIM * seconds))

    def saw(self, allowed: float, seconds: float, searched: bool) -> None:
        """A decision that was allowed so many seconds took so many; those without a search say little."""
        aim = AIM * allowed
        if seconds > aim:
            self.share = max(LEAST, self.share * aim / seconds)
        elif searched:
            self.share = min(1.0, self.share * RECOVERY)
