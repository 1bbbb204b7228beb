"""A state as the arrays that the danger network reads."""

from __future__ import annotations

import numpy as np

from engine.model.tiles import DORA_AFTER, KINDS, RED_FIVES
from engine.opponents import view_kernels as layout
from engine.opponents.genbutsu import discards_in_order
from engine.opponents.view_kernels import View
from engine.state import GameState


def empty_view() -> View:
    """An empty view; its arrays are to be filled."""
    return View(
        np.zeros((4, layout.RIVER_MOST, 3), np.int16),
        np.zeros(4, np.int64),
        np.zeros((4, 4, 6), np.int16),
        np.zeros(4, np.int64),
        np.zeros(KINDS, np.uint8),
        np.zeros(KINDS, np.uint8),
        np.zeros(KINDS, np.uint8),
        np.zeros(layout.FACTS, np.int64),
    )


def view_of(state: GameState) -> View:
    """What the state's seat sees, as arrays; at any moment of a hand.

    After a snapshot the order of discards is not known, and tsumogiri count as from the hand.
    """
    order_of: dict[int, int] = {}
    if state.history_known:
        order_of = {tile.tile: order for order, (_, tile) in enumerate(discards_in_order(state))}
    rivers, lengths = [], []
    for river in state.rivers:
        row = [
            (
                tile.tile >> 2,
                (layout.R_TSUMOGIRI if tile.tsumogiri else 0)
                | (layout.R_RIICHI if tile.riichi else 0)
                | (layout.R_CALLED if tile.called_by is not None else 0),
                order_of.get(tile.tile, -1),
            )
            for tile in river[: layout.RIVER_MOST]
        ]
        lengths.append(len(row))
        rivers.append(row + [(0, 0, 0)] * (layout.RIVER_MOST - len(row)))
    melds = np.zeros((4, 4, 6), np.int16)
    for seat, row_of_melds in enumerate(state.melds):
        for at, meld in enumerate(row_of_melds):
            called = meld.called
            melds[seat, at] = (
                meld.kind,
                meld.tile34,
                -1 if called is None else called >> 2,
                meld.from_seat,
                -1 if called is None else order_of.get(called, -1),
                sum(tile in RED_FIVES for tile in meld.tiles) * state.rules.red_fives,
            )
    dora = np.zeros(KINDS, np.uint8)
    for indicator in state.dora_indicators:
        dora[DORA_AFTER[indicator >> 2]] += 1
    riichi, ippatsu = list(state.riichi), list(map(int, state.ippatsu))
    if state.riichi_pending is not None and state.riichi_pending != state.seat:
        riichi[state.riichi_pending] = 1  # declared but not yet accepted: the same for a player who may deal in
        ippatsu[state.riichi_pending] = 1
    facts = [state.seat, state.dealer, state.kyoku, state.rules.last_kyoku, state.honba, state.riichi_sticks]
    facts += [state.wall_left, len(state.dora_indicators), *state.scores, *riichi, *ippatsu]
    facts += [int(not state.rules.red_fives or bool(state.seen[red])) for red in RED_FIVES]
    facts += [int(state.rules.red_fives and red in state.hand) for red in RED_FIVES]
    return View(
        np.array(rivers, np.int16),
        np.array(lengths, np.int64),
        melds,
        np.array([len(row_of_melds) for row_of_melds in state.melds], np.int64),
        np.array(state.visible, np.uint8),
        np.array(state.counts, np.uint8),
        dora,
        np.array(facts, np.int64),
    )
