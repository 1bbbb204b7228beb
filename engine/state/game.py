"""One seat's view of a game, built from events."""

from __future__ import annotations

import hashlib

from engine.model.actions import Action
from engine.model.events import Event
from engine.state.errors import StateError
from engine.state.legal import canonical, find_legal_actions
from engine.state.parts import Phase
from engine.state.seat_view import SeatView
from engine.state.snapshot import take_up
from engine.state.transitions import HANDLERS
from engine.state.validate import validate


class GameState(SeatView):
    """One seat's view of a game. :meth:`apply` takes in events and alone changes it."""

    __slots__ = ()

    def apply(self, event: Event) -> None:
        """Take in what happened. A tile of another player that this seat may not see is ignored.

        Raises:
            StateError: the event cannot happen here; nothing has changed.
        """
        handler = HANDLERS.get(type(event))
        if handler is None:
            raise StateError(f"{event!r} is no event; a state takes those of engine.model.events")
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
        self.legal = None

    def _become(self, other: GameState) -> None:
        for name in SeatView.__slots__:
            setattr(self, name, getattr(other, name))

    def legal_actions(self) -> tuple[Action, ...]:
        """What the seat may answer now: empty when it is not asked, ``PASS`` last when asked about another's tile.

        Answers nobody can tell apart (copies of a plain tile, none just drawn) appear once, with the lowest copy.
        After its riichi is declared the seat is asked for a ``DISCARD`` again.
        """
        if self.legal is None:
            self.legal = find_legal_actions(self)
        return self.legal

    def is_legal(self, action: Action) -> bool:
        """Whether the action, or one that nobody can tell from it, is among the legal ones."""
        legal = self.legal_actions()
        return action in legal or (bool(legal) and canonical(self, action) in legal)

    def validate(self) -> None:
        """Compute every derived fact again, in another way.

        Raises:
            StateError: one differs.
        """
        validate(self)

    def copy(self) -> GameState:
        """An independent copy; what never changes is shared."""
        twin = object.__new__(GameState)
        for name in SeatView.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in _LISTS:
            setattr(twin, name, getattr(self, name)[:])
        twin.melds = [melds[:] for melds in self.melds]
        twin.rivers = [river[:] for river in self.rivers]
        return twin

    def digest(self) -> str:
        """A hash of all that the viewer knows: equal views give equal text, on every machine and Python."""
        facts = [(name, _plain(getattr(self, name))) for name in SeatView.__slots__ if name != "legal"]
        return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()


def _plain(value: object) -> object:
    return bytes(value) if isinstance(value, bytearray) else value


_LISTS = ("counts", "dora_indicators", "hand", "ippatsu", "kans", "riichi", "scores", "seen", "visible")
"""The slots that hold a flat list."""
