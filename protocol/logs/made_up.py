"""One seat's view of a game as a whole game, for formats that cannot hide tiles: what nobody showed is invented."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final

from engine.model import events as ev
from engine.model.melds import MeldKind
from engine.model.seats import SEATS, four, kyoku_name
from engine.model.tiles import HONOURS, KINDS, TILES
from protocol.errors import LogError
from protocol.logs.game_log import GameLog

NOTE: Final = "tiles nobody showed are invented"
"""Title of a log whose hidden tiles were filled in."""


def fill_hidden(game: GameLog) -> GameLog:
    """The game with a tile for each one that the seat could not see: those shown later, otherwise any that are left.

    Every discard, meld and shown hand is correct. What nobody ever showed is invented, such that a riichi has a hand
    that may declare it. The title says so and contains the log id, because this is not the log of that id.

    Raises:
        LogError: the play contradicts itself.
    """
    filled: list[ev.Event] = []
    hand: list[ev.Event] = []
    for event in (*game.events, None):
        if event is None or isinstance(event, ev.StartKyoku | ev.EndGame):
            filled += _fill_hand(hand, game.source) if hand else []
            hand = []
        if isinstance(event, ev.StartKyoku) or (hand and event is not None):
            hand.append(event)
        elif event is not None:
            filled.append(event)
    info = replace(game.info, log_id="", title=(game.info.log_id, NOTE))
    return GameLog(tuple(filled), info, game.source)


@dataclass(slots=True)
class _Seat:
    """The known facts about one seat's tiles in a hand."""

    # events at which it took a tile nobody saw; -1 for each tile of its deal
    slots: list[int] = field(default_factory=lambda: [-1] * 13)
    # tiles it is known to have had, and the event before which it took each
    needs: dict[int, int] = field(default_factory=dict)
    drawn_at: int = -1  # event of its last draw
    riichi: bool = False  # whether it has declared riichi


def _fill_hand(events: list[ev.Event], source: str) -> list[ev.Event]:
    start = events[0]
    if not isinstance(start, ev.StartKyoku):
        return events
    draws: dict[int, int] = {}
    seats = [_Seat() for _ in SEATS]
    seen = {start.dora_indicator, *(tile for hand in start.hands for tile in hand or ())}
    for at, event in enumerate(events):
        _learn(event, at, seats, draws, seen)
    seen |= {tile for each in seats for tile in each.needs}
    # in an order that does not deal four of a kind to consecutive hands
    left = [tile for tile in (number * 29 % TILES for number in range(TILES)) if tile not in seen]
    for at, event in enumerate(events):
        if isinstance(event, ev.RiichiDeclared) and start.hands[event.seat] is None:
            _make_tenpai(seats[event.seat], events, at, left)
    rest = iter(left)
    given: dict[int, list[tuple[int, int]]] = {}
    for seat in SEATS:
        if start.hands[seat] is None:
            given[seat] = _assign(seats[seat], rest, source, kyoku_name(start.kyoku, start.honba))
    hands = [start.hands[seat] or tuple(tile for slot, tile in given[seat] if slot < 0)[:13] for seat in SEATS]
    draws |= {slot: tile for each in given.values() for slot, tile in each if slot >= 0}
    filled: list[ev.Event] = [replace(start, hands=four(hands))]
    for at, event in enumerate(events[1:], 1):
        if isinstance(event, ev.Draw) and event.tile is None:
            event = replace(event, tile=draws.get(at))  # noqa: PLW2901
        filled.append(event)
    return filled


def _learn(event: ev.Event, at: int, seats: list[_Seat], draws: dict[int, int], seen: set[int]) -> None:
    """Note what an event shows of hidden tiles."""
    match event:
        case ev.Draw(seat=seat, tile=tile):
            seats[seat].drawn_at = at
            if tile is None:
                seats[seat].slots.append(at)
            else:
                seen.add(tile)
        case ev.Discard(seat=seat, tile=tile, tsumogiri=True):
            _drew(seats[seat], tile, draws, seen)
        case ev.Discard(seat=seat, tile=tile):
            # a discard from the hand: the tile was there before this turn's draw
            turn = seats[seat].drawn_at
            _need(seats[seat], (tile,), turn if turn >= 0 and turn in (at - 1, at - 2) else at, seen)
        case ev.Call(seat=seat, meld=meld):
            own = (meld.added,) if meld.kind is MeldKind.KAKAN else meld.own_tiles
            if seats[seat].riichi:  # in riichi a kan needs the tile just drawn
                _drew(seats[seat], meld.tiles[-1], draws, seen)
            _need(seats[seat], own, at, seen)
        case ev.RiichiDeclared(seat=seat):
            seats[seat].riichi = True
        case ev.NewDora(indicator=tile):
            seen.add(tile)
        case ev.Win(seat=seat):
            held = set(event.concealed) - {event.tile}
            if seat == event.from_seat:
                _drew(seats[seat], event.tile, draws, seen)
            _need(seats[seat], held, at, seen)
            seen.update(event.ura_indicators)
        case ev.Ryuukyoku(hands=hands):
            for seat, hand in enumerate(hands):
                _need(seats[seat], hand or (), at, seen)


def _drew(seat: _Seat, tile: int, draws: dict[int, int], seen: set[int]) -> None:
    """Note that the last drawn tile was this one."""
    if tile not in seen:
        seen.add(tile)
        if seat.drawn_at in seat.slots:
            seat.slots.remove(seat.drawn_at)
            draws[seat.drawn_at] = tile


def _need(seat: _Seat, tiles: Iterable[int | None], by: int, seen: set[int]) -> None:
    for tile in tiles:
        if tile is not None and tile not in seen:
            seen.add(tile)
            seat.needs[tile] = by


def _make_tenpai(seat: _Seat, events: list[ev.Event], at: int, left: list[int]) -> None:
    """Riichi was declared at ``events[at]``: complete the seat's hand to tenpai with tiles from ``left``.

    The hand gets as many groups as it needs besides its kans, and a single tile that waits for its pair.
    """
    owner = events[at]
    if not isinstance(owner, ev.RiichiDeclared) or any(_shows(event, owner.seat) for event in events[at:]):
        return
    kans = sum(isinstance(event, ev.Call) and event.seat == owner.seat for event in events)
    made: list[int] = []
    for first in range(KINDS):
        while len(made) < 3 * (4 - kans) and (group := _group(first, left)):
            made += group
            left[:] = [tile for tile in left if tile not in group]
    single = next((tile for tile in left if all(tile >> 2 != other >> 2 for other in made)), None)
    if single is not None:
        left.remove(single)
        seat.needs |= dict.fromkeys((*made, single), at)


def _shows(event: ev.Event, seat: int) -> bool:
    """Whether an event shows the seat's whole hand."""
    if isinstance(event, ev.Ryuukyoku):
        return event.hands[seat] is not None
    return isinstance(event, ev.Win) and event.seat == seat and bool(event.concealed)


def _group(first: int, left: list[int]) -> tuple[int, ...]:
    """The sequence that begins at a ``tile34``, from the tiles left; empty if it is not possible."""
    if first >= HONOURS or first % 9 > 6:
        return ()
    tiles = [next((tile for tile in left if tile >> 2 == kind), None) for kind in range(first, first + 3)]
    return tuple(tile for tile in tiles if tile is not None) if None not in tiles else ()


def _assign(seat: _Seat, rest: Iterable[int], source: str, place: str) -> list[tuple[int, int]]:
    """A tile for each slot; tiles needed first get the earliest slots."""
    rest = iter(rest)
    needs = sorted(seat.needs.items(), key=lambda need: need[1])
    slots = sorted(seat.slots)
    if len(needs) > len(slots) or any(slot >= by for slot, (_, by) in zip(slots, needs, strict=False)):
        raise LogError(f"{place}: a player shows tiles it cannot have had", source)
    known = [tile for tile, _ in needs]
    return [(slot, known[at] if at < len(known) else next(rest)) for at, slot in enumerate(slots)]
