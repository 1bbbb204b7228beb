"""One seat's view of a game, built from events; all four views of a table; views fed with events that may be wrong."""

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar, cast

from numpy.typing import NDArray

from engine._jit import Records, machine_code
from engine.model import events as ev
from engine.model.actions import Action, ActionKind
from engine.model.melds import MeldKind
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS
from engine.rules.answer_kernels import KANS_WORD
from engine.rules.answers import canonical, claim_actions, has_discard, own_actions
from engine.rules.table_kernels import Table
from engine.rules.tables import TABLE, empty_view, record_in
from engine.rules.view_kernels import legal_words, take_in
from engine.shanten.tables import hand_tables
from engine.state.ends import end_game, ryuukyoku, start_game, start_kyoku, win
from engine.state.facts import Fact, Phase, SeatView
from engine.state.refuse import NUMBERS, StateError, refuse_for
from engine.state.snapshot import recalled, resume, taken_up
from engine.state.words import drawn

_BETWEEN: Final[dict[type, Callable[[SeatView, Any], NDArray[Any]]]] = {
    ev.StartGame: start_game,
    ev.StartKyoku: start_kyoku,
    ev.Win: win,
    ev.Ryuukyoku: ryuukyoku,
    ev.EndGame: end_game,
    ev.Resume: resume,
}
"""The events that are not play: what returns the record after each."""
_ASIDE: Final = (ev.Disconnected, ev.Reconnected)
"""The events that change nothing."""


class GameState(SeatView):
    """One seat's view of a game. Only :meth:`apply` changes it.

    An event is taken in by a copy of the record, which is put in the old one's place when all is done: other threads
    may look meanwhile, and an event that is refused has changed nothing.

    Attributes:
        painter: what draws a view for notebooks; whoever can draw pictures puts it here.
    """

    painter: ClassVar[Callable[["GameState"], str] | None] = None

    def __init__(self, seat: int, rules: Rules = HANCHAN) -> None:
        if seat not in SEATS:
            raise ValueError(f"seat {seat!r}: seats are 0 to 3")
        _put(self, int(seat), rules, empty_view(rules, seat))

    def apply(self, event: ev.Event) -> None:
        """Apply an event. A tile of another player that this seat may not see is ignored.

        Raises:
            StateError: the event cannot happen here; nothing has changed.
        """
        number = NUMBERS.get(type(event))
        if number is None:
            self._apply_between(event)
            return
        code = number(self, event)
        record: Any = self.copied()
        found = machine_code(take_in)(record, code, hand_tables())
        if found < 0:
            if self.phase is not Phase.RESUMED:
                refuse_for(self, event, -found)
            shown = self._with(taken_up(self, event))
            record = shown.copied()
            found = machine_code(take_in)(record, code, hand_tables())
            if found < 0:
                refuse_for(shown, event, -found)
        _put(self, self.seat, self.rules, record, found != 0)

    def _apply_between(self, event: ev.Event) -> None:
        """Apply an event that is not play."""
        if isinstance(event, _ASIDE):
            return
        if type(event) not in _BETWEEN:
            raise StateError(f"{event!r} is not an event; see engine.model.events")
        state = self._with(taken_up(self, event)) if self.phase is Phase.RESUMED else self
        rules = event.rules if isinstance(event, ev.StartGame) else self.rules
        _put(self, self.seat, rules, _BETWEEN[type(event)](state, event))

    def __repr__(self) -> str:
        return drawn(self)

    def _repr_html_(self) -> str | None:
        """The table as a picture, for notebooks."""
        return None if GameState.painter is None else GameState.painter(self)

    def legal_actions(self) -> tuple[Action, ...]:
        """The seat's legal answers: empty if nothing is asked of it, ``PASS`` last if it may claim another's tile.

        Answers that nobody can tell apart (copies of a plain tile, none just drawn) appear once, with the lowest copy.
        After its riichi is declared, the seat is asked for a ``DISCARD`` again.
        """
        return self._legal if self.asked else ()

    @Fact
    def asked(self) -> bool:
        """Whether the seat has something to answer, which is quicker than finding out what."""
        return any(self._words)

    @Fact
    def _words(self) -> tuple[int, int, int, int]:
        """The legal answers as four bit sets, see :mod:`engine.rules.answer_kernels`."""
        words: tuple[int, int, int, int] = machine_code(legal_words)(self.record, hand_tables())
        return words

    @Fact
    def _legal(self) -> tuple[Action, ...]:
        words = self._words
        if self.turn != self.seat:
            return claim_actions(words[3], self.offered, self.hand, self.rules.red_fives)
        kans = words[KANS_WORD]
        pons = [meld.tile34 for meld in self.melds[self.seat] if meld.kind is MeldKind.PON] if kans else ()
        return own_actions(words, self.hand, self.drawn, pons, self.rules.red_fives)

    def as_table(self) -> Records[Table]:
        """The seat's view for kernels, made once between two events; they may write into it.

        A riichi that another seat has declared stands there as accepted: for whoever may deal in it is as good as that.
        """
        return self._table

    @Fact
    def _table(self) -> Records[Table]:
        record = self.copied()
        declared = self.riichi_pending
        if declared is not None and declared != self.seat:
            record["riichi"][0, declared] = record["ippatsu"][0, declared] = 1
        return cast("Records[Table]", record)

    def canonical(self, action: Action) -> Action:
        """The legal action that nobody can tell from this one; the action itself if there is none."""
        return canonical(action, self.hand, self.drawn, self.rules.red_fives)

    def is_legal(self, action: Action) -> bool:
        """Whether the action, or one that nobody can tell from it, is legal."""
        if not self.asked:
            return False
        if action.kind is ActionKind.DISCARD or action.kind is ActionKind.RIICHI:
            return self.holds(action.tile) and has_discard(self._words, action, self.drawn, self.rules.red_fives)
        legal = self.legal_actions()
        return action in legal or self.canonical(action) in legal

    def renewed(self) -> "GameState":
        """An empty view of this seat, by these rules."""
        return GameState(self.seat, self.rules)

    def copy(self) -> "GameState":
        """An independent copy."""
        return self._with(self.copied())

    __copy__ = copy

    def recalled(self, *, ippatsu: bool, double_riichi: bool, rinshan: bool) -> "GameState":
        """A copy with the facts about the viewer that no snapshot shows, and that became known later."""
        return self._with(recalled(self, ippatsu=ippatsu, double_riichi=double_riichi, rinshan=rinshan))

    def _with(self, record: NDArray[Any]) -> "GameState":
        twin = object.__new__(GameState)
        _put(twin, self.seat, self.rules, record)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.seat, self.rules, bytes(self.memory))

    def digest(self) -> str:
        """A hash of everything the viewer knows; equal views give the same text on every machine and Python version."""
        facts = [(name, bytes(self.seen) if name == "seen" else getattr(self, name)) for name in FACTS]
        return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()


FACTS: Final = tuple(
    sorted({"rules", "seat", *(name for name, fact in vars(SeatView).items() if isinstance(fact, Fact))} - {"record"})
)
"""The attributes that hold what the viewer knows."""


def _put(state: GameState, seat: int, rules: Rules, record: NDArray[Any], asked: bool | None = None) -> None:
    """Put a record, which fills its memory, in the place of a state's old one, with all that was read from that.

    ``asked``: whether the seat has something to answer, if that is known. It happens in one step.
    """
    kept = {"seat": seat, "rules": rules, "memory": record.base, "record": record}
    if asked is not None:
        kept["asked"] = asked
    state.__dict__ = kept


def _restored(seat: int, rules: Rules, memory: bytes) -> GameState:
    """A view from its record's memory, as it is pickled."""
    state = GameState(seat, rules)
    _put(state, seat, rules, record_in(bytearray(memory)))
    return state


class View(Protocol):
    """A view that follows a game: :class:`GameState`, or all four views of a table."""

    def apply(self, event: ev.Event) -> None:
        """Apply an event; a :class:`StateError` if it cannot have happened."""

    def renewed(self) -> Self:
        """An empty view of these seats, by these rules."""


V = TypeVar("V", bound=View)


_BARE: Final = 5
"""How many attributes a view has of which nothing was read, whether it is asked included."""


class FourViews(list[GameState]):
    """The views of the four seats of one table, each of which gets only what its seat may see.

    Only :meth:`apply` may change them. While a hand is played their records lie side by side, and an event changes them
    in place, so nobody may look from another thread meanwhile.
    """

    def __init__(self, rules: Rules = HANCHAN) -> None:
        super().__init__(GameState(seat, rules) for seat in SEATS)
        self._records: NDArray[Any] | None = None

    def apply(self, event: ev.Event) -> None:
        """Apply an event, given with full information, to all four.

        Raises:
            StateError: it cannot have happened; some of the views may have changed.
        """
        number = NUMBERS.get(type(event))
        if number is not None:
            code = number(self[0], event)
            records: Any = self._side_by_side() if self._records is None else self._records
            asked = machine_code(take_in)(records, code, hand_tables())
            if asked >= 0:
                for seat, view in enumerate(self):
                    if len(view.__dict__) > _BARE:  # something was read of the record as it was
                        view.__dict__ = self._bare[seat].copy()
                    view.__dict__["asked"] = asked >> seat & 1 != 0
                return
        self._records = None
        for view in self:
            view.apply(event)

    def _side_by_side(self) -> NDArray[Any]:
        """Lay the four records side by side: each view keeps its part of their memory."""
        memory = bytearray().join(view.memory for view in self)
        whole, size = memoryview(memory), TABLE.itemsize
        self._bare: list[dict[str, Any]] = []
        for seat, view in enumerate(self):
            part = whole[size * seat : size * (seat + 1)]
            bare = {"seat": seat, "rules": view.rules, "memory": part, "record": record_in(part)}
            self._bare.append(bare)
            view.__dict__ = bare.copy()
        self._records = record_in(memory)
        return self._records

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
