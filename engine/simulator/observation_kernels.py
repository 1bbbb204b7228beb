"""What seats see of their tables as arrays: what lies on the table, without any estimate but the hand's own shanten."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel, allocating_part, part
from engine.rules.table_kernels import (
    CALLED,
    DRAWN,
    IS_CHI,
    IS_PON,
    KAN,
    WAS_RIICHI,
    WAS_TSUMOGIRI,
    Table,
    holds_red,
    is_closed,
    is_furiten,
)
from engine.shanten.shanten_kernels import hand_shanten
from engine.shanten.table_kernels import HandTables
from engine.simulator.game_kernels import GameTable

HELD, RED, JUST_DRAWN, ON_OFFER, DORA, VISIBLE, OF_SEATS = range(7)
"""Planes; from OF_SEATS on those of each seat, the own one first, then to the right."""
DISCARDED, FROM_HAND, LAST_AT, DECLARED_WITH, IN_MELDS, OF_A_SEAT = range(6)
"""Planes of a seat."""
PLANES = OF_SEATS + 4 * OF_A_SEAT

KYOKU, HONBA, STICKS, WALL, LAST_KYOKU, DEALER, ASKED, GIVER, SHANTEN, FURITEN = range(10)
SCORES, RIICHIS, IPPATSU, MELDS, CLOSED_HANDS, OPEN_REDS = 10, 14, 18, 22, 26, 30
NUMBERS = 33
"""Numbers; from SCORES to CLOSED_HANDS there is one for each seat, the own one first, then to the right."""
ASKED_AFTER_DRAW, ASKED_AFTER_CALL, ASKED_OF_DISCARD, ASKED_OF_KAN = range(4)


@part
def _observe_seat(table: Table, seat: int, first: int, planes: Array2[np.uint8]) -> None:
    """Fill the planes of one seat, beginning with plane ``first``."""
    for at in range(table.lengths[seat]):
        kind = int(table.river_kinds[seat, at])
        flags = table.river_flags[seat, at]
        planes[kind, first + DISCARDED] += 1
        planes[kind, first + FROM_HAND] += int(flags & WAS_TSUMOGIRI == 0)
        planes[kind, first + LAST_AT] = at + 1
        planes[kind, first + DECLARED_WITH] |= int(flags & WAS_RIICHI != 0)
    for at in range(table.melds[seat]):
        low = int(table.meld_lows[seat, at])
        what = table.meld_kinds[seat, at]
        if what == IS_CHI:
            for kind in range(low, low + 3):
                planes[kind, first + IN_MELDS] += 1
        else:
            planes[low, first + IN_MELDS] += 3 if what == IS_PON else 4


@allocating_part
def _observe_hand(table: Table, seat: int, planes: Array2[np.uint8]) -> None:
    planes[:, :] = 0
    for kind in range(34):
        held = table.counts[seat, kind]
        planes[kind, HELD] = held
        planes[kind, DORA] = table.dora[kind]
        planes[kind, VISIBLE] = held + table.open_tiles[kind]
    for suit in range(3):
        planes[9 * suit + 4, RED] = int(holds_red(table, seat, suit))
    if table.turn == seat and table.drawn >= 0:
        planes[table.drawn >> 2, JUST_DRAWN] = 1
    if table.offered >= 0:
        planes[table.offered >> 2, ON_OFFER] = 1


@allocating_part
def _observe_numbers(table: Table, seat: int, numbers: NDArray[np.int32], tables: HandTables) -> None:
    numbers[KYOKU], numbers[HONBA], numbers[STICKS] = table.kyoku, table.honba, table.sticks
    numbers[WALL], numbers[LAST_KYOKU] = table.wall, table.last_kyoku
    numbers[DEALER] = table.dealer - seat & 3
    if table.phase == DRAWN:
        numbers[ASKED] = ASKED_AFTER_DRAW
    elif table.phase == CALLED:
        numbers[ASKED] = ASKED_AFTER_CALL
    else:
        numbers[ASKED] = ASKED_OF_KAN if table.phase == KAN else ASKED_OF_DISCARD
    numbers[GIVER] = table.turn - seat & 3
    numbers[SHANTEN] = hand_shanten(table.counts[seat], table.melds[seat], tables)
    numbers[FURITEN] = int(is_furiten(table, seat))
    for away in range(4):
        other = (seat + away) & 3
        numbers[SCORES + away] = table.scores[other]
        numbers[RIICHIS + away] = table.riichi[other]
        numbers[IPPATSU + away] = table.ippatsu[other]
        numbers[MELDS + away] = table.melds[other]
        numbers[CLOSED_HANDS + away] = int(is_closed(table, other))
    for suit in range(3):
        numbers[OPEN_REDS + suit] = table.open_reds[suit]


@allocating_kernel("research", seconds=2.0)
def observe(
    games: Records[GameTable],
    places: NDArray[np.int64],
    seats: NDArray[np.int64],
    planes: Array3[np.uint8],
    numbers: Array2[np.int32],
    tables: Records[HandTables],
) -> None:
    """Write what ``seats[i]`` sees at table ``places[i]`` into ``planes[i]`` (34, PLANES), ``numbers[i]`` (NUMBERS)."""
    for at in range(len(places)):
        table = games[places[at]]
        seat = seats[at]
        _observe_hand(table, seat, planes[at])
        for away in range(4):
            _observe_seat(table, (seat + away) & 3, OF_SEATS + OF_A_SEAT * away, planes[at])
        _observe_numbers(table, seat, numbers[at], tables[0])
