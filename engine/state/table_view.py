"""A state as the record of a table that kernels read, with only what the state's seat sees."""

from functools import cache

from engine._jit import Records
from engine.model.rules import Rules
from engine.model.tiles import RED_FIVES, dora34
from engine.rules.table_kernels import RIVER_MOST, WAS_CALLED, WAS_RIICHI, WAS_TSUMOGIRI, Table
from engine.rules.tables import new_tables
from engine.state.seat_view import RiverTile, SeatView


def view_of(state: SeatView) -> Records[Table]:
    """What the state's seat sees, as an array of one; at any moment of a hand.

    Filled are the rules, the hand's number and counters, scores, riichi, rivers, melds, dora, the tile just drawn or on
    offer, and the viewer's own fields; not whose turn it is, the hands, or what follows from them. After a snapshot the
    order of discards is not known, and tsumogiri count as from the hand.
    """
    views: Records[Table] = _empty(state.rules).copy()  # type: ignore[attr-defined]
    view = views[0]
    order_of = {tile.tile: order for order, (_, tile) in enumerate(discards_in_order(state))}
    for seat, river in enumerate(state.rivers):
        if river:
            kinds, flags, orders = [], [], []
            for tile, tsumogiri, riichi, called_by in river[:RIVER_MOST]:
                called = 0 if called_by is None else WAS_CALLED
                kinds.append(tile >> 2)
                flags.append((WAS_TSUMOGIRI if tsumogiri else 0) | (WAS_RIICHI if riichi else 0) | called)
                orders.append(order_of.get(tile, -1))
            n = len(kinds)
            view.lengths[seat] = n
            view.river_kinds[seat, :n] = kinds
            view.river_flags[seat, :n] = flags
            view.river_orders[seat, :n] = orders
    red_fives = RED_FIVES if state.rules.red_fives else ()
    for seat, melds in enumerate(state.melds):
        view.melds[seat] = len(melds)
        for at, meld in enumerate(melds):
            claimed = meld.called
            view.meld_kinds[seat, at] = meld.kind
            view.meld_lows[seat, at] = meld.tiles[0] >> 2
            view.meld_called[seat, at] = -1 if claimed is None else claimed >> 2
            view.meld_from[seat, at] = meld.from_seat
            view.meld_orders[seat, at] = -1 if claimed is None else order_of.get(claimed, -1)
            view.meld_reds[seat, at] = len(set(red_fives).intersection(meld.tiles))
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


def discards_in_order(state: SeatView) -> list[tuple[int, RiverTile]]:
    """Every (seat, discard) of the hand in order; none after a snapshot, which does not keep the order.

    After a discard the next seat discards, or the seat that called it; kans do not change the turn.
    """
    found: list[tuple[int, RiverTile]] = []
    if not state.history_known:
        return found
    at = [0, 0, 0, 0]
    seat = state.dealer
    while at[seat] < len(state.rivers[seat]):
        tile = state.rivers[seat][at[seat]]
        found.append((seat, tile))
        at[seat] += 1
        seat = (seat + 1) % 4 if tile.called_by is None else tile.called_by
    return found


@cache
def _empty(rules: Rules) -> Records[Table]:
    return new_tables(rules)
