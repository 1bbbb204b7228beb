"""The own hand as inputs of the imitating network: how near it is to a win, and after each discard and call."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_part, part
from engine.networks import imitation_layout_kernels as layout
from engine.rules.table_kernels import Table, is_closed
from engine.rules.win_kernels import count_melds, mean_points, pack_melds
from engine.scoring.win_kernels import MELD_CHI, MELD_OPEN_KAN, MELD_PON
from engine.shanten.shanten_kernels import (
    NOT_HELD,
    TILES_OK,
    fill_neighbour_shanten,
    hand_shanten,
    hand_words,
    orphans_of_sum,
    pairs_of_sum,
)
from engine.shanten.table_kernels import HandTables


@part
def _forms(counts: NDArray[np.uint8], tables: HandTables, numbers: NDArray[np.uint8]) -> None:
    """How far the hand is from seven pairs and thirteen orphans, where it has no meld."""
    man, pin, sou, honours = hand_words(counts, tables)
    total = man + pin + sou + honours
    numbers[layout.G_FORMS] = max(0, pairs_of_sum(total) + 1)
    numbers[layout.G_FORMS + 1] = max(0, orphans_of_sum(total) + 1)
    numbers[layout.G_FORMS + 2] = 1


@part
def _ukeire(
    counts: NDArray[np.uint8], melds: int, visible: NDArray[np.uint8], tables: HandTables, after: NDArray[np.int8]
) -> tuple[int, int, int]:
    """Unseen tiles that bring a hand with a tile to come nearer, their kinds as a number and as a bit set."""
    if fill_neighbour_shanten(counts, melds, 1, tables, after) != TILES_OK:
        return 0, 0, 0
    total = 0
    kinds = 0
    mask = 0
    for kind in range(34):
        if after[kind] < after[34]:
            total += max(0, 4 - int(visible[kind]))
            kinds += 1
            mask |= 1 << kind
    return total, kinds, mask


@allocating_part
def fill_after_discards(
    table: Table, question: NDArray[np.int64], tables: HandTables, planes: Array2[np.uint8], numbers: NDArray[np.uint8]
) -> None:
    """Fill how near a hand with a tile too many is to a win after each discard and each kan."""
    seat = table.viewer
    melds = table.melds[seat]
    counts = table.hand.copy()
    after = np.empty(35, np.int8)
    accepted = np.empty(35, np.int8)
    if fill_neighbour_shanten(counts, melds, -1, tables, after) != TILES_OK:
        return
    best = NOT_HELD
    for kind in range(34):
        best = min(best, int(after[kind]))
    own_river = 0
    for at in range(table.lengths[seat]):
        own_river |= 1 << int(table.river_kinds[seat, at])
    melded = np.zeros(34, np.uint8)
    packed = pack_melds(table, seat)
    reds = count_melds(table, seat, melded)
    closed = is_closed(table, seat)
    most = 0
    for kind in range(34):
        if after[kind] > best + 1:
            continue
        row = planes[kind]
        row[layout.NEAREST if after[kind] == best else layout.ONE_WORSE] = 1
        counts[kind] -= 1
        total, kinds, mask = _ukeire(counts, melds, table.visible, tables, accepted)
        if after[kind] == 0:
            silent = mean_points(table, counts, mask, packed, melded, reds, False, tables)
            row[layout.SILENT_POINTS] = min(silent // layout.POINTS_STEP, 255)
            if closed:
                loud = mean_points(table, counts, mask, packed, melded, reds, True, tables)
                row[layout.RIICHI_POINTS] = min(loud // layout.POINTS_STEP, 255)
        counts[kind] += 1
        row[layout.UKEIRE] = min(total, 255)
        row[layout.ACCEPTED_KINDS] = kinds
        if after[kind] == 0 and mask & own_river:
            row[layout.FURITEN] = 1
        if after[kind] == best:
            most = max(most, total)
            for tile in range(34):
                if mask >> tile & 1:
                    planes[tile, layout.ACCEPTED] = 1
    for kind in range(34):
        if not question[layout.Q_KANS] >> kind & 1:
            continue
        taken = int(counts[kind])
        counts[kind] = 0
        made = hand_shanten(counts, melds + 1 if taken == 4 else melds, tables)
        counts[kind] = taken
        planes[kind, layout.KAN_KEEPS] = made <= best
    numbers[layout.G_SHANTEN + min(max(best, 0), 7)] = 1
    numbers[layout.G_UKEIRE] = min(most, 255)
    if melds == 0:
        _forms(counts, tables, numbers)


@allocating_part
def fill_after_calls(
    table: Table, question: NDArray[np.int64], tables: HandTables, planes: Array2[np.uint8], numbers: NDArray[np.uint8]
) -> None:
    """Fill how near a hand that is offered a tile is to a win, as it is and after each call."""
    seat = table.viewer
    melds = table.melds[seat]
    counts = table.hand.copy()
    accepted = np.empty(35, np.int8)
    total, _, mask = _ukeire(counts, melds, table.visible, tables, accepted)
    now = int(accepted[34])
    for kind in range(34):
        planes[kind, layout.ACCEPTED] = mask >> kind & 1
    numbers[layout.G_SHANTEN + min(max(now, 0), 7)] = 1
    numbers[layout.G_UKEIRE] = min(total, 255)
    if melds == 0:
        _forms(counts, tables, numbers)
    offered = question[layout.Q_OFFERED]
    melded = np.zeros(34, np.uint8)
    packed = pack_melds(table, seat)
    reds = count_melds(table, seat, melded)
    for call in range(layout.CALLS):
        if not question[layout.Q_CALLS] >> call & 1:
            continue
        one, other, copies = offered, offered, 1
        code = MELD_PON
        if call == layout.CALL_LOW:
            one, other = offered + 1, offered + 2
        elif call == layout.CALL_MIDDLE:
            one, other = offered - 1, offered + 1
        elif call == layout.CALL_HIGH:
            one, other = offered - 2, offered - 1
        elif call == layout.CALL_KAN:
            copies = 2
            code = MELD_OPEN_KAN
        if call <= layout.CALL_HIGH:
            code = MELD_CHI
        counts[one] -= copies
        counts[other] -= 1
        for tile, made in ((one, copies), (other, 1), (offered, 1)):
            melded[tile] += made
        meld = code << 6 | (min(one, other, offered) + 1)
        near, most, points = _after_call(table, counts, packed << 8 | meld, melded, reds, melds + 1, tables)
        counts[one] += copies
        counts[other] += 1
        for tile, made in ((one, copies), (other, 1), (offered, 1)):
            melded[tile] -= made
        g = layout.G_CALLS + layout.CALL_NUMBERS * call
        numbers[g] = 1
        numbers[g + 1] = near < now
        numbers[g + 2] = near == now
        numbers[g + 3] = min(most, 255)
        numbers[g + 4] = near <= 0
        numbers[g + 5] = min(points // layout.POINTS_STEP, 255)


@allocating_part
def _after_call(
    table: Table,
    counts: NDArray[np.uint8],
    packed: int,
    melded: NDArray[np.uint8],
    reds: int,
    melds: int,
    tables: HandTables,
) -> tuple[int, int, int]:
    """Shanten after a call and its best discard, the most ukeire among those, and the points of that hand if tenpai."""
    after = np.empty(35, np.int8)
    accepted = np.empty(35, np.int8)
    points = 0
    if fill_neighbour_shanten(counts, melds, -1, tables, after) != TILES_OK:
        # an open kan: nothing to discard yet
        total, _, mask = _ukeire(counts, melds, table.visible, tables, accepted)
        if accepted[34] == 0:
            points = mean_points(table, counts, mask, packed, melded, reds, False, tables)
        return int(accepted[34]), total, points
    best = NOT_HELD
    for kind in range(34):
        best = min(best, int(after[kind]))
    most = 0
    for kind in range(34):
        if after[kind] == best:
            counts[kind] -= 1
            total, _, mask = _ukeire(counts, melds, table.visible, tables, accepted)
            if best == 0 and (total > most or points == 0):
                points = mean_points(table, counts, mask, packed, melded, reds, False, tables)
            counts[kind] += 1
            most = max(most, total)
    return best, most, points
