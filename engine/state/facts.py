"""What one seat knows of a hand, read from the record in which it is kept."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from enum import IntEnum
from functools import lru_cache
from itertools import chain
from math import prod
from operator import getitem
from struct import Struct
from typing import Any, Final, Generic, NamedTuple, Self, TypeVar, cast, overload

from numpy.typing import NDArray

from engine._jit import Records
from engine.model.events import Draw, Event, StartKyoku
from engine.model.melds import Meld, MeldKind
from engine.model.rules import Rules
from engine.model.seats import SEATS, four, kyoku_name, others, round_wind34, seat_wind34
from engine.model.tiles import KINDS, TILES
from engine.rules import table_kernels as table
from engine.rules.table_kernels import Table
from engine.rules.tables import TABLE, record_in
from engine.rules.view_kernels import nagashi_mask, win_flags
from engine.scoring import WinContext


class Phase(IntEnum):
    """The phase of a hand; ``turn`` is the seat it refers to."""

    IDLE = table.IDLE
    """No hand is in progress."""
    DEALT = table.DEALT
    """Hands are dealt; ``turn``, the dealer, draws."""
    DRAWN = table.DRAWN
    """``turn`` has drawn and acts."""
    CALLED = table.CALLED
    """``turn`` has made a chi or pon and discards."""
    DECLARED = table.DECLARED
    """``turn`` has declared riichi and discards."""
    DISCARDED = table.DISCARDED
    """The discard of ``turn`` can be claimed by the others; then the next seat draws."""
    KAN = table.KAN
    """``turn`` has made a kan and draws from the dead wall; a kakan can be robbed."""
    ENDED = table.ENDED
    """The hand is over."""
    RESUMED = table.RESUMED
    """A snapshot was applied; the next event shows whose turn it is."""


class RiverTile(NamedTuple):
    """One discard."""

    tile: int  # ``tile136``
    tsumogiri: bool | None  # whether it was the tile just drawn; None if a snapshot does not say
    riichi: bool = False  # whether riichi was declared with it
    called_by: int | None = None  # the seat that called it, or None


T = TypeVar("T")


class Fact(Generic[T]):
    """A fact that is read from a view's record when it is first asked for, and is kept as long as that record.

    It is kept beside the memory from which it was read, never beside one that another thread has put in its place.
    """

    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read
        self.__doc__ = read.__doc__

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, view: None, _owner: type | None = None) -> Self: ...
    @overload
    def __get__(self, view: object, _owner: type | None = None) -> T: ...
    def __get__(self, view: object | None, _owner: type | None = None) -> T | Self:
        if view is None:
            return self
        kept = view.__dict__
        found = kept[self._name] = self._read(view)
        return found


def _place(field: str) -> int:
    """Where a field begins in the memory of a record."""
    return _FIELDS[field][1]


def _reader(field: str) -> Callable[[Any], tuple[int, ...]]:
    """What reads the numbers of a field from a view; a third of the time that numpy takes for each of them."""
    read, at = Struct(f"{prod(TABLE[field].shape)}{TABLE[field].base.char}").unpack_from, _place(field)
    return lambda view: read(view.memory, at)


_FIELDS: Final = cast("Mapping[str, tuple[Any, int]]", TABLE.fields)


def _number(field: str) -> "Fact[int]":
    """A field that is one number."""
    read = _reader(field)
    return Fact(lambda view: read(view)[0])


def _flag(field: str) -> "Fact[bool]":
    """A field that is 0 or 1."""
    read = _reader(field)
    return Fact(lambda view: read(view)[0] != 0)


def _number_if_any(field: str) -> "Fact[int | None]":
    """A field that is -1 for none."""
    read = _reader(field)
    return Fact(lambda view: None if (found := read(view)[0]) < 0 else found)


def _by_seat(field: str) -> "Fact[list[int]]":
    """A field with a number for each seat."""
    read = _reader(field)
    return Fact(lambda view: list(read(view)))


def _own(field: str) -> "Fact[int]":
    """The viewer's number in a field that has one for each seat."""
    read = _reader(field)
    return Fact(lambda view: read(view)[view.seat])


def _own_flag(field: str) -> "Fact[bool]":
    """The viewer's 0 or 1 in a field that has one for each seat."""
    read = _reader(field)
    return Fact(lambda view: read(view)[view.seat] != 0)


class SeatView:
    """One seat's knowledge of a hand: a record of the table, and the facts that are read from it.

    Anybody may read the attributes; a fact is read from the record when it is first asked for. Nobody writes into the
    record: an event puts another in its place (:meth:`engine.state.GameState.apply`).

    Attributes:
        seat: absolute seat whose view this is.
        rules: rules of the table.
        memory: the bytes of a :class:`engine.rules.table_kernels.Table`, with the viewer's hand alone.
    """

    seat: int
    rules: Rules
    memory: bytearray | memoryview

    @Fact
    def record(self) -> NDArray[Any]:
        """The memory as an array of one record."""
        return record_in(self.memory)

    def copied(self) -> NDArray[Any]:
        """An independent copy of the record, made in one move of memory."""
        return record_in(bytearray(self.memory))

    kyoku = _number("kyoku")
    honba = _number("honba")
    dealer = _number("dealer")
    riichi_sticks = _number("sticks")  # this hand's included
    turn = _number("turn")
    wall_left = _number("wall")  # tiles left in the live wall; a kan takes one
    offered = _number("offered")  # ``tile136`` of the discard or kakan that others may claim, or -1
    pending_dora = _number("dora_owed")  # number of kans whose indicator has not been turned yet
    kuikae = _number("kuikae")  # bit set of the ``tile34`` that ``turn`` may not discard after its call
    uninterrupted = _flag("uninterrupted")  # whether nobody has called yet in this hand
    rinshan = _flag("from_dead_wall")  # whether the last draw came from the dead wall
    # False after a snapshot in the middle of a hand: passed tiles, ippatsu and tsumogiri before it are not known; the
    # state then assumes no furiten by a passed tile and no ippatsu
    history_known = _flag("seen_whole")
    drawn = _number_if_any("drawn")  # the viewer's ``tile136`` just drawn, or None
    riichi_pending = _number_if_any("declared")  # seat whose declared riichi is not accepted yet, or None
    scores = _by_seat("scores")  # points, riichi paid
    riichi = _by_seat("riichi")  # 0 none, 1 riichi, 2 double riichi; set once accepted
    kans = _by_seat("kans")  # number of kans
    waits_mask = _own("waits")  # ``waits`` as a bit set
    river_mask = _own("river_mask")  # bit set of the kinds that the viewer has discarded
    missed = _own_flag("missed")  # whether the tile on offer would complete the hand; unless taken it makes furiten
    furiten_turn = _own_flag("furiten_turn")  # whether a winning tile was passed since the viewer's last discard
    furiten_riichi = _own_flag("furiten_riichi")  # whether one was passed since its riichi

    @Fact
    def phase(self) -> Phase:
        """The phase of the hand."""
        return _PHASES[_PHASE(self)[0]]

    @Fact
    def ippatsu(self) -> list[bool]:
        """Whether each seat would win with ippatsu."""
        return [flag != 0 for flag in _IPPATSU(self)]

    @Fact
    def winners(self) -> tuple[int, ...]:
        """The seats that won the hand just ended, in order."""
        places = _WON(self)
        return tuple(sorted((seat for seat in SEATS if places[seat]), key=places.__getitem__))

    @Fact
    def hand(self) -> list[int]:
        """The viewer's concealed ``tile136``, ascending, including the drawn tile."""
        return list(chain.from_iterable(map(getitem, _COPIES, self._of_kinds("copies"))))

    @Fact
    def counts(self) -> list[int]:
        """Number of each ``tile34`` in ``hand``."""
        return list(self._of_kinds("counts"))

    @Fact
    def visible(self) -> list[int]:
        """Number of each ``tile34`` that the viewer sees anywhere."""
        return list(self.memory[_VISIBLE : _VISIBLE + KINDS])

    @Fact
    def seen(self) -> bytearray:
        """136 flags, the tiles that the viewer has seen."""
        seen = bytearray(TILES)
        for kind, copies in enumerate((self.record["copies"][0, self.seat] | self.record["open_copies"][0]).tolist()):
            for tile in _COPIES[kind][copies]:
                seen[tile] = 1
        return seen

    @Fact
    def waits(self) -> tuple[int, ...]:
        """The ``tile34`` that complete the viewer's hand before its draw, also while it has drawn.

        They are empty between a chi or pon and the discard.
        """
        mask = self.waits_mask
        return tuple([kind for kind in range(mask.bit_length()) if mask >> kind & 1]) if mask else ()

    @Fact
    def dora_indicators(self) -> list[int]:
        """``tile136`` in the order turned."""
        turned: list[int] = self.record["indicator_tiles"][0, : self.record["indicators"][0]].tolist()
        return turned

    @Fact
    def rivers(self) -> list[list[RiverTile]]:
        """The discards of each seat; called tiles are included and marked."""
        record = self.record
        return [
            [_river_tile(tile, flags) for tile, flags in zip(tiles[:length], marks[:length], strict=True)]
            for length, tiles, marks in zip(
                record["lengths"][0].tolist(),
                record["river_tiles"][0].tolist(),
                record["river_flags"][0].tolist(),
                strict=True,
            )
        ]

    @Fact
    def melds(self) -> list[list[Meld]]:
        """The melds of each seat, oldest first."""
        record = self.record
        numbers = record["melds"][0].tolist()
        if not any(numbers):
            return [[], [], [], []]
        kinds, givers, lows, tiles = (
            record[name][0].tolist() for name in ("meld_kinds", "meld_from", "meld_lows", "meld_tiles")
        )
        return [
            [_meld(kinds[seat][at], givers[seat][at], lows[seat][at], *tiles[seat][at]) for at in range(numbers[seat])]
            for seat in SEATS
        ]

    @Fact
    def round_wind(self) -> int:
        """``tile34``."""
        return round_wind34(self.kyoku)

    @Fact
    def seat_wind(self) -> int:
        """``tile34`` of the viewer's wind."""
        return seat_wind34(self.seat, self.dealer)

    def _of_kinds(self, field: str) -> bytearray | memoryview:
        """The viewer's bytes for each ``tile34`` in a field that has them for each seat."""
        at = _place(field) + self.seat * KINDS
        return self.memory[at : at + KINDS]

    def holds(self, tile: int) -> bool:
        """Whether the viewer holds a ``tile136`` concealed; of any other number False."""
        return 0 <= tile < TILES and self._of_kinds("copies")[tile >> 2] >> (tile & 3) & 1 != 0

    def unseen(self, tile34: int) -> int:
        """Number of copies of a kind that the viewer does not see: 0 to 4."""
        return 4 - self.visible[tile34]

    def has_declared(self, seat: int) -> bool:
        """Whether a seat has declared riichi, even if its riichi discard may still be won on."""
        return self.riichi[seat] > 0 or self.riichi_pending == seat

    @property
    def riichi_opponents(self) -> tuple[int, ...]:
        """The viewer's opponents that have declared riichi, ascending."""
        return tuple([seat for seat in others(self.seat) if self.has_declared(seat)])

    @property
    def first_turn(self) -> bool:
        """Whether the viewer has not discarded and nobody has called: double riichi, tenhou, chihou, nine terminals."""
        return self.uninterrupted and not self.record["lengths"][0, self.seat]

    @property
    def closed(self) -> bool:
        """Whether the viewer's hand is closed: no meld except closed kans."""
        return all(meld.kind is MeldKind.ANKAN for meld in self.melds[self.seat])

    @property
    def furiten_river(self) -> bool:
        """Whether one of the viewer's waits is among its own discards."""
        return self.waits_mask & self.river_mask != 0

    @property
    def furiten(self) -> bool:
        """Whether the viewer may not win on another player's tile, for any reason."""
        return self.furiten_riichi or self.furiten_turn or self.furiten_river

    def win_context(self, tile: int, from_seat: int | None = None, ura_indicators: tuple[int, ...] = ()) -> WinContext:
        """The context in which a win of the viewer on ``tile`` would be scored now.

        Args:
            tile: ``tile136``; added to the hand unless it is already part of it.
            from_seat: the discarder; None or the viewer's own seat for a self-draw.
            ura_indicators: ``tile136``, known only once the hand is won.
        """
        flags = win_flags(cast("Records[Table]", self.record), from_seat is None or from_seat == self.seat)
        hand = self.hand
        concealed = tuple(hand) if tile in hand else tuple(sorted((*hand, tile)))
        melds = tuple(self.melds[self.seat])
        return WinContext.of(flags, concealed, melds, tile, tuple(self.dora_indicators), ura_indicators, self.rules)

    def place(self) -> str:
        """The name of the hand: ``'E1'``, ``'S3-2'``."""
        return kyoku_name(self.kyoku, self.honba)


_PHASE: Final = _reader("phase")
_PHASES: Final = tuple(Phase)
_IPPATSU: Final = _reader("ippatsu")
_WON: Final = _reader("won")
_VISIBLE: Final = _place("visible")
_COPIES: Final = tuple(
    tuple(tuple(4 * kind + copy for copy in range(4) if held >> copy & 1) for held in range(16))
    for kind in range(KINDS)
)
"""``_COPIES[tile34][bit set of copies]``: the ``tile136``."""
_KEPT: Final = 1 << 13
"""Discards and melds that all views share, so that reading a river makes no object for each tile: more than a day's
play shows, and a bound where everybody may claim any meld."""


@lru_cache(maxsize=_KEPT)
def _river_tile(tile: int, flags: int) -> RiverTile:
    return RiverTile(
        tile,
        None if flags & table.UNSAID else flags & table.WAS_TSUMOGIRI != 0,
        flags & table.WAS_RIICHI != 0,
        flags >> table.CALLER_AT & 3 if flags & table.WAS_CALLED else None,
    )


@lru_cache(maxsize=_KEPT)
def _meld(kind: int, giver: int, low: int, called: int, first: int, second: int, added: int) -> Meld:
    three = kind in (table.IS_CHI, table.IS_PON)
    return Meld(
        MeldKind(kind),
        tuple(sorted((called, first, second))) if three else tuple(range(4 * low, 4 * low + 4)),
        None if called == table.NO_TILE else called,
        giver,
        None if added == table.NO_TILE else added,
    )


def nagashi_seats(state: SeatView) -> tuple[int, ...]:
    """The seats that have discarded only terminals and honours, none of which was called."""
    seats = nagashi_mask(cast("Records[Table]", state.record))
    return tuple(seat for seat in SEATS if seats >> seat & 1)


_HIDDEN_DRAWS: Final = tuple(Draw(seat, None) for seat in SEATS)


def visible_to(event: Event, seat: int) -> Event:
    """The event as ``seat`` sees it: without the other seats' dealt hands and drawn tiles."""
    if isinstance(event, Draw):
        return event if event.seat == seat else _HIDDEN_DRAWS[event.seat]
    if isinstance(event, StartKyoku):
        hands = event.hands
        return replace(event, hands=four(hands[each] if each == seat else None for each in SEATS))
    return event
