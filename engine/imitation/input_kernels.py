"""A seat's view and what it is asked, as the whole numbers that the imitating network sees.

:mod:`engine.imitation.layout_kernels` says where each stands. The same kernels fill them from a live state and from
recordings. All numbers fit a byte, so that many decisions fit in memory.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, allocating_part, part
from engine.imitation.hand_kernels import fill_after_calls, fill_after_discards
from engine.imitation.layout_kernels import (
    CENTRE,
    DORA,
    DRAWN,
    G_ASKED,
    G_GIVER,
    G_OWN,
    G_ROUND,
    G_SCORES,
    G_SEAT_WIND,
    G_WALL,
    G_WHO,
    HELD_1,
    MAY_DISCARD,
    MAY_KAN,
    MAY_RIICHI,
    OFFERED,
    OWN_WIND,
    Q_DISCARDS,
    Q_DRAWN,
    Q_GIVER,
    Q_KANS,
    Q_OFFERED,
    Q_RIICHI,
    Q_WHO,
    RED_HELD,
    RED_UNSEEN,
    ROUND_WIND,
    UNSEEN,
)
from engine.imitation.seat_kernels import fill_opponent, fill_seat
from engine.rules.table_kernels import Table, called_melds, look
from engine.rules.win_kernels import meld_dora
from engine.shanten.table_kernels import HandTables


@allocating_kernel("prior", seconds=8.0)
def fill_inputs(
    views: Records[Table],
    questions: Array2[np.int64],
    tables: Records[HandTables],
    planes: Array3[np.uint8],
    numbers: Array2[np.uint8],
) -> None:
    """Fill ``planes`` (n, 34, PLANES) and ``numbers`` (n, GLOBALS) for n viewers and their questions."""
    for at in range(len(views)):
        _write_inputs(views[at], questions[at], tables[0], planes[at], numbers[at])


@allocating_part
def write_inputs_of(
    table: Table,
    seat: int,
    question: NDArray[np.int64],
    tables: HandTables,
    planes: Array2[np.uint8],
    numbers: NDArray[np.uint8],
) -> None:
    """Fill the inputs of a seat at a table where all hands are open.

    A riichi declared with the discard on offer counts as accepted: for whoever is asked it is as good as that.
    """
    if table.declared >= 0:
        table.riichi[table.declared] = table.ippatsu[table.declared] = 1
    look(table, seat)
    _write_inputs(table, question, tables, planes, numbers)
    if table.declared >= 0:
        table.riichi[table.declared] = table.ippatsu[table.declared] = 0


@allocating_part
def _write_inputs(
    table: Table, question: NDArray[np.int64], tables: HandTables, planes: Array2[np.uint8], numbers: NDArray[np.uint8]
) -> None:
    """Fill ``planes`` (34, PLANES) and ``numbers`` (GLOBALS) with what the viewer knows when it is asked."""
    planes[:] = 0
    numbers[:] = 0
    viewer = table.viewer
    _own_tiles(table, question, planes, numbers)
    for away in range(4):
        fill_seat(table, (viewer + away) & 3, away, planes)
        if away:
            fill_opponent(table, (viewer + away) & 3, away, planes, numbers)
    if question[Q_OFFERED] >= 0:
        fill_after_calls(table, question, tables, planes, numbers)
    else:
        fill_after_discards(table, question, tables, planes, numbers)
    _table(table, question, numbers)


@allocating_part
def _own_tiles(table: Table, question: NDArray[np.int64], planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    dora_held = 0
    dora_left = 0
    pairs = 0
    terminals = 0
    for kind in range(34):
        row = planes[kind]
        held = int(table.hand[kind])
        for number in range(held):
            row[HELD_1 + number] = 1
        pairs += held >= 2
        terminals += held > 0 and (kind >= 27 or kind % 9 == 0 or kind % 9 == 8)
        row[UNSEEN] = max(0, 4 - int(table.visible[kind]))
        row[DORA] = table.dora[kind]
        dora_held += held * int(table.dora[kind])
        dora_left += int(row[UNSEEN]) * int(table.dora[kind])
        row[MAY_DISCARD] = question[Q_DISCARDS] >> kind & 1
        row[MAY_RIICHI] = question[Q_RIICHI] >> kind & 1
        row[MAY_KAN] = question[Q_KANS] >> kind & 1
    for suit in range(3):
        row = planes[9 * suit + 4]
        row[RED_HELD] = table.own_reds[suit]
        row[RED_UNSEEN] = 1 - table.reds_seen[suit]
        dora_held += table.own_reds[suit]
    planes[27 + (table.viewer - table.dealer & 3), OWN_WIND] = 1
    planes[27 + table.kyoku // 4 % 4, ROUND_WIND] = 1
    if question[Q_DRAWN] >= 0:
        planes[question[Q_DRAWN], DRAWN] = 1
    if question[Q_OFFERED] >= 0:
        planes[question[Q_OFFERED], OFFERED] = 1
    melds = table.melds[table.viewer]
    melded_dora = 0
    for at in range(melds):
        melded_dora += meld_dora(table, table.viewer, at)
    numbers[G_OWN] = dora_held
    numbers[G_OWN + 1] = melded_dora
    numbers[G_OWN + 2] = melds
    numbers[G_OWN + 3] = called_melds(table, table.viewer) > 0
    numbers[G_OWN + 4] = table.riichi[table.viewer] > 0
    numbers[G_OWN + 5] = pairs
    numbers[G_OWN + 6] = terminals
    numbers[G_OWN + 7] = min(table.lengths[table.viewer], 24)
    numbers[G_OWN + 8] = table.indicators
    numbers[G_OWN + 9] = dora_left


@part
def _offset(points: int) -> int:
    """A difference of points as a byte."""
    return min(max(points // 400 + CENTRE, 0), 255)


@allocating_part
def _table(table: Table, question: NDArray[np.int64], numbers: NDArray[np.uint8]) -> None:
    """Who is asked what, wall, round, scores."""
    viewer = table.viewer
    numbers[G_WHO + question[Q_WHO]] = 1
    if question[Q_OFFERED] >= 0:
        numbers[G_ASKED + 2] = 1
        numbers[G_GIVER + question[Q_GIVER] - 1] = 1
    else:
        numbers[G_ASKED + (0 if question[Q_DRAWN] >= 0 else 1)] = 1
    wall = table.wall
    numbers[G_WALL] = wall
    numbers[G_WALL + 1] = wall < 4
    numbers[G_WALL + 2] = wall < 12
    numbers[G_WALL + 3] = wall < 24
    numbers[G_WALL + 4] = wall < 48
    kyoku = table.kyoku
    last = table.last_kyoku
    numbers[G_ROUND + min(kyoku // 4, 2)] = 1
    numbers[G_ROUND + 3] = min(max(last - kyoku, 0), 7)
    numbers[G_ROUND + 4] = kyoku >= last
    numbers[G_ROUND + 5] = last == 3
    numbers[G_ROUND + 6] = min(table.honba, 8)
    numbers[G_ROUND + 7] = min(table.sticks, 8)
    numbers[G_SEAT_WIND + (viewer - table.dealer & 3)] = 1
    own = table.scores[viewer]
    above = 0
    to_next = 1000000
    to_below = 1000000
    for away in range(1, 4):
        seat = (viewer + away) & 3
        ahead = table.scores[seat] - own
        numbers[G_SCORES + away] = _offset(ahead)
        # equal points: the seat that dealt first stands above
        if ahead > 0 or (ahead == 0 and seat < viewer):
            above += 1
            to_next = min(to_next, ahead)
        else:
            to_below = min(to_below, -ahead)
    numbers[G_SCORES] = _offset(own - 25000)
    numbers[G_SCORES + 4 + above] = 1
    numbers[G_SCORES + 8] = min(to_next // 400, 80) if above else 0
    numbers[G_SCORES + 9] = min(to_below // 400, 80) if above < 3 else 0
