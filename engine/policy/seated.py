"""A player in its seat: the view of the game, and the events that are passed on to the player."""

from __future__ import annotations

from typing import Generic, Protocol, TypeVar

from engine.model.events import Event, Resume, StartKyoku
from engine.model.rules import Rules
from engine.policy.decision import Listener
from engine.state import Follower, GameState, visible_to


class Plays(Protocol):
    """What may sit down: a :class:`~engine.policy.decision.Decider`, or whatever asks one in its own way."""

    def start_kyoku(self) -> None:
        """Forget the previous hand."""


P = TypeVar("P", bound=Plays)


class Seated(Follower[GameState], Generic[P]):
    """Follows a game from a seat. The player who sits there hears of each new hand, and of all events if it listens.

    Whoever keeps the seat asks the player, about ``state`` and its legal actions.

    Attributes:
        player: who sits there; behind a guard if it may be anyone's.
    """

    def __init__(self, seat: int, rules: Rules, player: P, *, lost: bool = False) -> None:
        super().__init__(GameState(seat, rules), lost=lost)
        self.player = player
        sits: object = player  # mypy thinks that a type variable is never a Listener
        self._listener = sits if isinstance(sits, Listener) else None

    def apply(self, event: Event) -> None:
        """Apply the part of an event that the seat sees, and pass it on to the player.

        Raises:
            StateError: it cannot have happened; a player that listens does not hear of it.
        """
        if isinstance(event, StartKyoku | Resume):
            self.player.start_kyoku()
        seat = self.state.seat
        seen = visible_to(event, seat)
        super().apply(seen)
        if self._listener is not None:
            self._listener.hear(seen, seat)
