"""The standing of a game between two hands, and its worth to a policy."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.model.events import Points4


@dataclass(frozen=True, slots=True)
class Standing:
    """The game between two hands, or at its end."""

    kyoku: int  # number of the coming hand, 0 = E1; -1 when the game is over
    honba: int  # honba of the coming hand
    sticks: int  # number of riichi sticks on the table
    scores: Points4  # points by absolute seat; final when the game is over

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.kyoku < 0

    @property
    def aborted(self) -> "Standing":
        """The standing if the hand is aborted: it is dealt again with one more honba."""
        return replace(self, honba=self.honba + 1)


StandingWorth = Callable[[Standing], float]
"""Returns the worth of a standing to one seat, in the unit of a policy's values."""
