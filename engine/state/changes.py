"""Helpers of the event functions: refusing an event, what several of them check, and the changes they make."""

from typing import NoReturn

from engine.model.events import Event
from engine.model.melds import Meld, MeldKind
from engine.model.seats import SEATS
from engine.model.tiles import TILES
from engine.shanten import waits
from engine.state.seat_view import SeatView
from engine.state.words import event_words


class StateError(Exception):
    """An event that cannot happen, or a fact that is wrong; the message says what was expected."""


def refuse(state: SeatView, event: Event, expected: str) -> NoReturn:
    """Raise the error for an event that cannot happen here."""
    where = f"{state.place()}, seat {state.seat}'s view, {state.phase.name.lower()} (turn {state.turn})"
    raise StateError(f"{where}: it cannot be that {event_words(event)}: {expected}")


def require(state: SeatView, event: Event, fact: bool, expected: str) -> None:
    """Refuse the event unless ``fact`` holds."""
    if not fact:
        refuse(state, event, expected)


def set_waits(state: SeatView) -> None:
    """Update the waits after the hand has changed."""
    state.waits = waits(state.counts, len(state.melds[state.seat]))
    mask = 0
    for kind in state.waits:
        mask |= 1 << kind
    state.waits_mask = mask


def take_hand(state: SeatView, hand: tuple[int, ...]) -> None:
    """Give the viewer its concealed tiles, none of which it has seen. A hand with a tile to discard has no waits."""
    state.hand = sorted(hand)
    for tile in hand:
        state.counts[tile >> 2] += 1
    reveal(state, hand)
    if len(hand) % 3 == 1:
        set_waits(state)


def let_go(state: SeatView) -> None:
    """The tile on offer was not taken: furiten until the next own discard, or for good after riichi."""
    state.missed = False
    if state.riichi[state.seat]:
        state.furiten_riichi = True
    else:
        state.furiten_turn = True


def reveal(state: SeatView, tiles: tuple[int, ...]) -> None:
    """Mark tiles that the viewer sees for the first time."""
    seen, visible = state.seen, state.visible
    for tile in tiles:
        seen[tile] = 1
        visible[tile >> 2] += 1


def unseen(state: SeatView, tiles: tuple[int, ...]) -> bool:
    """Whether the tiles are valid, all different, and none has been seen by the viewer."""
    seen = state.seen
    return all(0 <= tile < TILES and not seen[tile] for tile in tiles) and len(set(tiles)) == len(tiles)


def is_meld(meld: Meld, seat: int) -> bool:
    """Whether the meld is well formed for absolute ``seat``."""
    own = meld.called is None or meld.from_seat == seat
    return meld.is_possible and meld.from_seat in SEATS and own == (meld.kind is MeldKind.ANKAN)
