"""One seat's view of a game whose events may be wrong, as a server's or a log's: lost after one until the next hand."""

from __future__ import annotations

from engine.model.events import EndGame, Event, Resume, StartGame, StartKyoku
from engine.state.changes import StateError
from engine.state.game import GameState


class Follower:
    """Follows a game with a view.

    Attributes:
        state: the view; while it is lost, as it was before the event that cannot have happened.
        lost: whether the view could not follow: only the next hand, or the server's own account of this one, is
            followed again, by a new view.
        fault: why the event that was heard last cannot have happened; None if it can, or was passed over.
    """

    def __init__(self, state: GameState, *, lost: bool = False) -> None:
        self.state = state
        self.lost = lost
        self.fault: StateError | None = None

    def hear(self, event: Event) -> bool:
        """Apply an event, as the seat sees it; whether that was possible. Events of a lost hand are passed over."""
        self.fault = None
        if self.lost and not isinstance(event, StartGame | StartKyoku | Resume | EndGame):
            return False
        try:
            self.apply(event)
        except StateError:
            return False
        return True

    def apply(self, event: Event) -> None:
        """Apply an event, whether or not the view is lost.

        Raises:
            StateError: it cannot have happened; the view is lost now.
        """
        if isinstance(event, StartKyoku | Resume):
            self.find_again()
        elif isinstance(event, EndGame) and self.lost:  # what the old view rejected no longer matters
            self.state = GameState(self.state.seat, self.state.rules)
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
            self.state = GameState(self.state.seat, self.state.rules)
        self.lost = False
