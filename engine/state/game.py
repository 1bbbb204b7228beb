"""One seat's view of a game, built from events."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar, Final

from engine._jit import Records
from engine.model import events as ev
from engine.model.actions import Action
from engine.rules.table_kernels import Table
from engine.state.changes import StateError
from engine.state.endings import end_game, ryuukyoku, win
from engine.state.legal import canonical, find_legal_actions
from engine.state.play import call, discard, draw, new_dora, riichi_accepted, riichi_declared, start_game, start_kyoku
from engine.state.seat_view import Phase, SeatView
from engine.state.snapshot import resume, take_up
from engine.state.table_view import view_of
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
    painter: ClassVar[Callable[[GameState], str] | None] = None

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

    def _become(self, other: GameState) -> None:
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
        """What the seat sees, as kernels read it; made once between two events; see :func:`view_of`."""
        if self.view is None:
            self.view = view_of(self)
        return self.view

    def is_legal(self, action: Action) -> bool:
        """Whether the action, or one that looks the same, is legal."""
        legal = self.legal_actions()
        return action in legal or (bool(legal) and canonical(self, action) in legal)

    def validate(self) -> None:
        """Recompute every derived fact in a different way.

        Raises:
            StateError: a fact differs.
        """
        validate(self)

    def renewed(self) -> GameState:
        """A new view of the same seat by the same rules."""
        return GameState(self.seat, self.rules)

    def copy(self) -> GameState:
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

    def digest(self) -> str:
        """A hash of everything the viewer knows; equal views give the same text on every machine and Python version."""
        facts = [(name, bytes(self.seen) if name == "seen" else getattr(self, name)) for name in _FACTS]
        return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()


_FACTS: Final = tuple(name for name in SeatView.__slots__ if name not in {"legal", "view"})
"""The slots that hold what the viewer knows, not what was derived from it."""
_LISTS = ("counts", "dora_indicators", "hand", "ippatsu", "kans", "riichi", "scores", "seen", "visible")
"""The slots that hold a flat list."""
