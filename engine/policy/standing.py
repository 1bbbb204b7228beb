"""The standing of a game between two hands, and its worth to a policy."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.model.events import Points4
from engine.model.seats import four

if TYPE_CHECKING:
    from engine.simulator.game_kernels import GameTable


@dataclass(frozen=True, slots=True)
class Standing:
    """The game between two hands, or at its end.

    Attributes:
        kyoku, honba: number and honba of the coming hand; ``kyoku`` is -1 when the game is over.
        sticks: number of riichi sticks on the table.
        scores: points by absolute seat; final when the game is over.
    """

    kyoku: int
    honba: int
    sticks: int
    scores: Points4

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.kyoku < 0

    @property
    def aborted(self) -> "Standing":
        """The standing if the hand is aborted: it is dealt again with one more honba."""
        return replace(self, honba=self.honba + 1)


def standing_of(table: "GameTable") -> Standing:
    """The standing at a table whose hand has ended."""
    scores = four(map(int, table.scores))
    if table.over:
        return Standing(-1, 0, 0, scores)
    return Standing(int(table.next_kyoku), int(table.next_honba), int(table.sticks), scores)


StandingWorth = Callable[[Standing], float]
"""Returns the worth of a standing to one seat, in the unit of a policy's values."""
