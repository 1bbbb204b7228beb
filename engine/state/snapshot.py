"""Taking in the snapshot that a player gets who comes back in the middle of a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.model.events import Resume
from engine.model.melds import MeldKind
from engine.model.tiles import TILES
from engine.state.changes import refuse, require, reveal, take_hand
from engine.state.parts import Phase, RiverTile

if TYPE_CHECKING:
    from engine.state.game import GameState


def resume(state: GameState, event: Resume) -> None:
    """Take in a snapshot in the middle of a hand."""
    require(state, event, event.seat == state.seat, "it is another seat's")
    table = [tile for river in event.rivers for tile in river]
    table += [tile for melds in event.melds for meld in melds for tile in meld.tiles]
    tiles = (*event.hand, *table, *event.dora_indicators)
    if len(set(tiles)) != len(tiles) or not all(0 <= tile < TILES for tile in tiles):
        refuse(state, event, "a tile is there twice, or is none of the 136")
    size = 13 - 3 * len(event.melds[state.seat])
    require(state, event, len(event.hand) == size, f"the hand must have {size} tiles")
    state.clear(event.kyoku, event.honba, event.dealer)
    state.riichi_sticks = event.riichi_sticks
    state.scores = list(event.scores)
    state.melds = [list(melds) for melds in event.melds]
    state.dora_indicators = list(event.dora_indicators)
    for seat, river in enumerate(event.rivers):
        state.rivers[seat] = [RiverTile(tile, None, at == event.riichi_at[seat]) for at, tile in enumerate(river)]
    draws = sum(map(len, event.rivers))
    for seat, melds in enumerate(event.melds):
        for meld in melds:
            state.kans[seat] += meld.kind.is_kan
            if meld.called is not None:  # where in the river it lay is lost; the giver's furiten needs it
                state.rivers[meld.from_seat].append(RiverTile(meld.called, None, called_by=seat))
            # a claimed discard is one that was drawn; chi and pon skip a draw, a kan of one's own adds one
            draws += _DRAWS_BESIDE_RIVERS[meld.kind]
    state.wall_left -= draws
    state.pending_dora = sum(state.kans) + 1 - len(state.dora_indicators)
    state.uninterrupted = not any(event.melds)
    state.history_known = not table
    for seat, at in enumerate(event.riichi_at):
        if at is not None:
            state.riichi[seat] = 2 if at == 0 and state.uninterrupted else 1
    reveal(state, (*table, *event.dora_indicators))
    take_hand(state, event.hand)
    for thrown in state.rivers[state.seat]:
        state.river_mask |= 1 << (thrown.tile >> 2)
    state.phase = Phase.RESUMED if any(state.rivers) else Phase.DEALT


_DRAWS_BESIDE_RIVERS: Final = {
    MeldKind.CHI: 0,
    MeldKind.PON: 0,
    MeldKind.DAIMINKAN: 1,
    MeldKind.ANKAN: 1,
    MeldKind.KAKAN: 1,
}
"""Draws that a meld stands for besides those whose tiles still lie in rivers."""
