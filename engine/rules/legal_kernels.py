"""What a seat may do: its legal answers as four bit sets (:mod:`engine.rules.answer_kernels`)."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.model.rules import RIICHI_STICK, RIICHI_WALL
from engine.model.tiles import TERMINALS_AND_HONOURS
from engine.rules.answer_kernels import (
    CHI,
    DISCARDS_WORD,
    KANS_WORD,
    NINE,
    OPEN_KAN,
    OTHERS_WORD,
    PASS,
    PON,
    RIICHI_WORD,
    THE_DRAWN,
    WIN,
)
from engine.rules.table_kernels import (
    CALLED,
    DECLARED,
    DISCARDED,
    IS_PON,
    Table,
    is_closed,
    is_furiten,
    kans_made,
    swaps_of_chi,
)
from engine.rules.win_kernels import has_yaku
from engine.shanten.shanten_kernels import fill_neighbour_shanten, hand_shanten
from engine.shanten.table_kernels import HandTables

_OUTER = np.array(TERMINALS_AND_HONOURS, np.int64)
NOTHING, FOUR_RIICHI, FOUR_KANS, FOUR_WINDS = range(4)
"""Answers of :func:`forced_draw`."""


@allocating_part
def own_turn(table: Table, legal: NDArray[np.int64], tables: HandTables) -> None:
    """Fill ``legal`` (4) with what ``turn`` may do after a draw, a chi, a pon or its declared riichi."""
    legal[:] = 0
    seat = table.turn
    held = _discards(table, seat)
    if table.phase == CALLED:
        legal[DISCARDS_WORD] = (held & ~looks_of(table.kuikae)) or held
        return
    drawn = table.drawn
    kind = drawn >> 2
    if table.phase == DECLARED:
        legal[DISCARDS_WORD] = held & _to_tenpai(table, seat, tables)
        return
    if table.waits[seat] >> kind & 1 and has_yaku(table, seat, drawn, True, tables):
        legal[OTHERS_WORD] |= 1 << (WIN - CHI)
    may_kan = table.wall > 0 and kans_made(table) < 4
    if table.riichi[seat]:
        legal[DISCARDS_WORD] = 1 << THE_DRAWN
        if may_kan and table.counts[seat, kind] == 4 and waits_survive_kan(table, seat, kind, tables):
            legal[KANS_WORD] = 1 << kind
        return
    legal[DISCARDS_WORD] = held
    if may_kan:
        legal[KANS_WORD] = _kans(table, seat)
    if table.wall >= RIICHI_WALL and table.scores[seat] >= RIICHI_STICK and is_closed(table, seat):
        legal[RIICHI_WORD] = held & _to_tenpai(table, seat, tables)
    if table.uninterrupted and table.lengths[seat] == 0 and outer_kinds(table.counts[seat]) >= 9:
        legal[OTHERS_WORD] |= 1 << (NINE - CHI)


@part
def _discards(table: Table, seat: int) -> int:
    """Bit set of the looks held, ``tile37``, and of the drawn tile."""
    drawn = table.drawn
    mask = 0
    for kind in range(34):
        copies = int(table.copies[seat, kind])
        if drawn >> 2 == kind:
            copies &= ~(1 << (drawn & 3))
        if copies:
            if kind < 27 and kind % 9 == 4 and copies & 1 and table.red_fives:
                mask |= 1 << (34 + kind // 9)
                copies &= ~1
            mask |= int(copies != 0) << kind
    if drawn >= 0:
        mask |= 1 << THE_DRAWN
    return mask


@part
def looks_of(kinds: int) -> int:
    """Bit set of ``tile37`` for one of ``tile34``."""
    return kinds | (kinds >> 4 & 1) << 34 | (kinds >> 13 & 1) << 35 | (kinds >> 22 & 1) << 36


@part
def _kans(table: Table, seat: int) -> int:
    """Bit set of the kinds of which the seat holds four, or the fourth of a pon."""
    mask = 0
    for kind in range(34):
        mask |= int(table.counts[seat, kind] == 4) << kind
    for at in range(table.melds[seat]):
        kind = int(table.meld_lows[seat, at])
        if table.meld_kinds[seat, at] == IS_PON and table.counts[seat, kind]:
            mask |= 1 << kind
    return mask


@allocating_part
def tenpai_discards(table: Table, seat: int, tables: HandTables) -> int:
    """Bit set of the kinds whose discard leaves a hand of 14 - 3k tiles tenpai."""
    counts = table.counts[seat]
    melds = table.melds[seat]
    mask = 0
    if hand_shanten(counts, melds, tables) <= 0:
        after = np.empty(35, np.int8)
        fill_neighbour_shanten(counts, melds, -1, tables, after)
        for kind in range(34):
            mask |= int(after[kind] == 0) << kind
    return mask


@allocating_part
def _to_tenpai(table: Table, seat: int, tables: HandTables) -> int:
    """Bit set of the looks, and of the drawn tile, whose discard leaves the hand tenpai."""
    ready = tenpai_discards(table, seat, tables)
    looks = looks_of(ready)
    if table.drawn >= 0 and ready >> (table.drawn >> 2) & 1:
        looks |= 1 << THE_DRAWN
    return looks


@part
def outer_kinds(counts: NDArray[np.uint8]) -> int:
    """Kinds of terminals and honours held."""
    kinds = 0
    for kind in _OUTER:
        kinds += counts[kind] > 0
    return kinds


@allocating_part
def waits_survive_kan(table: Table, seat: int, kind: int, tables: HandTables) -> bool:
    """Whether a hand in riichi waits for the same kinds after a closed kan of the tile drawn."""
    counts = table.counts[seat]
    counts[kind] = 0
    after = np.empty(35, np.int8)
    waits = 0
    if hand_shanten(counts, table.melds[seat] + 1, tables) == 0:
        fill_neighbour_shanten(counts, table.melds[seat] + 1, 1, tables, after)
        for other in range(34):
            waits |= int(after[other] == -1) << other
    counts[kind] = 4
    return bool(waits == table.waits[seat])


# -- another's tile ------------------------------------------------------------------------------------------------


@allocating_part
def claims(table: Table, seat: int, forced: int, legal: NDArray[np.int64], tables: HandTables) -> bool:
    """Fill ``legal`` (4) with what a seat may do about the tile on offer; whether there is more than to pass.

    Args:
        table: the table, after a discard or an added kan of another seat.
        seat: who is asked.
        forced: what :func:`forced_draw` says.
        legal: where to write.
        tables: of shanten and scoring.
    """
    legal[:] = 0
    tile = table.offered
    kind = tile >> 2
    others = 0
    if table.waits[seat] >> kind & 1 and not is_furiten(table, seat) and has_yaku(table, seat, tile, False, tables):
        others = 1 << (WIN - CHI)
    if table.phase == DISCARDED and not table.riichi[seat] and table.wall > 0 and forced == NOTHING:
        others |= _calls(table, seat, kind)
    if others:
        legal[OTHERS_WORD] = others | 1 << (PASS - CHI)
    return others != 0


@part
def _calls(table: Table, seat: int, kind: int) -> int:
    held = int(table.counts[seat, kind])
    mask = 0
    if held >= 2:
        red = table.red_fives != 0 and kind < 27 and kind % 9 == 4 and table.copies[seat, kind] & 1 != 0
        if held == 3 and kans_made(table) < 4:
            mask |= 1 << (OPEN_KAN - CHI)
        if red:
            mask |= 1 << (PON + 1 - CHI)
        if not red or held == 3:
            mask |= 1 << (PON - CHI)
    if kind < 27 and seat == (table.turn + 1) & 3:
        number = kind % 9
        for place in range(3):
            low = number - place
            if low < 0 or low > 6:
                continue
            first = kind - place + int(place == 0)
            second = kind - place + (1 if place == 2 else 2)
            if table.counts[seat, first] and table.counts[seat, second] and _can_discard(table, seat, kind, place):
                mask |= _chis(table, seat, first, second) << (2 * place)
    return mask


@part
def _can_discard(table: Table, seat: int, kind: int, place: int) -> bool:
    """Whether a tile is left that may be discarded after a chi."""
    low = kind - place
    forbidden = swaps_of_chi(kind, low)
    for other in range(34):
        rest = int(table.counts[seat, other]) - int(low <= other <= low + 2 and other != kind)
        if rest > 0 and not forbidden >> other & 1:
            return True
    return False


@part
def _chis(table: Table, seat: int, first: int, second: int) -> int:
    """Which of a chi without and with an own red five are possible, as two bits."""
    five = first if first % 9 == 4 else second
    if five % 9 != 4 or not table.red_fives:
        return 1
    copies = int(table.copies[seat, five])
    return int(copies & ~1 != 0) | (copies & 1) << 1


@part
def forced_draw(table: Table) -> int:
    """The aborted hand in which this discard must end unless it is won on, or NOTHING."""
    if table.phase != DISCARDED:
        return NOTHING
    if table.riichi[0] and table.riichi[1] and table.riichi[2] and table.riichi[3]:
        return FOUR_RIICHI
    kans = kans_made(table)
    if kans == 4 and max(table.kans[0], table.kans[1], table.kans[2], table.kans[3]) < 4:
        return FOUR_KANS
    if table.uninterrupted and table.discards == 4:
        kind = table.river_kinds[0, 0]
        if 27 <= kind <= 30:
            for seat in range(4):
                if table.lengths[seat] != 1 or table.river_kinds[seat, 0] != kind:
                    return NOTHING
            return FOUR_WINDS
    return NOTHING
