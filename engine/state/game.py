"""One seat's view of a game, built from events; all four views of a table; views fed with events that may be wrong."""

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

from engine._jit import Records
from engine.model import events as ev
from engine.model.actions import Action
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS
from engine.rules.table_kernels import Table
from engine.state.changes import StateError
from engine.state.endings import end_game, ryuukyoku, win
from engine.state.legal import canonical, find_legal_actions
from engine.state.play import call, discard, draw, new_dora, riichi_accepted, riichi_declared, start_game, start_kyoku
from engine.state.seat_view import HIDING, Phase, SeatView, view_of, visible_to
from engine.state.snapshot import resume, take_up
from engine.state.validate import validate
from engine.state.words import drawn


def nothing(_state: SeatView, _event: ev.Event) -> None:
    """Change nothing."""


HANDLERS: Final[dict[type, Callable[[SeatView, Any], None]]] = {
    ev.StartGame: start_game,
    ev.StartKyoku: start_kyoku,
    ev.Draw: draw,
    ev.Discard: discard,
    ev.Call: call,
    ev.RiichiDeclared: riichi_declared,
    ev.RiichiAccepted: riichi_accepted,
    ev.NewDora: new_dora,
    ev.Win: win,
    ev.Ryuukyoku: ryuukyoku,
    ev.EndGame: end_game,
    ev.Resume: resume,
    ev.Disconnected: nothing,
    ev.Reconnected: nothing,
}
"""The function for each event."""


class GameState(SeatView):
    """One seat's view of a game. Only :meth:`apply` changes it.

    Attributes:
        painter: what draws a view for notebooks; whoever can draw pictures puts it here.
    """

    __slots__ = ()
    painter: ClassVar[Callable[["GameState"], str] | None] = None

    def apply(self, event: ev.Event) -> None:
        """Apply an event. A tile of another player that this seat may not see is ignored.

        Raises:
            StateError: the event cannot happen here; nothing has changed.
        """
        handler = HANDLERS.get(type(event))
        if handler is None:
            raise StateError(f"{event!r} is not an event; see engine.model.events")
        if self.phase is Phase.RESUMED:
            before = self.copy()
            try:
                take_up(self, event)
                handler(self, event)
            except StateError:
                self._become(before)
                raise
        else:
            handler(self, event)
        self.legal = self.view = None

    def __repr__(self) -> str:
        return drawn(self)

    def _repr_html_(self) -> str | None:
        """The table as a picture, for notebooks."""
        return None if GameState.painter is None else GameState.painter(self)

    def _become(self, other: "GameState") -> None:
        for name in SeatView.__slots__:
            setattr(self, name, getattr(other, name))

    def legal_actions(self) -> tuple[Action, ...]:
        """The seat's legal answers: empty if nothing is asked of it, ``PASS`` last if it may claim another's tile.

        Answers that nobody can tell apart (copies of a plain tile, none just drawn) appear once, with the lowest copy.
        After its riichi is declared, the seat is asked for a ``DISCARD`` again.
        """
        if self.legal is None:
            self.legal = find_legal_actions(self)
        return self.legal

    def as_table(self) -> Records[Table]:
        """The seat's view as kernels read it, made once between two events; see :func:`view_of`."""
        if self.view is None:
            self.view = view_of(self)
        return self.view

    def is_legal(self, action: Action) -> bool:
        """Whether the action, or one that nobody can tell from it, is legal."""
        legal = self.legal_actions()
        return action in legal or (bool(legal) and canonical(self, action) in legal)

    def validate(self) -> None:
        """Recompute every derived fact in a different way.

        Raises:
            StateError: a fact differs.
        """
        validate(self)

    def renewed(self) -> "GameState":
        """An empty view of this seat, by these rules."""
        return GameState(self.seat, self.rules)

    def copy(self) -> "GameState":
        """An independent copy; immutable parts are shared."""
        twin = object.__new__(GameState)
        for name in SeatView.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in _LISTS:
            setattr(twin, name, getattr(self, name)[:])
        twin.melds = [melds[:] for melds in self.melds]
        twin.rivers = [river[:] for river in self.rivers]
        twin.view = None  # a kernel's arrays cannot be kept from being written to
        return twin

    __copy__ = copy

    def digest(self) -> str:
        """A hash of everything the viewer knows; equal views give the same text on every machine and Python version."""
        facts = [(name, bytes(self.seen) if name == "seen" else getattr(self, name)) for name in _FACTS]
        return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()


_FACTS: Final = tuple(name for name in SeatView.__slots__ if name not in {"legal", "view"})
"""The slots that hold what the viewer knows, not what was derived from it."""
_LISTS = ("counts", "dora_indicators", "hand", "ippatsu", "kans", "riichi", "scores", "seen", "visible")
"""The slots that hold a flat list."""


class View(Protocol):
    """A view that follows a game: :class:`GameState`, or all four views of a table."""

    def apply(self, event: ev.Event) -> None:
        """Apply an event; a :class:`StateError` if it cannot have happened."""

    def renewed(self) -> Self:
        """An empty view of these seats, by these rules."""


V = TypeVar("V", bound=View)


class FourViews(list[GameState]):
    """The views of the four seats of one table, each of which gets only what its seat may see."""

    def __init__(self, rules: Rules = HANCHAN) -> None:
        super().__init__(GameState(seat, rules) for seat in SEATS)

    def apply(self, event: ev.Event) -> None:
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

    def renewed(self) -> "FourViews":
        """Empty views by these rules."""
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

    def hear(self, event: ev.Event) -> bool:
        """Apply an event, as the view sees it; whether that was possible. Events of a lost hand are passed over."""
        self.fault = None
        if self.passes_over(event):
            return False
        try:
            self.apply(event)
        except StateError:
            return False
        return True

    def passes_over(self, event: ev.Event) -> bool:
        """Whether an event belongs to a hand that is lost."""
        return self.lost and not isinstance(event, ev.StartGame | ev.StartKyoku | ev.Resume | ev.EndGame)

    def apply(self, event: ev.Event) -> None:
        """Apply an event, whether or not the view is lost.

        Raises:
            StateError: it cannot have happened; the view is lost now.
        """
        if self.lost and isinstance(event, ev.StartKyoku | ev.Resume):
            self.find_again()
        elif self.lost and isinstance(event, ev.EndGame):  # what the old view rejected no longer matters
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
