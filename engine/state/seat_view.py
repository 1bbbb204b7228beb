"""One seat's knowledge of a hand, as plain facts and as kernels read it, and the part of an event that it may see."""

from dataclasses import replace
from enum import IntEnum
from functools import cache
from typing import Final, NamedTuple

from engine._jit import Records
from engine.model.actions import Action, ActionKind
from engine.model.events import Draw, Event, StartKyoku
from engine.model.melds import Meld, MeldKind
from engine.model.rules import HANCHAN, LIVE_WALL, Rules
from engine.model.seats import SEATS, four, kyoku_name, others, round_wind34, seat_wind34
from engine.model.tiles import KINDS, RED_FIVES, TILES, dora34
from engine.rules.table_kernels import RIVER_MOST, WAS_CALLED, WAS_RIICHI, WAS_TSUMOGIRI, Table
from engine.rules.tables import new_tables
from engine.scoring import WinContext


class Phase(IntEnum):
    """The phase of a hand; ``turn`` is the seat it refers to."""

    IDLE = 0
    """No hand is in progress."""
    DEALT = 1
    """Hands are dealt; ``turn``, the dealer, draws."""
    DRAWN = 2
    """``turn`` has drawn and acts."""
    CALLED = 3
    """``turn`` has made a chi or pon and discards."""
    DECLARED = 4
    """``turn`` has declared riichi and discards."""
    DISCARDED = 5
    """The discard of ``turn`` can be claimed by the others; then the next seat draws."""
    KAN = 6
    """``turn`` has made a kan and draws from the dead wall; a kakan can be robbed."""
    ENDED = 7
    """The hand is over."""
    RESUMED = 8
    """A snapshot was applied; the next event shows whose turn it is."""


class RiverTile(NamedTuple):
    """One discard."""

    tile: int  # ``tile136``
    tsumogiri: bool | None  # whether it was the tile just drawn; None if a snapshot does not say
    riichi: bool = False  # whether riichi was declared with it
    called_by: int | None = None  # the seat that called it, or None


# Preallocated values: the states of four seats share them, and creating one costs as much as the rest of an event.

RIVER_TILES: Final = tuple(RiverTile(code >> 2, bool(code & 2), bool(code & 1)) for code in range(4 * TILES))
"""``RIVER_TILES[4 * tile136 + 2 * tsumogiri + riichi]``."""

DISCARD_OF: Final = tuple(Action(ActionKind.DISCARD, tile) for tile in range(TILES))
"""``DISCARD_OF[tile136]``."""

RIICHI_OF: Final = tuple(Action(ActionKind.RIICHI, tile) for tile in range(TILES))
"""``RIICHI_OF[tile136]``."""


class SeatView:
    """One seat's knowledge of a hand, and what follows from it directly.

    Anybody may read the attributes; only the event functions write them. See :class:`~engine.state.game.GameState`.

    Attributes:
        kyoku, honba, riichi_sticks, dealer: as in ``StartKyoku``; sticks include this hand's.
        round_wind, seat_wind: ``tile34``; the seat wind is the viewer's.
        waits_mask, river_mask: ``waits`` and the kinds that the viewer has discarded, as bit sets.
        furiten_turn, furiten_riichi: whether a winning tile was passed since the last discard; since riichi.
    """

    __slots__ = (
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
        "legal",
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
        "view",
        "visible",
        "waits",
        "waits_mask",
        "wall_left",
        "winners",
    )

    counts: list[int]  # number of each ``tile34`` in ``hand``
    dealer: int
    dora_indicators: list[int]  # ``tile136`` in the order turned
    drawn: int | None  # the viewer's tile just drawn, or None
    furiten_riichi: bool
    furiten_turn: bool
    hand: list[int]  # the viewer's concealed ``tile136``, ascending, including the drawn tile
    # False after a snapshot in the middle of a hand: passed tiles, ippatsu and tsumogiri before it are not known; the
    # state then assumes no furiten by a passed tile and no ippatsu
    history_known: bool
    honba: int
    ippatsu: list[bool]  # by seat
    kans: list[int]  # number of kans by seat
    kuikae: int  # bit set of the ``tile34`` that ``turn`` may not discard after its call
    kyoku: int
    legal: tuple[Action, ...] | None
    melds: list[list[Meld]]  # by seat, oldest first
    missed: bool  # whether the tile on offer would complete the hand; unless taken it makes the viewer furiten
    offered: int  # ``tile136`` of the discard or kakan that others may claim, or -1
    pending_dora: int  # number of kans whose indicator has not been turned yet
    phase: Phase  # the phase of the hand; ``turn`` is the seat it refers to
    riichi: list[int]  # by seat, 0 none, 1 riichi, 2 double riichi; set once accepted
    riichi_pending: int | None  # seat whose declared riichi is not accepted yet, or None
    riichi_sticks: int
    rinshan: bool  # whether the last draw came from the dead wall
    river_mask: int
    rivers: list[list[RiverTile]]  # by seat; called tiles are included and marked
    round_wind: int
    rules: Rules  # rules of the table
    scores: list[int]  # points by seat, riichi paid
    seat: int  # absolute seat whose view this is
    seat_wind: int
    seen: bytearray  # 136 flags, the tiles that the viewer has seen
    turn: int
    uninterrupted: bool  # whether nobody has called yet in this hand
    view: Records[Table] | None
    visible: list[int]  # number of each ``tile34`` that the viewer sees anywhere
    # ``tile34`` that complete the viewer's hand before its draw; during the viewer's turn those of the hand before the
    # draw; empty between a chi or pon and the discard
    waits: tuple[int, ...]
    waits_mask: int
    wall_left: int  # tiles left in the live wall; a kan takes one
    winners: tuple[int, ...]  # seats that won the hand just ended

    def __init__(self, seat: int, rules: Rules = HANCHAN) -> None:
        if seat not in SEATS:
            raise ValueError(f"seat {seat!r}: seats are 0 to 3")
        self.seat = seat
        self.rules = rules
        self.scores = [rules.start_points] * 4
        self.riichi_sticks = 0
        self.clear(kyoku=0, honba=0, dealer=0)

    def clear(self, kyoku: int, honba: int, dealer: int) -> None:
        """Start a hand with an empty table; scores and riichi sticks stay. Internal to this package."""
        self.phase = Phase.IDLE
        self.turn = dealer
        self.kyoku = kyoku
        self.honba = honba
        self.dealer = dealer
        self.round_wind = round_wind34(kyoku)
        self.seat_wind = seat_wind34(self.seat, dealer)
        self.dora_indicators = []
        self.pending_dora = 0
        self.hand = []
        self.counts = [0] * KINDS
        self.drawn = None
        self.rinshan = False
        self.wall_left = LIVE_WALL
        self.melds = [[], [], [], []]
        self.kans = [0, 0, 0, 0]
        self.rivers = [[], [], [], []]
        self.offered = -1
        self.riichi = [0, 0, 0, 0]
        self.riichi_pending = None
        self.ippatsu = [False, False, False, False]
        self.uninterrupted = True
        self.kuikae = 0
        self.waits = ()
        self.waits_mask = 0
        self.river_mask = 0
        self.missed = False
        self.furiten_turn = False
        self.furiten_riichi = False
        self.visible = [0] * KINDS
        self.seen = bytearray(TILES)
        self.winners = ()
        self.history_known = True
        self.legal = None
        self.view = None

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
        return self.uninterrupted and not self.rivers[self.seat]

    @property
    def robbing(self) -> bool:
        """Whether the tile on offer is not a discard but was added to a pon."""
        river = self.rivers[self.turn]
        return self.offered >= 0 and not (river and river[-1].tile == self.offered)

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
        return self.furiten_riichi or self.furiten_turn or self.waits_mask & self.river_mask != 0

    def win_context(self, tile: int, from_seat: int | None = None, ura_indicators: tuple[int, ...] = ()) -> WinContext:
        """The context in which a win of the viewer on ``tile`` would be scored now.

        Args:
            tile: ``tile136``; added to the hand unless it is already part of it.
            from_seat: the discarder; None or the viewer's own seat for a self-draw.
            ura_indicators: ``tile136``, known only once the hand is won.
        """
        seat = self.seat
        tsumo = from_seat is None or from_seat == seat
        hand = self.hand
        return WinContext(
            concealed=tuple(hand) if tile in hand else tuple(sorted((*hand, tile))),
            melds=tuple(self.melds[seat]),
            win_tile=tile,
            tsumo=tsumo,
            seat_wind=self.seat_wind,
            round_wind=self.round_wind,
            riichi=self.riichi[seat],
            ippatsu=self.ippatsu[seat],
            rinshan=tsumo and self.rinshan,
            chankan=not tsumo and self.robbing,
            last_tile=self.wall_left == 0 and not (tsumo and self.rinshan),
            first_turn=tsumo and self.uninterrupted and not self.rivers[seat],
            dora_indicators=tuple(self.dora_indicators),
            ura_indicators=ura_indicators,
            rules=self.rules,
        )

    def place(self) -> str:
        """The name of the hand: ``'E1'``, ``'S3-2'``."""
        return kyoku_name(self.kyoku, self.honba)


def view_of(state: SeatView) -> Records[Table]:
    """The view of the state's seat as an array of one record; at any moment of a hand.

    Filled are the rules, the hand's number and counters, scores, riichi, rivers, melds, dora, the tile just drawn or on
    offer, and the viewer's own fields; not whose turn it is, the hands, or what follows from them. After a snapshot the
    order of discards is not known, and tsumogiri count as from the hand.
    """
    views: Records[Table] = _empty(state.rules).copy()  # type: ignore[attr-defined]
    view = views[0]
    order_of = {tile.tile: order for order, (_, tile) in enumerate(discards_in_order(state))}
    for seat, river in enumerate(state.rivers):
        if river:
            kinds, flags, orders = [], [], []
            for tile, tsumogiri, riichi, called_by in river[:RIVER_MOST]:
                called = 0 if called_by is None else WAS_CALLED
                kinds.append(tile >> 2)
                flags.append((WAS_TSUMOGIRI if tsumogiri else 0) | (WAS_RIICHI if riichi else 0) | called)
                orders.append(order_of.get(tile, -1))
            n = len(kinds)
            view.lengths[seat] = n
            view.river_kinds[seat, :n] = kinds
            view.river_flags[seat, :n] = flags
            view.river_orders[seat, :n] = orders
    red_fives = RED_FIVES if state.rules.red_fives else ()
    for seat, melds in enumerate(state.melds):
        view.melds[seat] = len(melds)
        for at, meld in enumerate(melds):
            claimed = meld.called
            view.meld_kinds[seat, at] = meld.kind
            view.meld_lows[seat, at] = meld.tiles[0] >> 2
            view.meld_called[seat, at] = -1 if claimed is None else claimed >> 2
            view.meld_from[seat, at] = meld.from_seat
            view.meld_orders[seat, at] = -1 if claimed is None else order_of.get(claimed, -1)
            view.meld_reds[seat, at] = len(set(red_fives).intersection(meld.tiles))
    view.dora[:] = dora34(state.dora_indicators)
    view.riichi[:] = state.riichi
    view.ippatsu[:] = state.ippatsu
    pending = state.riichi_pending
    if pending is not None and pending != state.seat:
        # declared but not yet accepted: the same for a player who may deal in
        view.riichi[pending] = view.ippatsu[pending] = 1
    view.declared = -1 if pending is None else pending
    view.drawn = -1 if state.drawn is None else state.drawn
    view.offered = state.offered
    view.viewer, view.dealer, view.kyoku, view.honba = state.seat, state.dealer, state.kyoku, state.honba
    view.sticks, view.wall, view.indicators = state.riichi_sticks, state.wall_left, len(state.dora_indicators)
    view.scores[:] = state.scores
    view.visible[:] = state.visible
    view.hand[:] = state.counts
    for suit, red in enumerate(RED_FIVES):
        view.reds_seen[suit] = not state.rules.red_fives or bool(state.seen[red])
        view.own_reds[suit] = state.rules.red_fives and red in state.hand
    return views


def discards_in_order(state: SeatView) -> list[tuple[int, RiverTile]]:
    """Every (seat, discard) of the hand in order; none after a snapshot, which does not keep the order.

    After a discard the next seat discards, or the seat that called it; kans do not change the turn.
    """
    found: list[tuple[int, RiverTile]] = []
    if not state.history_known:
        return found
    at = [0, 0, 0, 0]
    seat = state.dealer
    while at[seat] < len(state.rivers[seat]):
        tile = state.rivers[seat][at[seat]]
        found.append((seat, tile))
        at[seat] += 1
        seat = (seat + 1) % 4 if tile.called_by is None else tile.called_by
    return found


@cache
def _empty(rules: Rules) -> Records[Table]:
    return new_tables(rules)


_HIDDEN_DRAWS: Final = tuple(Draw(seat, None) for seat in SEATS)

HIDING: Final = (Draw, StartKyoku)
"""The events of which a seat may not see everything."""


def visible_to(event: Event, seat: int) -> Event:
    """The event as ``seat`` sees it: without the other seats' dealt hands and drawn tiles."""
    if isinstance(event, Draw):
        return event if event.seat == seat else _HIDDEN_DRAWS[event.seat]
    if isinstance(event, StartKyoku):
        hands = event.hands
        return replace(event, hands=four(hands[each] if each == seat else None for each in SEATS))
    return event
