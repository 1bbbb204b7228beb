"""Genbutsu: the kinds that a seat cannot win on now, derived from the discards alone."""

from __future__ import annotations

from collections.abc import Iterator

from engine.model.seats import SEATS, four, next_seat
from engine.state import GameState, RiverTile

Masks4 = tuple[int, int, int, int]


def genbutsu_masks(state: GameState) -> Masks4:
    """By seat, the bit set of ``tile34`` on which it would be furiten if they were its waits.

    These are its own discards for the whole hand; what others discarded since its last discard, because it passed them;
    and everything that was discarded since its riichi. After a snapshot only its own discards are known.
    """
    own = [0, 0, 0, 0]
    for seat, river in enumerate(state.rivers):
        for tile in river:
            own[seat] |= 1 << (tile.tile >> 2)
    passed = [0, 0, 0, 0]
    riichi = [False, False, False, False]
    for thrower, tile in discards_in_order(state):
        bit = 1 << (tile.tile >> 2)
        if not riichi[thrower]:
            passed[thrower] = 0
            riichi[thrower] = tile.riichi
        for seat in SEATS:
            passed[seat] |= bit
    return four(mine | let_go for mine, let_go in zip(own, passed, strict=True))


def discards_in_order(state: GameState) -> Iterator[tuple[int, RiverTile]]:
    """Yield every (seat, discard) of the hand in order; nothing after a snapshot, which does not keep the order.

    After a discard the next seat discards, or the seat that called it; kans do not change the turn.
    """
    if not state.history_known:
        return
    at = [0, 0, 0, 0]
    seat = state.dealer
    while at[seat] < len(state.rivers[seat]):
        tile = state.rivers[seat][at[seat]]
        yield seat, tile
        at[seat] += 1
        seat = next_seat(seat) if tile.called_by is None else tile.called_by
