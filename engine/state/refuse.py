"""Why an event cannot happen, in words; and the number by which the kernels know an event of play."""

from collections.abc import Callable
from typing import Any, Final, NoReturn

from engine.model import events as ev
from engine.model.melds import Meld, MeldKind
from engine.model.rules import RIICHI_STICK
from engine.model.seats import SEATS
from engine.model.tiles import TILES, format_tile, format_tiles
from engine.rules import refusal_kernels as reasons
from engine.rules.code_kernels import ACCEPTED, DISCARD, DRAW, FIRST_AT, NEW_DORA, RIICHI, SEAT_AT, SECOND_AT
from engine.rules.codes import call_code
from engine.rules.table_kernels import NO_TILE
from engine.state.facts import SeatView
from engine.state.words import event_words


class StateError(Exception):
    """An event that cannot happen, or a fact that is wrong; the message says what was expected."""


def refuse(state: SeatView, event: ev.Event, expected: str) -> NoReturn:
    """Raise the error for an event that cannot happen here."""
    where = f"{state.place()}, seat {state.seat}'s view, {state.phase.name.lower()} (turn {state.turn})"
    raise StateError(f"{where}: it cannot be that {event_words(event)}: {expected}")


def require(state: SeatView, event: ev.Event, fact: object, expected: str) -> None:
    """Refuse the event unless ``fact`` holds."""
    if not fact:
        refuse(state, event, expected)


def refuse_for(state: SeatView, event: ev.Event, why: int) -> NoReturn:
    """Raise the error for a reason of :mod:`engine.rules.refusal_kernels`."""
    refuse(state, event, _WORDS[why](state, event))


def _hand(state: SeatView, event: Any) -> str:  # noqa: ARG001 - the signature of all reasons
    return f"the hand is {format_tiles(state.hand)}"


Words = Callable[[SeatView, Any], str]


def _plain(words: str) -> Words:
    return lambda _state, _event: words


_WORDS: Final[dict[int, Words]] = {
    reasons.NOT_ACCEPTED_YET: lambda state, _: f"seat {state.riichi_pending}'s riichi is not accepted yet",
    reasons.NEXT_DRAWS: lambda state, _: f"seat {(state.turn + 1) & 3} draws next",
    reasons.MUST_END: _plain("the hand must end in an abortive draw"),
    reasons.TURN_DRAWS: lambda state, _: f"seat {state.turn} draws next",
    reasons.NOBODY_DRAWS: _plain("nobody draws now"),
    reasons.WALL_EMPTY: _plain("the wall is empty"),
    reasons.TILE_NOT_SEEN: _plain("the seat must see a tile that it has not seen before"),
    reasons.ONLY_THE_DRAWN: _plain("after riichi only the drawn tile can be discarded"),
    reasons.NOTHING_DRAWN: _plain("nothing was drawn"),
    reasons.NOBODY_DISCARDS: _plain("nobody discards now"),
    reasons.ANOTHERS_TURN: lambda state, _: f"it is seat {state.turn}'s turn",
    reasons.NOT_IN_HAND: _hand,
    reasons.ANOTHER_DRAWN: lambda state, _: (
        f"the tile drawn was {'none' if state.drawn is None else format_tile(state.drawn)}"
    ),
    reasons.NOT_TENPAI_AFTER: _plain("the hand is not tenpai after it"),
    reasons.NO_SUCH_TILE: lambda _, event: f"{event.tile} is not a tile, or is known to be somewhere else",
    reasons.RIVER_FULL: _plain("nobody discards as many tiles in a hand"),
    reasons.NO_CALL_AT_THE_END: _plain("no tile can be called once the wall is empty"),
    reasons.FOUR_KANS_MADE: _plain("four kans have been made"),
    reasons.NOT_JUST_DISCARDED: _plain("only the tile just discarded by another player can be called"),
    reasons.CALL_IN_RIICHI: _plain("a player in riichi cannot call"),
    reasons.NOT_NEXT: _plain("only the next seat can call chi"),
    reasons.TILE_ELSEWHERE: _plain("one of its tiles is somewhere else"),
    reasons.FOUR_MELDS: _plain("the seat has four melds already"),
    reasons.NOT_AFTER_A_DRAW: lambda state, _: f"only seat {state.turn} can do this, after a draw",
    reasons.NO_PON_IN_RIICHI: _plain("a player in riichi has no pon"),
    reasons.NO_PON: _plain("there is no pon to add it to"),
    reasons.WAITS_CHANGE: _plain("in riichi a kan may not change the waits and needs the drawn tile"),
    reasons.IN_RIICHI: _plain("the seat is in riichi already"),
    reasons.OPEN_HAND: _plain("the hand is open"),
    reasons.TOO_FEW_POINTS: _plain(f"riichi costs {RIICHI_STICK} points"),
    reasons.WALL_TOO_SHORT: lambda state, _: f"riichi needs four tiles in the wall; {state.wall_left} are left",
    reasons.NOT_TENPAI: lambda state, _: f"the hand {format_tiles(state.hand)} is not tenpai",
    reasons.NOT_JUST_DECLARED: _plain("the seat has not just declared riichi and discarded"),
    reasons.INDICATORS_TURNED: _plain("every kan already has its indicator"),
    reasons.INDICATOR_ELSEWHERE: _plain("the tile is somewhere else"),
}

# -- the numbers of events -----------------------------------------------------------------------------------------


# A tile that is hidden, or does not exist, is NO_TILE, and is refused where it matters.


def _draw(state: SeatView, event: ev.Draw) -> int:
    seat, tile = event.seat, event.tile
    if seat not in SEATS:
        refuse(state, event, "seats are 0 to 3")
    if tile is None or not 0 <= tile < TILES:
        tile = NO_TILE
    return DRAW | seat << SEAT_AT | tile << FIRST_AT


def _discard(state: SeatView, event: ev.Discard) -> int:
    seat, tile = event.seat, event.tile
    if seat not in SEATS:
        refuse(state, event, "seats are 0 to 3")
    if not 0 <= tile < TILES:
        tile = NO_TILE
    return DISCARD | seat << SEAT_AT | tile << FIRST_AT | (event.tsumogiri and 1) << SECOND_AT


def _riichi(state: SeatView, event: ev.RiichiDeclared | ev.RiichiAccepted) -> int:
    if event.seat not in SEATS:
        refuse(state, event, "seats are 0 to 3")
    return (RIICHI if isinstance(event, ev.RiichiDeclared) else ACCEPTED) | event.seat << SEAT_AT


def _call(state: SeatView, event: ev.Call) -> int:
    if event.seat not in SEATS or not is_meld(event.meld, event.seat):
        refuse(state, event, "no such meld exists")
    meld = event.meld
    code = call_code(event)
    if meld.kind is MeldKind.ANKAN and meld.added is not None:
        return code | meld.added + 1 << SECOND_AT
    if meld.kind is MeldKind.KAKAN and meld.called is not None:
        return code | meld.called + 1 << SECOND_AT
    return code


NUMBERS: Final[dict[type, Callable[[SeatView, Any], int]]] = {
    ev.Draw: _draw,
    ev.Discard: _discard,
    ev.Call: _call,
    ev.RiichiDeclared: _riichi,
    ev.RiichiAccepted: _riichi,
    ev.NewDora: lambda _, event: NEW_DORA | (event.indicator if 0 <= event.indicator < TILES else NO_TILE) << FIRST_AT,
}
"""The number of each event of play, as in :mod:`engine.rules.code_kernels`. To a kan it adds, plus one, the copy that
was named for a closed one, and the tile called for the pon of an added one."""


def is_meld(meld: Meld, seat: int) -> bool:
    """Whether the meld is well formed for absolute ``seat``."""
    own = meld.called is None or meld.from_seat == seat
    return meld.is_possible and meld.from_seat in SEATS and own == (meld.kind is MeldKind.ANKAN)
