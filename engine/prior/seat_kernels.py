"""What a seat shows as inputs of the imitating network: its melds and river, and what an opponent may wait for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, allocating_part
from engine.opponents.view_kernels import (
    F_DEALER,
    F_IPPATSU,
    F_KYOKU,
    F_RIICHI,
    M_CALLED,
    M_KIND,
    M_LOW,
    M_ORDER,
    M_REDS,
    R_FLAGS,
    R_KIND,
    R_ORDER,
    R_RIICHI,
    R_TSUMOGIRI,
    View,
)
from engine.prior.layout_kernels import (
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


@allocating_part
def meld_dora(view: View, seat: int, at: int) -> int:
    """Number of dora in a meld of a seat, red fives included."""
    meld = view.melds[seat, at]
    low = int(meld[M_LOW])
    dora = int(meld[M_REDS])
    if meld[M_KIND] == 0:
        return dora + int(view.dora[low]) + int(view.dora[low + 1]) + int(view.dora[low + 2])
    return dora + (3 if meld[M_KIND] == 1 else 4) * int(view.dora[low])


@allocating_part
def fill_seat(view: View, seat: int, away: int, planes: Array2[np.uint8]) -> None:
    """Fill the planes of a seat's melds and river; ``away``: the seat as seen from the viewer."""
    base = SEATS_AT + SEAT_PLANES * away
    for at in range(view.meld_counts[seat]):
        meld = view.melds[seat, at]
        kind = int(meld[M_KIND])
        low = int(meld[M_LOW])
        if kind == 0:
            for tile in range(low, low + 3):
                planes[tile, base + IN_MELDS] += 1
        else:
            planes[low, base + IN_MELDS] += 3 if kind == 1 else 4
        if meld[M_CALLED] >= 0:
            planes[int(meld[M_CALLED]), base + CALLED] = 1
        order = int(meld[M_ORDER])
        if kind <= 1 and order >= 0:
            for own in range(view.lengths[seat]):
                if view.rivers[seat, own, R_ORDER] > order:
                    planes[int(view.rivers[seat, own, R_KIND]), base + AFTER_CALL] = 1
                    break
    length = view.lengths[seat]
    for at in range(length):
        kind = int(view.rivers[seat, at, R_KIND])
        flags = view.rivers[seat, at, R_FLAGS]
        row = planes[kind]
        row[base + IN_RIVER] += 1
        recent = max(1, 24 - (length - 1 - at))
        row[base + (TSUMOGIRI if flags & R_TSUMOGIRI else FROM_HAND)] = recent
        if row[base + FIRST] == 0:
            row[base + FIRST] = max(1, 24 - at)
        if flags & R_RIICHI:
            row[base + RIICHI_TILE] = 1


@allocating_part
def fill_opponent(view: View, seat: int, away: int, planes: Array2[np.uint8], numbers: NDArray[np.uint8]) -> None:
    """Fill what an opponent cannot win on and may wait for, and how it stands; ``away`` as above."""
    facts = view.facts
    base = OPPONENTS_AT + OPPONENT_PLANES * (away - 1)
    length = view.lengths[seat]
    rivers = view.rivers
    latest = -1
    riichi_order = -1
    tail = 0
    changes = 0
    since_riichi = 0
    safe = 0
    for at in range(length):
        safe |= 1 << int(rivers[seat, at, R_KIND])
        latest = max(latest, int(rivers[seat, at, R_ORDER]))
        since_riichi += riichi_order >= 0
        if rivers[seat, at, R_FLAGS] & R_RIICHI:
            riichi_order = int(rivers[seat, at, R_ORDER])
        if rivers[seat, at, R_FLAGS] & R_TSUMOGIRI:
            tail += 1
        else:
            tail = 0
            changes += 1
    for other in range(4):
        if other == seat:
            continue
        for at in range(view.lengths[other]):
            kind = int(rivers[other, at, R_KIND])
            order = int(rivers[other, at, R_ORDER])
            if order < 0:
                continue
            if order > latest or 0 <= riichi_order < order:
                safe |= 1 << kind
            changed = 0
            for own in range(length - 1, -1, -1):
                if rivers[seat, own, R_ORDER] < order:
                    break
                changed += not rivers[seat, own, R_FLAGS] & R_TSUMOGIRI
            fresh = max(0, 5 - changed)
            planes[kind, base + CHANGES] = max(planes[kind, base + CHANGES], fresh)
    visible = view.visible
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

    opened = 0
    dora = 0
    yakuhai = 0
    suits = 0
    for at in range(view.meld_counts[seat]):
        low = int(view.melds[seat, at, M_LOW])
        opened += view.melds[seat, at, M_KIND] != 3
        dora += meld_dora(view, seat, at)
        if low >= 31:
            yakuhai += 1
        elif low >= 27:
            yakuhai += low - 27 == (seat - facts[F_DEALER] & 3)
            yakuhai += low - 27 == facts[F_KYOKU] // 4 % 4
        else:
            suits |= 1 << low // 9
    g = G_OTHERS + OTHER_NUMBERS * (away - 1)
    numbers[g] = facts[F_RIICHI + seat] > 0
    numbers[g + 1] = facts[F_RIICHI + seat] == 2
    numbers[g + 2] = facts[F_IPPATSU + seat]
    numbers[g + 3] = since_riichi
    numbers[g + 4] = opened
    numbers[g + 5] = view.meld_counts[seat]
    numbers[g + 6] = dora
    numbers[g + 7] = yakuhai
    numbers[g + 8] = opened > 0 and suits & (suits - 1) == 0
    numbers[g + 9] = min(length, 24)
    numbers[g + 10] = min(tail, 12)
    numbers[g + 11] = min(changes, 24)
    numbers[g + 12] = seat == facts[F_DEALER]
