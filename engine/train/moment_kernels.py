"""Recorded hands played again with all four hands open: at each discard, what the discarder sees and what is true.

A hand on the table is a :class:`Table`; :func:`step` is the only thing that changes it. The rules here are those of
``engine.state`` for events known to be right; tests hold the two against each other on recordings.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.model.rules import RIICHI_STICK
from engine.model.tiles import DORA_AFTER
from engine.opponents.view_kernels import (
    F_DEALER,
    F_HONBA,
    F_INDICATORS,
    F_IPPATSU,
    F_KYOKU,
    F_LAST_KYOKU,
    F_OWN_REDS,
    F_REDS,
    F_RIICHI,
    F_SCORES,
    F_SEAT,
    F_STICKS,
    F_WALL,
    M_CALLED,
    M_FROM,
    M_KIND,
    M_LOW,
    M_ORDER,
    M_REDS,
    R_CALLED,
    R_FLAGS,
    R_KIND,
    R_ORDER,
    R_RIICHI,
    R_TSUMOGIRI,
    View,
)
from engine.scoring.pattern_kernels import (
    ROUND_AT,
    SEAT_AT,
    WIN_DOUBLE_RIICHI,
    WIN_IPPATSU,
    WIN_LAST_TILE,
    WIN_OPEN_TANYAO,
    WIN_RIICHI,
)
from engine.scoring.win_kernels import (
    MELD_CHI,
    MELD_CLOSED_KAN,
    MELD_OPEN_KAN,
    MELD_PON,
    open_melds,
    points_of,
    score_win,
)
from engine.shanten.shanten_kernels import hand_shanten, neighbour_shanten
from engine.train.event_kernels import (
    ACCEPTED,
    ANKAN,
    CHI,
    DISCARD,
    DRAW,
    FIRST_AT,
    FROM_AT,
    KAKAN,
    NEW_DORA,
    SECOND_AT,
    THIRD_AT,
    TYPE,
)
from engine.train.event_kernels import (
    SEAT_AT as SEAT_BITS,
)

_DORA_AFTER = np.array(DORA_AFTER, np.int64)


class Table(NamedTuple):
    """A hand in play, all tiles open.

    Attributes:
        shared: what all see, in the arrays of a view; ``visible``, ``hand`` and the viewer's facts are filled by
            :func:`look`.
        counts: (4, 34) uint8, concealed tiles.
        open_tiles: (34,) uint8, copies in rivers, melds and indicators, called ones once.
        reds: (4, 3) int64, red fives each seat holds concealed, by suit; ``open_reds`` (3,) those all see.
        waits: (4,) int64, bit set of the kinds that complete the hand of thirteen.
        furiten: (4, 4) int64: missed on the tile on offer, until the next discard, since riichi, own river's kinds.
        state: (3,) int64: discards so far; 1 while a kan's draw is due; 1 until somebody calls.
    """

    shared: View
    counts: NDArray[np.uint8]
    open_tiles: NDArray[np.uint8]
    reds: NDArray[np.int64]
    open_reds: NDArray[np.int64]
    waits: NDArray[np.int64]
    furiten: NDArray[np.int64]
    state: NDArray[np.int64]


MISSED, THIS_TURN, SINCE_RIICHI, OWN_RIVER = range(4)
DISCARDS, AFTER_KAN, UNINTERRUPTED = range(3)


@allocating_part
def deal(
    table: Table,
    kyoku: NDArray[np.int32],
    hands: NDArray[np.uint8],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
) -> None:
    """Put a recorded hand on the table; ``kyoku`` and ``hands`` are its rows of the recordings."""
    view = table.shared
    view.lengths[:] = 0
    view.meld_counts[:] = 0
    view.dora[:] = 0
    facts = view.facts
    facts[:] = 0
    facts[F_KYOKU], facts[F_HONBA], facts[F_STICKS], facts[F_DEALER] = kyoku[1], kyoku[2], kyoku[3], kyoku[4]
    facts[F_LAST_KYOKU] = kyoku[8]
    facts[F_WALL] = 70
    for seat in range(4):
        facts[F_SCORES + seat] = kyoku[12 + seat]
    table.counts[:] = 0
    table.open_tiles[:] = 0
    table.reds[:] = 0
    table.open_reds[:] = 0
    table.furiten[:] = 0
    table.state[DISCARDS] = 0
    table.state[AFTER_KAN] = 0
    table.state[UNINTERRUPTED] = 1
    for seat in range(4):
        for tile in hands[seat]:
            _take(table, seat, int(tile))
        _find_waits(table, seat, words, merge)
    _indicate(table, int(kyoku[5]))


@part
def _is_red(tile: int) -> bool:
    return tile in (16, 52, 88)


@part
def _take(table: Table, seat: int, tile: int) -> None:
    table.counts[seat, tile >> 2] += 1
    if _is_red(tile):
        table.reds[seat, tile // 36] += 1


@part
def _lay(table: Table, seat: int, tile: int) -> None:
    """Move a tile from the hand to the table."""
    table.counts[seat, tile >> 2] -= 1
    table.open_tiles[tile >> 2] += 1
    if _is_red(tile):
        table.reds[seat, tile // 36] -= 1
        table.open_reds[tile // 36] = 1


@part
def _indicate(table: Table, tile: int) -> None:
    table.open_tiles[tile >> 2] += 1
    table.shared.dora[_DORA_AFTER[tile >> 2]] += 1
    table.shared.facts[F_INDICATORS] += 1
    if _is_red(tile):
        table.open_reds[tile // 36] = 1


@allocating_part
def _find_waits(table: Table, seat: int, words: NDArray[np.uint32], merge: NDArray[np.uint8]) -> None:
    counts = table.counts[seat]
    melds = table.shared.meld_counts[seat]
    mask = 0
    if hand_shanten(counts, melds, words, merge) == 0:
        after = np.empty(35, np.int8)
        neighbour_shanten(counts, melds, 1, words, merge, after)
        for kind in range(34):
            if after[kind] == -1:
                mask |= 1 << kind
    table.waits[seat] = mask


@part
def _let_go(table: Table) -> None:
    for seat in range(4):
        if table.furiten[seat, MISSED]:
            table.furiten[seat, MISSED] = 0
            table.furiten[seat, SINCE_RIICHI if table.shared.facts[F_RIICHI + seat] else THIS_TURN] = 1


@part
def _offer(table: Table, seat: int, kind: int) -> None:
    for other in range(4):
        if other != seat and table.waits[other] >> kind & 1:
            table.furiten[other, MISSED] = 1


@allocating_part
def step(table: Table, code: int, words: NDArray[np.uint32], merge: NDArray[np.uint8]) -> None:
    """Take in one event; codes are those of ``event_kernels``."""
    view = table.shared
    facts = view.facts
    what = code & TYPE
    seat = code >> SEAT_BITS & 3
    tile = code >> FIRST_AT & 255
    if what == DRAW:
        _let_go(table)
        _take(table, seat, tile)
        facts[F_WALL] -= 1
        if table.state[AFTER_KAN]:
            table.state[AFTER_KAN] = 0
            for other in range(4):
                facts[F_IPPATSU + other] = 0
    elif what == DISCARD:
        flags = code >> SECOND_AT & 255
        at = view.lengths[seat]
        view.rivers[seat, at, R_KIND] = tile >> 2
        view.rivers[seat, at, R_FLAGS] = (R_TSUMOGIRI if flags & 1 else 0) | (R_RIICHI if flags & 2 else 0)
        view.rivers[seat, at, R_ORDER] = table.state[DISCARDS]
        view.lengths[seat] += 1
        table.state[DISCARDS] += 1
        _lay(table, seat, tile)
        facts[F_IPPATSU + seat] = 0
        table.furiten[seat, THIS_TURN] = 0
        table.furiten[seat, OWN_RIVER] |= 1 << (tile >> 2)
        if not flags & 1:
            _find_waits(table, seat, words, merge)
        _offer(table, seat, tile >> 2)
    elif what == ACCEPTED:
        _let_go(table)
        first = table.state[UNINTERRUPTED] and view.lengths[seat] == 1
        facts[F_RIICHI + seat] = 2 if first else 1
        facts[F_IPPATSU + seat] = 1
        facts[F_SCORES + seat] -= RIICHI_STICK
        facts[F_STICKS] += 1
    elif what == NEW_DORA:
        _indicate(table, tile)
    elif CHI <= what <= KAKAN:
        _call(table, code, words, merge)


@allocating_part
def _call(table: Table, code: int, words: NDArray[np.uint32], merge: NDArray[np.uint8]) -> None:
    view = table.shared
    what = code & TYPE
    seat = code >> SEAT_BITS & 3
    giver = code >> FROM_AT & 3
    tile = code >> FIRST_AT & 255
    kind = tile >> 2
    table.state[UNINTERRUPTED] = 0
    if what == KAKAN:
        _lay(table, seat, tile)
        for at in range(view.meld_counts[seat]):
            if view.melds[seat, at, M_KIND] == 1 and view.melds[seat, at, M_LOW] == kind:
                view.melds[seat, at, M_KIND] = 4
                view.melds[seat, at, M_REDS] += int(_is_red(tile))
        _offer(table, seat, kind)
        table.state[AFTER_KAN] = 1
        _find_waits(table, seat, words, merge)
        return
    _let_go(table)
    for other in range(4):
        view.facts[F_IPPATSU + other] = 0
    at = view.meld_counts[seat]
    view.meld_counts[seat] += 1
    meld = view.melds[seat, at]
    meld[M_KIND] = what - CHI
    meld[M_FROM] = giver
    meld[M_CALLED] = kind
    meld[M_LOW] = kind
    meld[M_REDS] = 0
    if what == ANKAN:
        meld[M_CALLED] = -1
        meld[M_ORDER] = -1
        for copy in range(4):
            _lay(table, seat, 4 * kind + copy)
            meld[M_REDS] += int(_is_red(4 * kind + copy))
        table.state[AFTER_KAN] = 1
        _find_waits(table, seat, words, merge)
        return
    meld[M_ORDER] = table.state[DISCARDS] - 1
    meld[M_REDS] += int(_is_red(tile))
    river = view.rivers[giver, view.lengths[giver] - 1]
    river[R_FLAGS] |= R_CALLED
    if what == CHI + 2:  # an open kan: the three others of the kind
        for copy in range(4 * kind, 4 * kind + 4):
            if copy != tile:
                _lay(table, seat, copy)
                meld[M_REDS] += int(_is_red(copy))
        table.state[AFTER_KAN] = 1
        _find_waits(table, seat, words, merge)
        return
    for shift in (SECOND_AT, THIRD_AT):
        own = code >> shift & 255
        _lay(table, seat, own)
        meld[M_REDS] += int(_is_red(own))
        meld[M_LOW] = min(int(meld[M_LOW]), own >> 2)


@part
def look(table: Table, viewer: int) -> None:
    """Fill the view's ``hand``, ``visible`` and what else depends on who looks."""
    view = table.shared
    view.facts[F_SEAT] = viewer
    for kind in range(34):
        held = table.counts[viewer, kind]
        view.hand[kind] = held
        view.visible[kind] = held + table.open_tiles[kind]
    for suit in range(3):
        view.facts[F_REDS + suit] = int(table.reds[viewer, suit] > 0 or table.open_reds[suit] > 0)
        view.facts[F_OWN_REDS + suit] = int(table.reds[viewer, suit] > 0)


@part
def is_furiten(table: Table, seat: int) -> bool:
    """Whether the seat may not win on another's tile now."""
    own = table.waits[seat] & table.furiten[seat, OWN_RIVER]
    return bool(own != 0 or table.furiten[seat, THIS_TURN] != 0 or table.furiten[seat, SINCE_RIICHI] != 0)


@allocating_part
def ron_points(
    table: Table,
    seat: int,
    kind: int,
    ura: int,
    words: NDArray[np.uint32],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
) -> int:
    """Points that the seat wins on a discarded ``kind``, honba aside; 0 without a yaku.

    Args:
        table: the hand as the discarder looks at it; ``kind`` must be one of the seat's waits. The tile is red only
            where the discarder holds no other of the kind.
        seat: who wins.
        kind: what is discarded.
        ura: the kinds of the ura indicators plus one, six bits each; counted in riichi only.
        words: table of shanten and scoring.
        firsts: table of scoring.
        readings: table of scoring.
    """
    view = table.shared
    facts = view.facts
    counts = table.counts[seat].copy()
    counts[kind] += 1
    packed = 0
    bonus = 0
    total = counts.copy()
    for at in range(view.meld_counts[seat] - 1, -1, -1):
        meld = view.melds[seat, at]
        low = int(meld[M_LOW])
        bonus += int(meld[M_REDS])
        if meld[M_KIND] == 0:
            code = MELD_CHI
            for tile in range(low, low + 3):
                total[tile] += 1
        else:
            code = MELD_PON if meld[M_KIND] == 1 else MELD_CLOSED_KAN if meld[M_KIND] == 3 else MELD_OPEN_KAN
            total[low] += 3 if meld[M_KIND] == 1 else 4
        packed = packed << 8 | code << 6 | (low + 1)
    if total[kind] > 4:
        return 0
    for suit in range(3):
        bonus += table.reds[seat, suit]
        only_red = facts[F_OWN_REDS + suit] and view.hand[kind] == 1
        bonus += int(kind == 9 * suit + 4 and only_red)
    for tile in range(34):
        bonus += int(total[tile]) * int(view.dora[tile])
    flags = ((seat - facts[F_DEALER]) & 3) << SEAT_AT | (facts[F_KYOKU] // 4 % 4) << ROUND_AT | WIN_OPEN_TANYAO
    riichi = facts[F_RIICHI + seat]
    if riichi:
        flags |= WIN_DOUBLE_RIICHI if riichi == 2 else WIN_RIICHI
        if facts[F_IPPATSU + seat]:
            flags |= WIN_IPPATSU
        while ura:
            bonus += total[_DORA_AFTER[(ura & 63) - 1]]
            ura >>= 6
    if facts[F_WALL] == 0:
        flags |= WIN_LAST_TILE
    answer = score_win(counts, packed, kind, flags, bonus, words, firsts, readings)
    return points_of(answer, open_melds(packed), flags, bonus)
