"""The wall of a simulated table: shuffled, dealt, drawn from, and its indicators turned."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.rules.code_kernels import DRAW, FIRST_AT, NEW_DORA, SEAT_AT
from engine.rules.legal_kernels import own_turn
from engine.rules.random_kernels import STRIDE, number_below
from engine.rules.step_kernels import step
from engine.rules.table_kernels import KAN as AFTER_KAN
from engine.rules.table_kernels import find_waits, indicate, start, take
from engine.shanten.table_kernels import HandTables
from engine.simulator.game_kernels import IN_PLAY, LIVE_FROM, GameTable


@part
def mix_up(table: GameTable, tiles: NDArray[np.uint8], number: int) -> None:
    """Shuffle the first ``number`` of some tiles with the table's own generator, splitmix64."""
    state = table.random
    for place in range(number - 1):
        state += STRIDE
        other = place + number_below(state, number - place)
        tile = tiles[place]
        tiles[place] = tiles[other]
        tiles[other] = tile
    table.random = state


@part
def shuffle(table: GameTable) -> None:
    """Shuffle all tiles of the table."""
    for place in range(136):
        table.tiles[place] = place
    mix_up(table, table.tiles, 136)


@allocating_part
def deal(table: GameTable, tables: HandTables) -> None:
    """Deal the tiles for the next hand, up to the dealer's first question."""
    start(table, table.next_kyoku, table.next_honba, table.sticks, table.next_kyoku % 4)
    place = 135
    for round_ in range(4):
        for away in range(4):
            for _ in range(4 if round_ < 3 else 1):
                take(table, (table.dealer + away) & 3, int(table.tiles[place]))
                place -= 1
    for seat in range(4):
        find_waits(table, seat, tables)
        table.dealt_scores[seat] = table.scores[seat]
        table.deltas[seat] = 0
    table.dealt_sticks = table.sticks
    indicate(table, int(table.tiles[5]))
    table.live_drawn = 0
    table.dead_drawn = 0
    table.asked = 0
    table.logged = 0
    table.ending = IN_PLAY
    table.wins = 0
    table.shown = 0
    table.hands += 1
    draw_tile(table, table.dealer, tables)


@allocating_part
def emit(table: GameTable, code: int, tables: HandTables) -> None:
    """Let an event happen, and write it down."""
    table.log[table.logged] = code
    table.logged += 1
    step(table, code, tables)


@allocating_part
def draw_tile(table: GameTable, seat: int, tables: HandTables) -> None:
    """Draw from the wall, or after a kan from the dead wall, and ask the seat."""
    if table.phase == AFTER_KAN:
        # drawn after kans: the second, first, fourth, third of the shuffled tiles
        tile = int(table.tiles[table.dead_drawn ^ 1])
        table.dead_drawn += 1
    else:
        tile = int(table.tiles[LIVE_FROM - table.live_drawn])
        table.live_drawn += 1
    emit(table, DRAW | seat << SEAT_AT | tile << FIRST_AT, tables)
    own_turn(table, table.legal[seat], tables)
    table.asked = 1 << seat


@allocating_part
def turn_dora(table: GameTable, owed: int, tables: HandTables) -> None:
    """Turn indicators until only ``owed`` are left to turn."""
    while table.dora_owed > owed:
        tile = int(table.tiles[5 + 2 * table.indicators])
        emit(table, NEW_DORA | tile << FIRST_AT, tables)


@part
def ura_of(table: GameTable) -> int:
    """The ura indicators of a win in riichi, packed as :func:`engine.rules.win_kernels.dora_han` takes them."""
    packed = 0
    if table.ura_dora:
        for place in range(table.indicators):
            packed = packed << 6 | ((int(table.tiles[4 + 2 * place]) >> 2) + 1)
    return packed
