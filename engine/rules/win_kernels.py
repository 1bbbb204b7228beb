"""A win on the table: its circumstances, its dora, its yaku and fu, and its points."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.rules.table_kernels import (
    DORA,
    IS_CHI,
    IS_PON,
    KAN,
    Table,
    holds_red,
    is_closed,
)
from engine.scoring.payment_kernels import ALMOST_MANGAN, MANGAN, base_points
from engine.scoring.win_kernels import (
    FU_AT,
    MELD_CHI,
    MELD_CLOSED_KAN,
    MELD_OPEN_KAN,
    MELD_PON,
    YAKU_BITS,
    best_win,
    open_melds,
    points_of,
)
from engine.scoring.yaku_kernels import (
    ALL_YAKUMAN,
    ROUND_AT,
    SEAT_AT,
    WIN_CHANKAN,
    WIN_DOUBLE_RIICHI,
    WIN_FIRST_TURN,
    WIN_IPPATSU,
    WIN_LAST_TILE,
    WIN_RIICHI,
    WIN_RINSHAN,
    WIN_TSUMO,
    han_of,
    popcount,
)
from engine.shanten.table_kernels import HandTables

_MELD_CODE = np.array((MELD_CHI, MELD_PON, MELD_OPEN_KAN, MELD_CLOSED_KAN, MELD_OPEN_KAN), np.int64)


@part
def pack_melds(table: Table, seat: int) -> int:
    """A seat's melds as scoring takes them, one byte each."""
    packed = 0
    for at in range(table.melds[seat] - 1, -1, -1):
        code = _MELD_CODE[table.meld_kinds[seat, at]]
        packed = packed << 8 | code << 6 | (int(table.meld_lows[seat, at]) + 1)
    return packed


@part
def lasting_flags(table: Table, seat: int) -> int:
    """The winds of every win of a seat in this hand, and what the rules of the table set."""
    return (seat - table.dealer & 3) << SEAT_AT | (table.kyoku // 4 % 4) << ROUND_AT | table.rule_flags


@part
def flags_of(table: Table, seat: int, tsumo: bool) -> int:
    """The WIN_ bits and winds of a win that the seat would make now."""
    flags = lasting_flags(table, seat)
    if table.riichi[seat]:
        flags |= WIN_DOUBLE_RIICHI if table.riichi[seat] == 2 else WIN_RIICHI
    if table.ippatsu[seat] and table.ippatsu_counts:
        flags |= WIN_IPPATSU
    if tsumo:
        flags |= WIN_TSUMO
        if table.from_dead_wall:
            flags |= WIN_RINSHAN
        if table.uninterrupted and table.lengths[seat] == 0:
            flags |= WIN_FIRST_TURN
    elif table.phase == KAN:
        flags |= WIN_CHANKAN
    if table.wall == 0 and not (tsumo and table.from_dead_wall):
        flags |= WIN_LAST_TILE
    return flags


@part
def dora_han(table: Table, seat: int, ura: int) -> int:
    """Dora, ura and red fives in a hand and its melds; ``ura``: kinds of the indicators plus one, six bits each."""
    han = 0
    for kind in range(34):
        han += int(table.counts[seat, kind]) * int(table.dora[kind])
    for suit in range(3):
        han += int(holds_red(table, seat, suit))
    for at in range(table.melds[seat]):
        han += meld_dora(table, seat, at)
    while ura:
        han += held_with_melds(table, seat, DORA[(ura & 63) - 1])
        ura >>= 6
    return han


@part
def meld_dora(table: Table, seat: int, at: int) -> int:
    """Dora and red fives in one meld of a seat."""
    low = int(table.meld_lows[seat, at])
    reds = int(table.meld_reds[seat, at])
    if table.meld_kinds[seat, at] == IS_CHI:
        return reds + int(table.dora[low]) + int(table.dora[low + 1]) + int(table.dora[low + 2])
    return reds + int(table.dora[low]) * (3 if table.meld_kinds[seat, at] == IS_PON else 4)


@part
def held_with_melds(table: Table, seat: int, kind: int) -> int:
    """Copies of a kind in a hand and its melds."""
    held = int(table.counts[seat, kind])
    for at in range(table.melds[seat]):
        low = int(table.meld_lows[seat, at])
        if table.meld_kinds[seat, at] == IS_CHI:
            held += int(low <= kind <= low + 2)
        elif kind == low:
            held += 3 if table.meld_kinds[seat, at] == IS_PON else 4
    return held


@part
def count_melds(table: Table, seat: int, totals: NDArray[np.uint8]) -> int:
    """Count the tiles of a seat's melds into ``totals`` (34); the red fives in them."""
    reds = 0
    for at in range(table.melds[seat]):
        low = int(table.meld_lows[seat, at])
        reds += int(table.meld_reds[seat, at])
        if table.meld_kinds[seat, at] == IS_CHI:
            for kind in range(low, low + 3):
                totals[kind] += 1
        else:
            totals[low] += 3 if table.meld_kinds[seat, at] == IS_PON else 4
    return reds


@allocating_part
def win_answer(
    table: Table, seat: int, kind: int, red: bool, tsumo: bool, ura: int, tables: HandTables
) -> tuple[int, int, int, bool]:
    """What the seat would win now.

    Args:
        table: the table. A tile won by self-draw is in the hand, another's is not.
        seat: who wins.
        kind: of the winning tile.
        red: whether it is a red five.
        tsumo: whether it is a self-draw.
        ura: see :func:`dora_han`.
        tables: of shanten and scoring.

    Returns:
        The packed answer of :func:`engine.scoring.win_kernels.best_win`, 0 without a yaku; dora, ura and red fives;
        the flags; whether the hand is open: as :func:`engine.scoring.win_kernels.points_of` takes them.
    """
    flags = flags_of(table, seat, tsumo)
    if not tsumo:
        table.counts[seat, kind] += 1
    bonus = dora_han(table, seat, ura) + int(red and not tsumo)
    answer = best_win(table.counts[seat], pack_melds(table, seat), kind, flags, bonus, tables)
    if not tsumo:
        table.counts[seat, kind] -= 1
    return answer, bonus, flags, not is_closed(table, seat)


@allocating_part
def has_yaku(table: Table, seat: int, tile: int, tsumo: bool, tables: HandTables) -> bool:
    """Whether a hand that ``tile`` completes has a yaku; one in riichi, or a closed self-draw, always has."""
    if table.riichi[seat] or (tsumo and is_closed(table, seat)):
        return True
    answer, _, _, _ = win_answer(table, seat, tile >> 2, False, tsumo, 0, tables)
    return answer != 0


@part
def base_of(answer: int, is_open: bool, bonus: int, kiriage: bool) -> int:
    """Base points of a packed answer; ``kiriage``: 4 han 30 fu and 3 han 60 fu count as mangan."""
    yaku = answer & YAKU_BITS
    yakuman = popcount(yaku & ALL_YAKUMAN)
    if yakuman:
        return base_points(0, 0, yakuman)
    base = base_points(han_of(yaku, is_open) + bonus, 5 * (answer >> FU_AT), 0)
    return MANGAN if kiriage and base == ALMOST_MANGAN else base


@part
def mean_points(
    table: Table,
    counts: NDArray[np.uint8],
    waits: int,
    packed: int,
    melded: NDArray[np.uint8],
    melded_reds: int,
    riichi: bool,
    tables: HandTables,
) -> int:
    """Mean points of a ron over the waits, weighted by the copies not visible; honba aside, 0 for a win without yaku.

    Args:
        table: as the seat sees it that would win; its dora, winds and red fives count.
        counts: concealed tiles of the tenpai hand; changed on the way and put back.
        waits: bit set of kinds.
        packed: melds as :func:`pack_melds` packs them.
        melded: (34,) tiles in the melds.
        melded_reds: red fives in the melds.
        riichi: the hand is won in riichi, without ippatsu and ura.
        tables: the tables of hands.
    """
    flags = lasting_flags(table, table.viewer)
    if riichi:
        flags |= WIN_RIICHI
    bonus = melded_reds
    for suit in range(3):
        bonus += int(table.own_reds[suit] != 0 and counts[9 * suit + 4] > 0)
    for kind in range(34):
        bonus += int(table.dora[kind]) * (int(counts[kind]) + int(melded[kind]))
    total = 0
    weight = 0
    for kind in range(34):
        if not waits >> kind & 1 or counts[kind] + melded[kind] >= 4:
            continue
        left = max(0, 4 - int(table.visible[kind]))
        counts[kind] += 1
        extra = bonus + int(table.dora[kind])
        answer = best_win(counts, packed, kind, flags, extra, tables)
        total += left * points_of(answer, open_melds(packed), flags, extra)
        weight += left
        counts[kind] -= 1
    return total // weight if weight else 0
