"""What the rules exclude: kinds a seat cannot win on now, told from the discards alone."""

from __future__ import annotations

from collections.abc import Iterator

from engine.model.seats import SEATS, four, next_seat
from engine.state import GameState, RiverTile

Masks4 = tuple[int, int, int, int]


def genbutsu_masks(state: GameState) -> Masks4:
    """By seat, a bit set of the ``tile34`` it is furiten on, should they be its waits.

    Its own discards for the whole hand; what others discarded since its last discard, as it let that go; all that
    was discarded since its riichi. After a snapshot only the first are known.
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
    """Every (seat, discard) of the hand as they happened; nothing after a snapshot, which does not keep the order.

    After a discard the next seat throws, or the one that called it; kans do not change whose turn it is.
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
