"""What a seat shows as inputs of the imitating network: its melds and river, and what an opponent may wait for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_part
from engine.imitation.layout_kernels import (
    AFTER_CALL,
    CALLED,
    CHANGES,
    FIRST,
    FROM_HAND,
    G_OTHERS,
    IN_MELDS,
    IN_RIVER,
    OPPONENT_PLANES,
    OPPONENTS_AT,
    OTHER_NUMBERS,
    RIICHI_TILE,
    SAFE,
    SEAT_PLANES,
    SEATS_AT,
    TSUMOGIRI,
    WAYS,
)
from engine.rules.table_kernels import (
    IS_CHI,
    IS_PON,
    WAS_RIICHI,
    WAS_TSUMOGIRI,
    Table,
    called_melds,
    safe_kinds,
    yaku_of_triplet,
)
from engine.rules.win_kernels import meld_dora


@allocating_part
def fill_seat(table: Table, seat: int, away: int, planes: Array2[np.uint8]) -> None:
    """Fill the planes of a seat's melds and river; ``away``: the seat as seen from the viewer."""
    base = SEATS_AT + SEAT_PLANES * away
    for at in range(table.melds[seat]):
        kind = int(table.meld_kinds[seat, at])
        low = int(table.meld_lows[seat, at])
        if kind == IS_CHI:
            for tile in range(low, low + 3):
                planes[tile, base + IN_MELDS] += 1
        else:
            planes[low, base + IN_MELDS] += 3 if kind == IS_PON else 4
        if table.meld_called[seat, at] >= 0:
            planes[int(table.meld_called[seat, at]), base + CALLED] = 1
        order = int(table.meld_orders[seat, at])
        if kind <= IS_PON and order >= 0:
            for own in range(table.lengths[seat]):
                if table.river_orders[seat, own] > order:
                    planes[int(table.river_kinds[seat, own]), base + AFTER_CALL] = 1
                    break
    length = table.lengths[seat]
    for at in range(length):
        kind = int(table.river_kinds[seat, at])
        flags = table.river_flags[seat, at]
        row = planes[kind]
        row[base + IN_RIVER] += 1
        recent = max(1, 24 - (length - 1 - at))
        row[base + (TSUMOGIRI if flags & WAS_TSUMOGIRI else FROM_HAND)] = recent
        if row[base + FIRST] == 0:
            row[base + FIRST] = max(1, 24 - at)
        if flags & WAS_RIICHI:
            row[base + RIICHI_TILE] = 1


@allocating_part
def fill_opponent(table: Table, seat: int, away: int, planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    """Fill what an opponent cannot win on and may wait for, and how it stands; ``away`` as above."""
    base = OPPONENTS_AT + OPPONENT_PLANES * (away - 1)
    length = table.lengths[seat]
    tail = 0
    changes = 0
    since_riichi = 0
    declared = False
    for at in range(length):
        since_riichi += declared
        if table.river_flags[seat, at] & WAS_RIICHI:
            declared = table.river_orders[seat, at] >= 0
        if table.river_flags[seat, at] & WAS_TSUMOGIRI:
            tail += 1
        else:
            tail = 0
            changes += 1
    for other in range(4):
        if other == seat:
            continue
        for at in range(table.lengths[other]):
            kind = int(table.river_kinds[other, at])
            order = int(table.river_orders[other, at])
            if order < 0:
                continue
            changed = 0
            for own in range(length - 1, -1, -1):
                if table.river_orders[seat, own] < order:
                    break
                changed += not table.river_flags[seat, own] & WAS_TSUMOGIRI
            fresh = max(0, 5 - changed)
            planes[kind, base + CHANGES] = max(planes[kind, base + CHANGES], fresh)
    safe = safe_kinds(table, seat)
    visible = table.visible
    for kind in range(34):
        if safe >> kind & 1:
            planes[kind, base + SAFE] = 1
            continue
        if kind >= 27:
            continue
        number = kind % 9
        ways = 0
        if number <= 5 and not safe >> (kind + 3) & 1:
            ways += max(0, 4 - int(visible[kind + 1])) * max(0, 4 - int(visible[kind + 2]))
        if number >= 3 and not safe >> (kind - 3) & 1:
            ways += max(0, 4 - int(visible[kind - 1])) * max(0, 4 - int(visible[kind - 2]))
        planes[kind, base + WAYS] = ways

    opened = called_melds(table, seat)
    dora = 0
    yakuhai = 0
    suits = 0
    for at in range(table.melds[seat]):
        low = int(table.meld_lows[seat, at])
        dora += meld_dora(table, seat, at)
        yakuhai += yaku_of_triplet(table, seat, low)
        if low < 27:
            suits |= 1 << low // 9
    g = G_OTHERS + OTHER_NUMBERS * (away - 1)
    numbers[g] = table.riichi[seat] > 0
    numbers[g + 1] = table.riichi[seat] == 2
    numbers[g + 2] = table.ippatsu[seat]
    numbers[g + 3] = since_riichi
    numbers[g + 4] = opened
    numbers[g + 5] = table.melds[seat]
    numbers[g + 6] = dora
    numbers[g + 7] = yakuhai
    numbers[g + 8] = opened > 0 and suits & (suits - 1) == 0
    numbers[g + 9] = min(length, 24)
    numbers[g + 10] = min(tail, 12)
    numbers[g + 11] = min(changes, 24)
    numbers[g + 12] = seat == table.dealer
