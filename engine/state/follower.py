"""Views that follow a game: the four of a table, and any whose events may be wrong, as a server's or a log's."""

from __future__ import annotations

from typing import Generic, Protocol, Self, TypeVar

from engine.model.events import EndGame, Event, Resume, StartGame, StartKyoku
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS
from engine.state.changes import StateError
from engine.state.game import GameState
from engine.state.seat_view import HIDING, visible_to


class View(Protocol):
    """What follows a game: :class:`GameState`, or all four of a table."""

    def apply(self, event: Event) -> None:
        """Apply an event; a :class:`StateError` if it cannot have happened."""

    def renewed(self) -> Self:
        """A new view of the same seats by the same rules."""


V = TypeVar("V", bound=View)


class FourViews(list[GameState]):
    """The views of the four seats of one table, each of which gets only what its seat may see."""

    def __init__(self, rules: Rules = HANCHAN) -> None:
        super().__init__(GameState(seat, rules) for seat in SEATS)

    def apply(self, event: Event) -> None:
        """Apply an event, given with full information, to all four.

        Raises:
            StateError: it cannot have happened; some of the views may have changed.
        """
        if isinstance(event, HIDING):
            for view in self:
                view.apply(visible_to(event, view.seat))
        else:
            for view in self:
                view.apply(event)

    def renewed(self) -> FourViews:
        """New views by the same rules."""
        return FourViews(self[0].rules)


class Follower(Generic[V]):
    """Follows a game with a view, which is lost after an event that cannot have happened until the next hand.

    Attributes:
        state: the view; while it is lost, as it was before that event.
        lost: whether the view could not follow: only the next hand, or the server's own account of this one, is
            followed again, by a new view.
        fault: why the event that was heard last cannot have happened; None if it can, or was passed over.
    """

    def __init__(self, state: V, *, lost: bool = False) -> None:
        self.state = state
        self.lost = lost
        self.fault: StateError | None = None

    def hear(self, event: Event) -> bool:
        """Apply an event, as the view sees it; whether that was possible. Events of a lost hand are passed over."""
        self.fault = None
        if self.passes_over(event):
            return False
        try:
            self.apply(event)
        except StateError:
            return False
        return True

    def passes_over(self, event: Event) -> bool:
        """Whether an event belongs to a hand that is lost."""
        return self.lost and not isinstance(event, StartGame | StartKyoku | Resume | EndGame)

    def apply(self, event: Event) -> None:
        """Apply an event, whether or not the view is lost.

        Raises:
            StateError: it cannot have happened; the view is lost now.
        """
        if self.lost and isinstance(event, StartKyoku | Resume):
            self.find_again()
        elif self.lost and isinstance(event, EndGame):  # what the old view rejected no longer matters
            self.state = self.state.renewed()
        try:
            self.state.apply(event)
        except StateError as error:
            self.lose(error)
            raise

    def lose(self, fault: StateError) -> None:
        """The view cannot follow any longer."""
        self.lost, self.fault = True, fault

    def find_again(self) -> None:
        """A hand begins, or the server says where it is: a lost view is replaced by a new one."""
        if self.lost:
            self.state = self.state.renewed()
        self.lost = False
