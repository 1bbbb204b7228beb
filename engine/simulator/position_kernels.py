"""A position with the tiles that somebody has not seen exchanged, to be played on from there."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, allocating_kernel, allocating_part, part
from engine.rules.code_kernels import DRAW, FIRST_AT, TYPE
from engine.rules.table_kernels import CALLED, DISCARDED, DRAWN, WAS_RIICHI, find_waits, take
from engine.shanten.table_kernels import HandTables
from engine.simulator.game_kernels import DEAD_WALL, LIVE_FROM, GameTable
from engine.simulator.naming_kernels import holds
from engine.simulator.play_kernels import ask_others
from engine.simulator.wall_kernels import mix_up


@part
def is_covered(table: GameTable, place: int) -> bool:
    """Whether the tile at a place of the wall is neither drawn nor turned."""
    if place >= DEAD_WALL:
        return place <= LIVE_FROM - table.live_drawn
    if place < 4:
        return place ^ 1 >= table.dead_drawn
    return place % 2 == 0 or (place - 5) >> 1 >= table.indicators


@allocating_part
def reshuffle(table: GameTable, viewer: int, tables: HandTables) -> None:
    """Exchange the tiles that nobody has seen; with a ``viewer``, who has been asked, those that it has not seen.

    Without a viewer (-1) the covered tiles of both walls change places. With one, the tiles of the other hands are
    among them: wherever such a tile lies or was drawn, another one takes its place, so that deal, draws and hands still
    agree. Then waits, furiten and questions of the others are those of their new hands.
    """
    unseen = np.empty(136, np.uint8)
    number = 0
    for place in range(136):
        if is_covered(table, place):
            unseen[number] = table.tiles[place]
            number += 1
    for seat in range(4):
        if viewer not in (-1, seat):
            for tile in range(136):
                if holds(table, seat, tile):
                    unseen[number] = tile
                    number += 1
    mixed = unseen.copy()
    mix_up(table, mixed, number)
    becomes = np.empty(136, np.uint8)
    for tile in range(136):
        becomes[tile] = tile
    for at in range(number):
        becomes[unseen[at]] = mixed[at]
    for place in range(136):
        table.tiles[place] = becomes[table.tiles[place]]
    if viewer >= 0:
        _exchange_hands(table, viewer, becomes, tables)


@allocating_part
def _exchange_hands(table: GameTable, viewer: int, becomes: NDArray[np.uint8], tables: HandTables) -> None:
    """Put the tiles that others than the viewer hold in the place of which they are to be."""
    for at in range(table.logged):
        code = int(table.log[at])
        if code & TYPE == DRAW:
            tile = code >> FIRST_AT & 255
            table.log[at] = code + ((int(becomes[tile]) - tile) << FIRST_AT)
    held = np.empty(14, np.uint8)
    for seat in range(4):
        if seat == viewer:
            continue
        number = 0
        for tile in range(136):
            if holds(table, seat, tile):
                held[number] = becomes[tile]
                number += 1
        table.counts[seat, :] = 0
        table.copies[seat, :] = 0
        for at in range(number):
            take(table, seat, int(held[at]))
        hold_anew(table, seat, tables)
    if table.phase not in (DRAWN, CALLED):
        ask_others(table, tables)


@allocating_part
def hold_anew(table: GameTable, seat: int, tables: HandTables) -> None:
    """Fill what follows from a hand that was put into a seat's place: waits, and what it has passed."""
    find_waits(table, seat, tables)
    table.missed[seat] = int(
        table.offered >= 0 and seat != table.turn and table.waits[seat] >> (table.offered >> 2) & 1 != 0
    )
    passed = _has_passed(table, seat)
    table.furiten_riichi[seat] = int(passed and table.riichi[seat] != 0)
    table.furiten_turn[seat] = int(passed and table.riichi[seat] == 0)


@part
def _has_passed(table: GameTable, seat: int) -> bool:
    """Whether a tile that completes the seat's hand was discarded since its own last discard or its riichi."""
    since = -1
    for at in range(table.lengths[seat]):
        if not table.riichi[seat] or table.river_flags[seat, at] & WAS_RIICHI:
            since = int(table.river_orders[seat, at])
    until = table.discards - int(table.phase == DISCARDED)
    for other in range(4):
        if other != seat:
            for at in range(table.lengths[other]):
                passed = since < table.river_orders[other, at] < until
                if passed and table.waits[seat] >> int(table.river_kinds[other, at]) & 1:
                    return True
    return False


@allocating_kernel("research", seconds=6.0)
def reshuffle_all(
    games: Records[GameTable], which: NDArray[np.int64], viewer: int, tables: Records[HandTables]
) -> None:
    """:func:`reshuffle` some tables."""
    for place in which:
        reshuffle(games[place], viewer, tables[0])
