"""The part of a player's situation on which the worth of its hand depends, and a sketch of it from a few facts."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from engine.model.actions import CALLS, KANS, ActionKind
from engine.model.bounds import (
    HONBA,
    INDICATORS,
    KIND_SET,
    SCORE,
    STICKS,
    TILE,
    TILE_OR_NONE,
    WIND,
    Range,
    first_fault,
)
from engine.model.melds import Meld, MeldKind, kuikae_mask
from engine.model.plural import plural
from engine.model.rules import HANCHAN, LIVE_WALL, RIICHI_STICK, Rules
from engine.model.seats import relative, round_wind34, seat_wind34
from engine.model.tiles import EAST, KINDS, RED_FIVES, counts34, format_tile37, format_tiles
from engine.settings import shown

if TYPE_CHECKING:
    from engine.state import GameState  # loading the state loads the kernels, which a position does not need


_tiles: Final = attrgetter("tiles")


class PositionError(ValueError):
    """An impossible position; the message says what is wrong and how to fix it."""


@dataclass(frozen=True)
class Position:
    """A hand and everything else that its player knows when it decides.

    A hand of 14 - 3k concealed tiles has a discard to make (or riichi, kan). A hand of 13 - 3k answers the ``offered``
    tile or, if there is none, is evaluated before its next draw.

    Attributes:
        concealed: ``tile136``, ascending, including a drawn tile.
        melds: own melds, oldest first.
        unseen: for each ``tile34``, copies that the player sees nowhere; the offered tile counts as seen.
        red_unseen: whether the red five of manzu, pinzu, souzu is unseen.
        river_mask: bit set of the ``tile34`` in the own river, called tiles included (furiten).
        dora_indicators: ``tile136``.
        seat_wind, round_wind: ``tile34``.
        wall_left: tiles left in the live wall.
        honba, riichi_sticks: on the table; the own stick is included once paid.
        points: own score.
        riichi: own riichi: 0 none, 1 riichi, 2 double.
        ippatsu: whether a win now would be ippatsu.
        furiten: whether ron is impossible whatever the waits (a win was passed since the own riichi).
        furiten_turn: whether a win was passed since the own last discard; ron is impossible until the next one.
        first_turn: whether nobody has called and the own first discard is to come (a riichi now is a double one).
        riichi_against: number of opponents in riichi.
        kuikae: bit set of the ``tile34`` that may not be discarded now, after the call just made.
        offered: ``tile136`` that another player has just discarded, or -1.
        offered_by: who discarded it: 1 right, 2 across, 3 left; 0 if there is none.
        drawn: ``tile136`` just drawn, one of ``concealed``; -1 if that is not known.
        rules: rules of the table.
    """

    concealed: tuple[int, ...]
    melds: tuple[Meld, ...]
    unseen: tuple[int, ...]
    red_unseen: tuple[bool, bool, bool]
    river_mask: int
    dora_indicators: tuple[int, ...]
    seat_wind: int
    round_wind: int
    wall_left: int
    honba: int = 0
    riichi_sticks: int = 0
    points: int = 25_000
    riichi: int = 0
    ippatsu: bool = False
    furiten: bool = False
    furiten_turn: bool = False
    first_turn: bool = False
    riichi_against: int = 0
    kuikae: int = 0
    offered: int = -1
    offered_by: int = 0
    drawn: int = -1
    rules: Rules = HANCHAN

    def __post_init__(self) -> None:
        fault = first_fault(*(allowed.fault(name, getattr(self, name)) for name, allowed in _NUMBERS.items()))
        if fault := fault or _fault_of_tiles(self):
            raise PositionError(fault)

    @classmethod
    def from_state(cls, state: "GameState") -> "Position":
        """The position of a state's seat when it is asked."""
        seat = state.seat
        asked = state.turn != seat and state.offered >= 0
        return cls(
            concealed=tuple(state.hand),
            melds=tuple(state.melds[seat]),
            unseen=tuple([4 - seen for seen in state.visible]),
            red_unseen=_reds_unseen(state),
            river_mask=state.river_mask,
            dora_indicators=tuple(state.dora_indicators),
            seat_wind=state.seat_wind,
            round_wind=state.round_wind,
            wall_left=state.wall_left,
            honba=state.honba,
            riichi_sticks=state.riichi_sticks,
            points=state.scores[seat],
            riichi=state.riichi[seat],
            ippatsu=state.ippatsu[seat] and state.rules.ippatsu,
            furiten=state.furiten_riichi,
            furiten_turn=state.furiten_turn,
            first_turn=state.first_turn,
            riichi_against=len(state.riichi_opponents),
            kuikae=state.kuikae if state.turn == seat else 0,
            offered=state.offered if asked else -1,
            offered_by=relative(state.turn, seat) if asked else 0,
            drawn=-1 if state.drawn is None else state.drawn,
            rules=state.rules,
        )

    def after_call(self, kind: ActionKind, own: Sequence[int] = ()) -> "Position":
        """The position after a call or kan, with what it forbids and what is left of the wall.

        After a chi or pon the hand has a tile to discard; after a kan it waits for the replacement draw.

        Args:
            kind: CHI, PON or DAIMINKAN of the offered tile, ANKAN or KAKAN.
            own: ``tile136`` from the hand that go into the meld (four for an ankan, one for a kakan).
        """
        concealed = tuple([tile for tile in self.concealed if tile not in own])
        melds = list(self.melds)
        kuikae = 0
        wall_left = self.wall_left
        if kind in CALLS:
            made = MeldKind(kind - ActionKind.CHI)
            melds.append(Meld(made, tuple(sorted((*own, self.offered))), self.offered, self.offered_by))
            kuikae = kuikae_mask(self.offered >> 2, [tile >> 2 for tile in own])
        elif kind is ActionKind.ANKAN:
            melds.append(Meld(MeldKind.ANKAN, tuple(sorted(own)), None, 0, own[0]))
        else:
            at = next(at for at, meld in enumerate(melds) if meld.tile34 == own[0] >> 2 and meld.kind is MeldKind.PON)
            pon = melds[at]
            melds[at] = Meld(MeldKind.KAKAN, tuple(sorted((*pon.tiles, *own))), pon.called, pon.from_seat, own[0])
        if kind in KANS:
            kuikae = 0
            wall_left -= 1
        return replace(
            self,
            concealed=concealed,
            melds=tuple(melds),
            kuikae=kuikae,
            wall_left=max(wall_left, 0),
            ippatsu=False,
            first_turn=False,
            offered=-1,
            offered_by=0,
            drawn=-1,
        )

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Number of concealed tiles of each ``tile34``."""
        return tuple(counts34(self.concealed))

    @cached_property
    def shanten(self) -> int:
        """Shanten of the hand as it is held, without the offered tile; -1 if it is complete."""
        from engine.shanten import shanten  # noqa: PLC0415 - it loads the kernels

        return shanten(self.counts, len(self.melds))

    def waits(self, discard34: int = -1) -> int:
        """Bit set of the kinds that complete the hand of 13 tiles, or the one that a discard leaves.

        A kind counts if all its copies are seen, too: it makes the hand furiten like any other. Only one of which the
        hand holds four concealed tiles does not (:func:`engine.shanten.waits`).
        """
        from engine.shanten import waits  # noqa: PLC0415 - it loads the kernels

        counts = list(self.counts)
        if discard34 >= 0:
            counts[discard34] -= 1
        return sum(1 << kind for kind in waits(counts, len(self.melds)))

    def is_furiten(self, discard34: int = -1) -> bool:
        """Whether the hand of 13 tiles, or the one that a discard leaves, is tenpai and cannot win by ron.

        One wait in the own river is enough, and the discard is in the river. A win that was passed counts until the
        next discard, or in riichi until the end of the hand.
        """
        waits = self.waits(discard34)
        river, passed = self.river_mask, self.furiten or self.furiten_turn
        if discard34 >= 0:
            river, passed = river | 1 << discard34, self.furiten
        return waits != 0 and (passed or waits & river != 0)

    @property
    def passes_win(self) -> bool:
        """Whether the tile offered completes the hand, so that who passes it, for whatever reason, is furiten."""
        return self.offered >= 0 and self.waits() >> (self.offered >> 2) & 1 != 0

    @cached_property
    def to_discard(self) -> bool:
        """Whether the hand has a tile to discard."""
        return len(self.concealed) % 3 == 2

    @property
    def on_the_table(self) -> int:
        """Points that a win brings besides its own, for honba and riichi sticks."""
        return self.rules.honba_points * self.honba + RIICHI_STICK * self.riichi_sticks

    @property
    def dealer(self) -> bool:
        """Whether the player is the dealer."""
        return self.seat_wind == EAST

    @cached_property
    def closed(self) -> bool:
        """Whether the hand is closed: no meld except closed kans."""
        return all(meld.called is None for meld in self.melds)

    @property
    def before_draw(self) -> int:
        """Number of opponents who discard before the player's next draw, 0-3; only for a 13-tile hand."""
        return 3 - self.offered_by if self.offered >= 0 else 3

    @cached_property
    def draws_left(self) -> int:
        """D: own draws still to come if nobody calls."""
        if self.to_discard:
            return self.wall_left // 4
        return max(0, self.wall_left - self.before_draw + 3) // 4

    @property
    def tail(self) -> int:
        """Number of opponents who discard after the player's last draw and discard, 0-3; if 0, that draw is haitei."""
        if self.to_discard:
            return self.wall_left % 4
        after_next = self.wall_left - self.before_draw - 1
        return after_next % 4 if after_next >= 0 else min(self.wall_left, self.before_draw)


_NUMBERS: Final = {
    "river_mask": KIND_SET,
    "seat_wind": WIND,
    "round_wind": WIND,
    "wall_left": Range(0, LIVE_WALL - 1),
    "honba": HONBA,
    "riichi_sticks": STICKS,
    "points": SCORE,
    "riichi": Range(0, 2),
    "riichi_against": Range(0, 3),
    "kuikae": KIND_SET,
    "offered": TILE_OR_NONE,
    "offered_by": Range(0, 3),
    "drawn": TILE_OR_NONE,
}
"""What the fields of a position can be."""


def _fault_of_tiles(position: Position) -> str:
    """Why nobody can see these tiles; empty if somebody can."""
    concealed, melds, indicators = position.concealed, position.melds, position.dora_indicators
    if fault := first_fault(*(TILE.fault("tile", tile) for tile in (*concealed, *indicators))):
        return fault
    if not all(meld.is_possible for meld in melds):
        return "a meld has tiles that form none"
    held = len(concealed) + 3 * len(melds)
    if held not in (13, 14):
        made = f" and {plural(len(melds), 'meld')}" if melds else ""
        return (
            f"{format_tiles(concealed)}: {plural(len(concealed), 'concealed tile')}{made}; "
            f"a hand is {13 - 3 * len(melds)} tiles, {14 - 3 * len(melds)} with the one to discard"
        )
    if held == 14 and position.offered >= 0:
        return "a tile is offered while the hand has one to discard; give 13 tiles or no offered tile"
    if (position.offered >= 0) != (position.offered_by > 0):
        return f"offered {position.offered} by {position.offered_by}: a tile is offered by player 1, 2 or 3"
    if position.drawn >= 0 and position.drawn not in concealed:
        return f"drawn {position.drawn}: it is one of the concealed tiles"
    if len(indicators) > INDICATORS.high:
        return f"{plural(len(indicators), 'dora indicator')}: at most {INDICATORS.high} are turned"
    if len(position.unseen) != KINDS:
        return f"unseen has {plural(len(position.unseen), 'number')}; there are {KINDS} kinds of tile"
    taken = counts34([*concealed, *chain.from_iterable(map(_tiles, melds))])
    for kind in range(KINDS):
        total = taken[kind] + position.unseen[kind]
        if total > 4 or position.unseen[kind] < 0:
            return f"{plural(total, 'tile')} of {format_tile37(kind)} are held or unseen; there are four"
    return "" if any(position.unseen) else "no tile is unseen; the dead wall and the others' hands always are"


def _reds_unseen(state: "GameState") -> tuple[bool, bool, bool]:
    if not state.rules.red_fives:
        return False, False, False
    man, pin, sou = RED_FIVES
    return not state.seen[man], not state.seen[pin], not state.seen[sou]


FIRST_WALL: Final = LIVE_WALL - 1
"""Tiles left in the live wall after the dealer's first draw. Derived from the rules."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """A hand and its table as a person states them. Tiles are ``tile136``."""

    concealed: Sequence[int]  # own concealed tiles
    melds: Sequence[Meld] = ()  # own melds
    dora_indicators: Sequence[int] = ()  # dora indicators, in the order turned
    visible: Sequence[int] = ()  # tiles visible elsewhere, in the others' rivers and melds
    own_river: Sequence[int] = ()  # own discards
    turn: int = 1  # number of the discard to make, 1-18; with 13 tiles and no offered tile, of the last one made
    kyoku: int = 0  # number of the hand, 0 = E1 … 4 = S1
    dealer_distance: int = 0  # own wind: 0 the dealer, 1 south …
    offered: int = -1  # the tile that another player has just discarded, or -1
    offered_by: int = 0  # who discarded it: 1 right, 2 across, 3 left
    # honba, riichi_sticks: on the table
    honba: int = 0
    riichi_sticks: int = 0
    points: int = 25_000  # own score
    riichi_against: int = 0  # number of opponents in riichi
    rules: Rules = HANCHAN  # rules of the table

    def position(self) -> Position:
        """The position; whatever is not given has its usual value.

        Raises:
            PositionError: a tile is used twice, or the turn is beyond the wall.
        """
        seen = self._seen()
        river_mask = 0
        for tile in self.own_river:
            river_mask |= 1 << (tile >> 2)
        man, pin, sou = (self.rules.red_fives and red not in seen for red in RED_FIVES)
        return Position(
            concealed=tuple(sorted(self.concealed)),
            melds=tuple(self.melds),
            unseen=tuple([4 - count for count in counts34(seen)]),
            red_unseen=(man, pin, sou),
            river_mask=river_mask,
            dora_indicators=tuple(self.dora_indicators),
            seat_wind=seat_wind34(self.dealer_distance, 0),
            round_wind=round_wind34(self.kyoku),
            wall_left=self._wall_left(),
            honba=self.honba,
            riichi_sticks=self.riichi_sticks,
            points=self.points,
            riichi_against=self.riichi_against,
            offered=self.offered,
            offered_by=self.offered_by,
            rules=self.rules,
        )

    def _seen(self) -> set[int]:
        offered = [self.offered] if self.offered >= 0 else []
        in_melds = [tile for meld in self.melds for tile in meld.tiles]
        seen: set[int] = set()
        for tile in (*self.concealed, *self.dora_indicators, *self.visible, *self.own_river, *offered, *in_melds):
            if fault := TILE.fault("tile", tile):
                raise PositionError(fault)
            if tile in seen:
                name = format_tiles([tile], self.rules.red_fives)
                raise PositionError(f"{name} is used twice; every copy exists only once")
            seen.add(tile)
        return seen

    def _wall_left(self) -> int:
        first = FIRST_WALL - self.dealer_distance - (self.offered_by if self.offered >= 0 else 0)
        left = first - 4 * (self.turn - 1)
        if self.turn < 1 or left < 0:
            raise PositionError(f"turn {shown(self.turn)}: the wall allows turns 1 to {1 + first // 4}")
        return left
