"""The end of a hand or a game: its events, and the hand that follows."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from engine.model.bounds import fault_of_changes, fault_of_final_scores
from engine.model.events import EndGame, Ryuukyoku, RyuukyokuKind, Win
from engine.model.rules import Rules
from engine.model.seats import SEATS, four
from engine.model.tiles import TERMINALS_AND_HONOURS, format_tile, format_tiles
from engine.rules.course_kernels import OVER, next_kyoku, settle_sticks
from engine.state.changes import refuse, require
from engine.state.legal import FORCED_DRAWS, Fact
from engine.state.seat_view import Phase, SeatView

IDLE, DEALT, DRAWN, CALLED, DECLARED, DISCARDED, KAN, ENDED, RESUMED = Phase


def win(state: SeatView, event: Win) -> None:
    """Apply a win; after a ron, others may win on the tile too."""
    seat, tile = event.seat, event.tile
    require(state, event, seat in SEATS, "seats are 0 to 3")
    fault = fault_of_changes(event.deltas)
    require(state, event, not fault, fault)
    if seat == event.from_seat:
        if state.phase is not DRAWN or seat != state.turn:
            refuse(state, event, "a self-draw needs a draw")
        if seat == state.seat and tile != state.drawn:
            refuse(state, event, "the tile drawn was a different one")
    else:
        again = state.phase is ENDED and state.winners and seat not in state.winners
        if state.phase is not DISCARDED and state.phase is not KAN and not again:
            refuse(state, event, "no tile is on offer")
        if event.from_seat != state.turn or tile != state.offered:
            refuse(state, event, "a different tile is on offer")
        require(state, event, seat != state.seat or not state.furiten, "the seat is furiten")
    if seat == state.seat and not state.waits_mask >> (tile >> 2) & 1:
        refuse(state, event, f"the hand {format_tiles(state.hand)} does not wait for {format_tile(tile)}")
    for player in SEATS:
        state.scores[player] += event.deltas[player]
    state.riichi_sticks = 0
    state.winners = (*state.winners, seat)
    state.phase = ENDED


def ryuukyoku(state: SeatView, event: Ryuukyoku) -> None:
    """The hand ends without a win."""
    fact, expected = _DRAWN_HANDS[event.kind]
    require(state, event, fact(state), expected)
    fault = fault_of_changes(event.deltas)
    require(state, event, not fault, fault)
    for player in SEATS:
        state.scores[player] += event.deltas[player]
    state.phase = ENDED


_WALL_EMPTY: Final[tuple[Fact, str]] = (
    lambda s: s.phase is DISCARDED and s.wall_left == 0 and s.riichi_pending is None,
    "the last discard of the wall must have passed",
)
_DRAWN_HANDS: Final[dict[RyuukyokuKind, tuple[Fact, str]]] = {
    RyuukyokuKind.EXHAUSTIVE: _WALL_EMPTY,
    RyuukyokuKind.NAGASHI_MANGAN: _WALL_EMPTY,
    RyuukyokuKind.NINE_TERMINALS: (
        lambda s: s.phase is DRAWN and s.uninterrupted and not s.rivers[s.turn],
        "nine terminals are declared in the first turn, before any call",
    ),
    RyuukyokuKind.TRIPLE_RON: (
        lambda s: s.offered >= 0 and s.phase in (DISCARDED, KAN),
        "a tile must be on offer",
    ),
    **FORCED_DRAWS,
}
"""The condition for each kind of draw, and how to express it."""


def end_game(state: SeatView, event: EndGame) -> None:
    """The game ends."""
    require(state, event, state.phase in (IDLE, ENDED), "a hand is in play")
    fault = fault_of_final_scores(event.scores)
    require(state, event, not fault, fault)
    state.scores = list(event.scores)
    state.riichi_sticks = 0
    state.phase = IDLE


def nagashi_seats(state: SeatView) -> tuple[int, ...]:
    """The seats that have discarded only terminals and honours, none of which was called."""
    return tuple(
        seat
        for seat, river in enumerate(state.rivers)
        if river and all(discarded.called_by is None and discarded.tile >> 2 in _OUTSIDE for discarded in river)
    )


_OUTSIDE: Final = frozenset(TERMINALS_AND_HONOURS)


def next_hand(
    rules: Rules,
    kyoku: int,
    honba: int,
    scores: Sequence[int],
    *,
    dealer_stays: bool,
    drawn: bool,
    aborted: bool = False,
) -> tuple[int, int] | None:
    """The (kyoku, honba) that follows a hand, or None if the game is over.

    The game ends when someone is below zero; after the last scheduled hand as soon as the leader has the return points,
    and at the latest after one more wind; and, although the dealer stays in those hands, when the dealer is the leader
    with the return points. After an abortive draw the hand is dealt again whatever the scores, unless someone is below
    zero.

    Args:
        rules: rules of the table.
        kyoku: number of the hand just played.
        honba: honba of the hand just played.
        scores: points after the hand, by seat.
        dealer_stays: whether the dealer won, or was tenpai at an exhaustive draw.
        drawn: whether nobody won.
        aborted: whether nobody won and the wall was not played out.
    """
    after = next_kyoku(rules.last_kyoku, rules.return_points, kyoku, np.array(scores, np.int64), dealer_stays, aborted)
    return None if after == OVER else (after, honba + 1 if dealer_stays or drawn else 0)


def final_scores(scores: Sequence[int], riichi_sticks: int) -> tuple[int, int, int, int]:
    """Points at the end of a game: riichi sticks left on the table go to the leader, the earlier seat in a tie."""
    result = np.array(scores, np.int64)
    settle_sticks(result, riichi_sticks)
    return four(result.tolist())
