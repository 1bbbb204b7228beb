"""What happens between hands: a game begins or ends, a hand is dealt, won or drawn."""

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records
from engine.model.bounds import fault_of_changes, fault_of_final_scores, fault_of_standing
from engine.model.events import EndGame, Ryuukyoku, RyuukyokuKind, StartGame, StartKyoku, Win
from engine.model.seats import SEATS, dealer_of
from engine.model.tiles import EAST, NORTH, TILES, format_tile, format_tiles
from engine.rules.table_kernels import Table
from engine.rules.tables import empty_view
from engine.rules.view_kernels import begin_hand
from engine.shanten.tables import hand_tables
from engine.state.facts import Phase, SeatView
from engine.state.refuse import refuse, require

_BETWEEN: Final = (Phase.IDLE, Phase.ENDED)


def start_game(state: SeatView, event: StartGame) -> NDArray[Any]:
    """A game begins."""
    require(state, event, state.phase in _BETWEEN, "a hand is in play")
    return empty_view(event.rules, state.seat)


def start_kyoku(state: SeatView, event: StartKyoku) -> NDArray[Any]:
    """A hand is dealt."""
    require(state, event, state.phase in _BETWEEN, "a hand is in play")
    hand = event.hands[state.seat]
    if hand is None or len(hand) != 13:
        refuse(state, event, f"seat {state.seat} must see its own 13 tiles")
    tiles = (*hand, event.dora_indicator)
    if len(set(tiles)) != 14 or not all(0 <= tile < TILES for tile in tiles):
        refuse(state, event, "a tile appears twice, or is not one of the 136")
    fault = fault_of_standing(event.kyoku, event.honba, event.riichi_sticks, event.scores)
    require(state, event, not fault, fault)
    require(state, event, event.dealer == dealer_of(event.kyoku), "seat kyoku % 4 deals")
    return dealt(state, event, hand, (event.dora_indicator,))


def dealt(state: SeatView, event: Any, hand: tuple[int, ...], indicators: tuple[int, ...]) -> NDArray[Any]:
    """A record of a hand that begins, or is taken up: its counters, the points, the viewer's tiles, the indicators."""
    record = state.copied()
    begin_hand(
        cast("Records[Table]", record),
        event.kyoku,
        event.honba,
        event.riichi_sticks,
        event.dealer,
        np.array(hand, np.uint8),
        np.array(indicators, np.uint8),
        hand_tables(),
    )
    record["scores"] = event.scores
    return record


def win(state: SeatView, event: Win) -> NDArray[Any]:
    """A player wins; after a ron, others may win on the tile too."""
    seat, tile = event.seat, event.tile
    phase = state.phase
    require(state, event, seat in SEATS, "seats are 0 to 3")
    fault = fault_of_changes(event.deltas)
    require(state, event, not fault, fault)
    if seat == event.from_seat:
        if phase is not Phase.DRAWN or seat != state.turn:
            refuse(state, event, "a self-draw needs a draw")
        if seat == state.seat and tile != state.drawn:
            refuse(state, event, "the tile drawn was a different one")
    else:
        again = phase is Phase.ENDED and state.winners and seat not in state.winners
        if phase is not Phase.DISCARDED and phase is not Phase.KAN and not again:
            refuse(state, event, "no tile is on offer")
        if event.from_seat != state.turn or tile != state.offered:
            refuse(state, event, "a different tile is on offer")
        require(state, event, seat != state.seat or not state.furiten, "the seat is furiten")
    if seat == state.seat and not state.waits_mask >> (tile >> 2) & 1:
        refuse(state, event, f"the hand {format_tiles(state.hand)} does not wait for {format_tile(tile)}")
    record = _ended(state, event)
    record["sticks"] = 0
    record["won"][0, seat] = len(state.winners) + 1
    return record


def _ended(state: SeatView, event: Win | Ryuukyoku) -> NDArray[Any]:
    record = state.copied()
    record["scores"] += event.deltas
    record["phase"] = Phase.ENDED
    return record


def ryuukyoku(state: SeatView, event: Ryuukyoku) -> NDArray[Any]:
    """The hand ends without a win."""
    fact, expected = _DRAWN_HANDS[event.kind]
    require(state, event, fact(state), expected)
    fault = fault_of_changes(event.deltas)
    require(state, event, not fault, fault)
    return _ended(state, event)


def _four_winds(state: SeatView) -> bool:
    if not state.uninterrupted or list(map(len, state.rivers)) != [1, 1, 1, 1]:
        return False
    kinds = {river[0].tile >> 2 for river in state.rivers}
    return len(kinds) == 1 and EAST <= kinds.pop() <= NORTH


_WALL_EMPTY: Final[tuple[Callable[[SeatView], bool], str]] = (
    lambda s: s.phase is Phase.DISCARDED and s.wall_left == 0 and s.riichi_pending is None,
    "the last discard of the wall must have passed",
)
_DRAWN_HANDS: Final[dict[RyuukyokuKind, tuple[Callable[[SeatView], bool], str]]] = {
    RyuukyokuKind.EXHAUSTIVE: _WALL_EMPTY,
    RyuukyokuKind.NAGASHI_MANGAN: _WALL_EMPTY,
    RyuukyokuKind.NINE_TERMINALS: (
        lambda s: s.phase is Phase.DRAWN and s.uninterrupted and not s.rivers[s.turn],
        "nine terminals are declared in the first turn, before any call",
    ),
    RyuukyokuKind.TRIPLE_RON: (
        lambda s: s.offered >= 0 and s.phase in (Phase.DISCARDED, Phase.KAN),
        "a tile must be on offer",
    ),
    RyuukyokuKind.FOUR_RIICHI: (
        lambda s: s.phase is Phase.DISCARDED and 0 not in s.riichi,
        "four riichi must be accepted",
    ),
    RyuukyokuKind.FOUR_KANS: (
        lambda s: s.phase is Phase.DISCARDED and sum(s.kans) == 4 and max(s.kans) < 4,
        "four kans must be made by two players or more, and the discard have passed",
    ),
    RyuukyokuKind.FOUR_WINDS: (
        lambda s: s.phase is Phase.DISCARDED and _four_winds(s),
        "four like winds must be the first four discards, without a call",
    ),
}
"""The condition for each kind of draw, and how to express it."""


def end_game(state: SeatView, event: EndGame) -> NDArray[Any]:
    """The game ends."""
    require(state, event, state.phase in _BETWEEN, "a hand is in play")
    fault = fault_of_final_scores(event.scores)
    require(state, event, not fault, fault)
    record = state.copied()
    record["scores"] = event.scores
    record["sticks"] = 0
    record["phase"] = Phase.IDLE
    return record
