"""One seat's view of a game, built from events; all four views of a table; views fed with events that may be wrong."""

import hashlib
from collections.abc import Callable
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar, cast

from numpy.typing import NDArray

from engine._jit import Records
from engine.model import events as ev
from engine.model.actions import Action
from engine.model.melds import MeldKind
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS
from engine.rules.answer_kernels import KANS_WORD
from engine.rules.answers import canonical, claim_actions, own_actions
from engine.rules.refusal_kernels import ASKED
from engine.rules.table_kernels import Table
from engine.rules.tables import copy_of, empty_view
from engine.rules.view_kernels import legal_words, take_in, take_in_four
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
    _asked: bool

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
        record: Any = copy_of(self.record)
        found = take_in(record, code, hand_tables())
        if found > ASKED:
            if self.phase is not Phase.RESUMED:
                refuse_for(self, event, found)
            shown = self._with(taken_up(self, event))
            record = copy_of(shown.record)
            found = take_in(record, code, hand_tables())
            if found > ASKED:
                refuse_for(shown, event, found)
        _put(self, self.seat, self.rules, record, asked=found == ASKED)

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
        return self._legal

    @Fact
    def _legal(self) -> tuple[Action, ...]:
        if not self._asked:
            return ()
        words = legal_words(cast("Records[Table]", self.record), hand_tables())
        if not any(words):
            return ()
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
        record = copy_of(self.record)
        declared = self.riichi_pending
        if declared is not None and declared != self.seat:
            record["riichi"][0, declared] = record["ippatsu"][0, declared] = 1
        return cast("Records[Table]", record)

    def canonical(self, action: Action) -> Action:
        """The legal action that nobody can tell from this one; the action itself if there is none."""
        return canonical(action, self.hand, self.drawn, self.rules.red_fives)

    def is_legal(self, action: Action) -> bool:
        """Whether the action, or one that nobody can tell from it, is legal."""
        legal = self.legal_actions()
        return action in legal or (bool(legal) and self.canonical(action) in legal)

    def renewed(self) -> "GameState":
        """An empty view of this seat, by these rules."""
        return GameState(self.seat, self.rules)

    def copy(self) -> "GameState":
        """An independent copy."""
        return self._with(copy_of(self.record))

    __copy__ = copy

    def recalled(self, *, ippatsu: bool, double_riichi: bool, rinshan: bool) -> "GameState":
        """A copy with the facts about the viewer that no snapshot shows, and that became known later."""
        return self._with(recalled(self, ippatsu=ippatsu, double_riichi=double_riichi, rinshan=rinshan))

    def _with(self, record: NDArray[Any]) -> "GameState":
        twin = object.__new__(GameState)
        _put(twin, self.seat, self.rules, record)
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.seat, self.rules, self.record.tobytes())

    def digest(self) -> str:
        """A hash of everything the viewer knows; equal views give the same text on every machine and Python version."""
        facts = [(name, bytes(self.seen) if name == "seen" else getattr(self, name)) for name in FACTS]
        return hashlib.blake2b(repr(facts).encode(), digest_size=16).hexdigest()


FACTS: Final = (
    "counts",
    "dealer",
    "dora_indicators",
    "drawn",
    "furiten_riichi",
    "furiten_turn",
    "hand",
    "history_known",
    "honba",
    "ippatsu",
    "kans",
    "kuikae",
    "kyoku",
    "melds",
    "missed",
    "offered",
    "pending_dora",
    "phase",
    "riichi",
    "riichi_pending",
    "riichi_sticks",
    "rinshan",
    "river_mask",
    "rivers",
    "round_wind",
    "rules",
    "scores",
    "seat",
    "seat_wind",
    "seen",
    "turn",
    "uninterrupted",
    "visible",
    "waits",
    "waits_mask",
    "wall_left",
    "winners",
)
"""The attributes that hold what the viewer knows."""


def _put(state: GameState, seat: int, rules: Rules, record: NDArray[Any], *, asked: bool = True) -> None:
    """Put a record in the place of a state's old one, with all that was read from that, in one step.

    ``asked``: False if it is known that the seat has nothing to answer.
    """
    state.__dict__ = {"seat": seat, "rules": rules, "record": record, "_asked": asked}


def _restored(seat: int, rules: Rules, memory: bytes) -> GameState:
    """A view from its record's memory, as it is pickled."""
    state = GameState(seat, rules)
    record = copy_of(state.record)
    record.base[:] = memory  # type: ignore[index]  # a bytearray
    _put(state, seat, rules, record)
    return state


class View(Protocol):
    """A view that follows a game: :class:`GameState`, or all four views of a table."""

    def apply(self, event: ev.Event) -> None:
        """Apply an event; a :class:`StateError` if it cannot have happened."""

    def renewed(self) -> Self:
        """An empty view of these seats, by these rules."""


V = TypeVar("V", bound=View)


class FourViews(list[GameState]):
    """The views of the four seats of one table, each of which gets only what its seat may see.

    Their records are changed in place, so nobody may look from another thread meanwhile.
    """

    def __init__(self, rules: Rules = HANCHAN) -> None:
        super().__init__(GameState(seat, rules) for seat in SEATS)

    def apply(self, event: ev.Event) -> None:
        """Apply an event, given with full information, to all four.

        Raises:
            StateError: it cannot have happened; some of the views may have changed.
        """
        number = NUMBERS.get(type(event))
        if number is None:
            for view in self:
                view.apply(event)
        else:
            self._apply_play(event, number(self[0], event))

    def _apply_play(self, event: ev.Event, code: int) -> None:
        records: list[Any] = [view.record for view in self]
        first, second, third, fourth = records
        asked = take_in_four(first, second, third, fourth, code, hand_tables())
        if asked < 0:
            for view in self:
                view.apply(event)
        else:
            for seat, view in enumerate(self):
                _put(view, seat, view.rules, records[seat], asked=asked >> seat & 1 != 0)

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
