"""A state as the record of a table that kernels read, with only what the state's seat sees."""

from __future__ import annotations

from functools import cache

from engine._jit import Records
from engine.model.rules import Rules
from engine.model.tiles import RED_FIVES, dora34
from engine.opponents.facts import discards_in_order
from engine.rules.table_kernels import RIVER_MOST, WAS_CALLED, WAS_RIICHI, WAS_TSUMOGIRI, Table
from engine.rules.tables import new_tables
from engine.state import GameState


def view_of(state: GameState) -> Records[Table]:
    """What the state's seat sees, as an array of one; at any moment of a hand.

    Filled are the rules, the hand's number and counters, scores, riichi, rivers, melds, dora, the tile just drawn or on
    offer, and the viewer's own fields; not whose turn it is, the hands, or what follows from them. After a snapshot the
    order of discards is not known, and tsumogiri count as from the hand.
    """
    views: Records[Table] = _empty(state.rules).copy()  # type: ignore[attr-defined]
    view = views[0]
    order_of: dict[int, int] = {}
    if state.history_known:
        order_of = {tile.tile: order for order, (_, tile) in enumerate(discards_in_order(state))}
    for seat, river in enumerate(state.rivers):
        n = min(len(river), RIVER_MOST)
        if n:
            view.lengths[seat] = n
            view.river_kinds[seat, :n] = [tile.tile >> 2 for tile in river[:n]]
            view.river_flags[seat, :n] = [
                (WAS_TSUMOGIRI if tile.tsumogiri else 0)
                | (WAS_RIICHI if tile.riichi else 0)
                | (WAS_CALLED if tile.called_by is not None else 0)
                for tile in river[:n]
            ]
            view.river_orders[seat, :n] = [order_of.get(tile.tile, -1) for tile in river[:n]]
    for seat, melds in enumerate(state.melds):
        view.melds[seat] = len(melds)
        for at, meld in enumerate(melds):
            called = meld.called
            view.meld_kinds[seat, at] = meld.kind
            view.meld_lows[seat, at] = meld.tile34
            view.meld_called[seat, at] = -1 if called is None else called >> 2
            view.meld_from[seat, at] = meld.from_seat
            view.meld_orders[seat, at] = -1 if called is None else order_of.get(called, -1)
            view.meld_reds[seat, at] = sum(tile in RED_FIVES for tile in meld.tiles) * state.rules.red_fives
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


@cache
def _empty(rules: Rules) -> Records[Table]:
    return new_tables(rules)
