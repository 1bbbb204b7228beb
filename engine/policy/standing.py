"""The standing of a game between two hands, and what a policy says that it is worth."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.model.events import Points4


@dataclass(frozen=True, slots=True)
class Standing:
    """The game between two hands, or at its end.

    Attributes:
        kyoku, honba: of the hand that is to come; ``kyoku`` is -1 when the game is over.
        sticks: riichi sticks on the table.
        scores: by absolute seat, final when the game is over.
    """

    kyoku: int
    honba: int
    sticks: int
    scores: Points4

    @property
    def over(self) -> bool:
        """The game has ended."""
        return self.kyoku < 0

    @property
    def aborted(self) -> Standing:
        """The standing after an aborted hand: the hand is dealt again with one more honba."""
        return replace(self, honba=self.honba + 1)


StandingWorth = Callable[[Standing], float]
"""What a standing is worth to one seat, in the unit of a policy's values."""


def points_of(seat: int) -> StandingWorth:
    """The seat's score, for policies whose values are the points gained in the hand."""
    return lambda standing: float(standing.scores[seat])
