"""What the critic sees of a table with all hands open, before a tile is drawn."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, allocating_part, part
from engine.critic import layout_kernels as layout
from engine.rules.moment_kernels import Moment
from engine.rules.table_kernels import DISCARDED, Table, called_melds, holds_red, is_furiten, yaku_of_triplet
from engine.rules.table_kernels import KAN as AFTER_KAN
from engine.rules.win_kernels import count_melds, dora_han, win_answer
from engine.scoring.win_kernels import points_of
from engine.shanten.shanten_kernels import fill_neighbour_shanten
from engine.shanten.table_kernels import HandTables

_BELOW = np.array((4, 12, 24, 48))


@part
def next_to_draw(table: Table) -> int:
    """The seat that draws the next tile, if nobody calls."""
    return (table.turn + 1) & 3 if table.phase == DISCARDED else table.turn


@allocating_kernel("critic", seconds=5.0)
def fill_critic_inputs(
    moments: Records[Moment],
    tables: Records[HandTables],
    planes: Array3[np.uint8],
    numbers: Array2[np.uint8],
    seats: NDArray[np.int64],
) -> None:
    """Fill ``planes`` (n, 34, PLANES) and ``numbers`` (n, GLOBALS) for n tables, and ``seats`` (n,): who draws."""
    for at in range(len(moments)):
        seats[at] = next_to_draw(moments[at])
        _write(moments[at], seats[at], tables[0], planes[at], numbers[at])


@allocating_part
def _write(table: Table, drawer: int, tables: HandTables, planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    planes[:] = 0
    numbers[:] = 0
    _fill_table(table, planes, numbers)
    for away in range(4):
        _fill_seat(
            table,
            (drawer + away) & 3,
            away,
            tables,
            planes,
            numbers[layout.OF_SEAT * away : layout.OF_SEAT * (away + 1)],
        )


@part
def _fill_table(table: Table, planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    for kind in range(34):
        planes[kind, layout.LEFT] = tiles_left(table, kind)
        planes[kind, layout.DORA] = table.dora[kind]
    for suit in range(3):
        held = table.open_reds[suit] != 0
        for seat in range(4):
            held = held or holds_red(table, seat, suit)
        planes[9 * suit + 4, layout.RED_LEFT] = table.red_fives != 0 and not held
    if table.offered >= 0:
        planes[table.offered >> 2, layout.OFFERED] = 1
    numbers[layout.WALL] = table.wall
    for at in range(4):
        numbers[layout.WALL_BELOW + at] = table.wall < _BELOW[at]
    numbers[layout.DEAD_WALL] = table.phase == AFTER_KAN
    numbers[layout.ROUND] = min(table.kyoku // 4, 2)
    numbers[layout.TO_LAST] = min(max(table.last_kyoku - table.kyoku, 0), 7)
    numbers[layout.LAST] = table.kyoku >= table.last_kyoku
    numbers[layout.EAST_ONLY] = table.last_kyoku == 3
    numbers[layout.HONBA] = min(table.honba, 8)
    numbers[layout.STICKS] = min(table.sticks, 8)
    numbers[layout.INDICATORS] = table.indicators


@part
def tiles_left(table: Table, kind: int) -> int:
    """Copies of a kind that lie in the wall, the dead wall included."""
    left = 4 - int(table.open_tiles[kind])
    for seat in range(4):
        left -= int(table.counts[seat, kind])
    return max(left, 0)


@allocating_part
def _fill_seat(
    table: Table,
    seat: int,
    away: int,
    tables: HandTables,
    planes: Array2[np.uint8],
    numbers: NDArray[np.uint8],
) -> None:
    """Fill what a seat's hand is; ``numbers`` are its own (OF_SEAT,)."""
    first = layout.AT_SEAT * away
    after = np.empty(35, np.int8)
    totals = np.zeros(34, np.uint8)
    fill_neighbour_shanten(table.counts[seat], table.melds[seat], 1, tables, after)
    reds = count_melds(table, seat, totals)
    waits_left = 0
    nearer_left = 0
    most = 0
    for kind in range(34):
        planes[kind, first + layout.HELD] = table.counts[seat, kind]
        planes[kind, first + layout.OWN_RIVER] = table.river_mask[seat] >> kind & 1
        planes[kind, first + layout.MELDED] = totals[kind]
        planes[kind, first + layout.YAKUHAI] = yaku_of_triplet(table, seat, kind) if kind >= 27 else 0
        if after[kind] < after[34] and table.counts[seat, kind] < 4:
            planes[kind, first + layout.NEARER] = 1
            nearer_left += planes[kind, layout.LEFT]
        if table.waits[seat] >> kind & 1 and table.counts[seat, kind] + totals[kind] < 4:
            planes[kind, first + layout.WAIT] = 1
            points = _points_of_win(table, seat, kind, away == 0, tables)
            planes[kind, first + layout.POINTS] = min(points // 200, 255)
            if points:
                waits_left += planes[kind, layout.LEFT]
            most = max(most, points)
    for suit in range(3):
        reds += int(holds_red(table, seat, suit))
    numbers[layout.SHANTEN + min(max(int(after[34]), 0), 3)] = 1
    numbers[layout.DISTANCE] = max(int(after[34]), 0)
    numbers[layout.RIICHI] = table.riichi[seat] > 0
    numbers[layout.IPPATSU] = table.ippatsu[seat]
    numbers[layout.FURITEN] = is_furiten(table, seat)
    numbers[layout.CALLED] = called_melds(table, seat) > 0
    numbers[layout.MELDS] = table.melds[seat]
    numbers[layout.DEALER] = seat == table.dealer
    numbers[layout.REDS] = reds
    numbers[layout.DORA_HELD] = min(dora_han(table, seat, 0), 20)
    numbers[layout.WAITS_LEFT] = min(waits_left, 20)
    numbers[layout.NEARER_LEFT] = min(nearer_left, 60)
    numbers[layout.MOST_POINTS] = min(most // 200, 255)
    numbers[layout.ABOVE_START] = min(max(table.scores[seat] // 400 - 25000 // 400 + layout.CENTRE, 0), 255)
    above = 0
    for other in range(4):
        # equal points: the seat that dealt first stands above
        more = table.scores[other] - table.scores[seat]
        above += int(more > 0 or (more == 0 and other < seat))
    numbers[layout.PLACE + above] = 1


@allocating_part
def _points_of_win(table: Table, seat: int, kind: int, tsumo: bool, tables: HandTables) -> int:
    """Points that a seat wins with a plain tile of the kind, ura and honba aside; 0 without a yaku."""
    if tsumo:
        table.counts[seat, kind] += 1
    answer, bonus, flags, is_open = win_answer(table, seat, kind, False, tsumo, 0, tables)
    if tsumo:
        table.counts[seat, kind] -= 1
    return points_of(answer, is_open, flags, bonus)
