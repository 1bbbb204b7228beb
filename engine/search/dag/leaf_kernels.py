"""What each win of the search is worth, by the scoring kernel, at the position's real conditions.

A win is a link of a complete 14-tile node: the tile of the link completes the hand that the link leads to. Its figures
are pairs (utility, points gained) in these columns; NEVER stands where there is no yaku:

    TSUMO, TSUMO_LAST            by draw; the last tile of the wall (haitei)
    RON, RON_LAST                on a discard; the last one (houtei)
    RIICHI_TSUMO + e             in riichi, by draw, with e = 0, 1, 2 more han (ippatsu, haitei)
    RIICHI_RON + e               in riichi, on a discard, likewise

Extra han that are not known (red fives to be drawn, ura, kan dora) are a distribution; the expectation is taken over
it, and the best reading is found for each number of han.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.scoring.pattern_kernels import WIN_LAST_TILE, WIN_RIICHI, WIN_TSUMO
from engine.scoring.point_kernels import base_points, han_of, popcount, total_points
from engine.scoring.win_kernels import (
    FU_AT,
    MELD_CHI,
    MELD_CLOSED_KAN,
    MELD_OPEN_KAN,
    MELD_PON,
    YAKU_BITS,
    open_melds,
    score_win,
)
from engine.scoring.yaku_kernels import ALL_YAKUMAN
from engine.search.dag.exchange_kernels import SLOT_BITS
from engine.search.dag.meld_kernels import CLOSED_KAN, MELD, MELD_BITS, OPEN_KAN, PON, chi_tile, take_meld
from engine.search.dag.pattern_kernels import KEY_BITS
from engine.search.dag.row_kernels import TILE
from engine.shanten.shanten_kernels import honour_row, suit_row
from engine.shanten.table_kernels import ROWS

TSUMO, TSUMO_LAST, RON, RON_LAST, RIICHI_TSUMO, RIICHI_RON = 0, 1, 2, 3, 4, 7
COLUMNS = 10
NEVER = -1e30

MOST_HAN = 40
FU_ROWS = 32
YAKUMAN_ROWS = 8
LOWEST, STEP = -100_000, 100


@kernel
def fill_worth(
    utility: NDArray[np.float64],
    dealer: bool,
    kiriage: bool,
    extra: int,
    worth: NDArray[np.float64],
    worth_yakuman: NDArray[np.float64],
) -> None:
    """Utility and points of every win, ``worth[tsumo, fu / 5, han]`` and ``worth_yakuman[tsumo, yakuman]``.

    ``extra`` is what the winner gets for counters and sticks; ``utility`` has a value a hundred points from LOWEST.
    """
    for tsumo in range(2):
        for fu in range(FU_ROWS):
            for han in range(MOST_HAN):
                base = base_points(han, 5 * fu, 0)
                if kiriage and base == 1920:
                    base = 2000
                points = total_points(base, dealer, tsumo == 1) + extra
                worth[tsumo, fu, han, 0] = utility[(points - LOWEST) // STEP]
                worth[tsumo, fu, han, 1] = points
        for number in range(YAKUMAN_ROWS):
            points = total_points(8000 * number, dealer, tsumo == 1) + extra
            worth_yakuman[tsumo, number, 0] = utility[min((points - LOWEST) // STEP, len(utility) - 1)]
            worth_yakuman[tsumo, number, 1] = points


@kernel
def _spread(chances: NDArray[np.float64], most: int, hits: NDArray[np.float64], most_hits: int) -> int:
    # add an independent number of han, hits[m] being the chance of m
    for total in range(most + most_hits, -1, -1):
        chance = 0.0
        for m in range(max(0, total - most), min(most_hits, total) + 1):
            chance += hits[m] * chances[total - m]
        chances[total] = chance
    most += most_hits
    while most > 0 and chances[most] == 0.0:
        most -= 1
    return most


@kernel
def _expect(
    counts: NDArray[np.uint8],
    melds: int,
    is_open: bool,
    win: int,
    flags: int,
    low: int,
    chances: NDArray[np.float64],
    most: int,
    more: int,
    words: NDArray[np.uint32],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    worth: NDArray[np.float64],
    worth_yakuman: NDArray[np.float64],
    leaf: NDArray[np.float32],
    at: int,
    column: int,
) -> bool:
    # fill `more + 1` columns of one win from `column`; False without a yaku
    tsumo = 1 if flags & WIN_TSUMO else 0
    answer = score_win(counts, melds, win, flags, low, words, firsts, readings)
    if answer == 0:
        return False
    yakuman = popcount(answer & YAKU_BITS & ALL_YAKUMAN)
    if yakuman:
        for step in range(more + 1):
            leaf[at, column + step, 0] = worth_yakuman[tsumo, yakuman, 0]
            leaf[at, column + step, 1] = worth_yakuman[tsumo, yakuman, 1]
        return True
    same = True
    if most + more:
        same = answer == score_win(counts, melds, win, flags, low + most + more, words, firsts, readings)
    for step in range(more + 1):
        utility = 0.0
        points = 0.0
        for extra in range(most + 1):
            bonus = low + extra + step
            best = answer
            if not same:
                best = score_win(counts, melds, win, flags, bonus, words, firsts, readings)
            han = min(han_of(best & YAKU_BITS, is_open) + bonus, MOST_HAN - 1)
            utility += chances[extra] * worth[tsumo, best >> FU_AT, han, 0]
            points += chances[extra] * worth[tsumo, best >> FU_AT, han, 1]
        leaf[at, column + step, 0] = utility
        leaf[at, column + step, 1] = points
    return True


@kernel
def _complete(counts: NDArray[np.uint8], words: NDArray[np.uint32], firsts: NDArray[np.uint16]) -> bool:
    pairs = 0
    for suit in range(4):
        row = suit_row(counts, 9 * suit, words) if suit < 3 else honour_row(counts, words)
        if firsts[row - ROWS] == 0:
            return False
        tiles = 0
        for kind in range(9 * suit, min(34, 9 * suit + 9)):
            tiles += counts[kind]
        pairs += tiles % 3 == 2
    return pairs == 1


@kernel
def score_leaves(
    held: NDArray[np.int8],
    unseen: NDArray[np.int8],
    melded: NDArray[np.int8],
    root_melds: int,
    red_held: NDArray[np.int8],
    red_melded: int,
    red_unseen: NDArray[np.int8],
    indicators: NDArray[np.int8],
    new_kans: int,
    dora_after: NDArray[np.int8],
    flags: int,
    stride: NDArray[np.int32],
    out_packed: NDArray[np.int64],
    win_start: NDArray[np.int32],
    win_kind: NDArray[np.int8],
    win_key: NDArray[np.int64],
    win_melds: NDArray[np.int64],
    win_out: NDArray[np.int16],
    ron: bool,
    riichi: bool,
    automatic: bool,
    ura: bool,
    last_draw: bool,
    words: NDArray[np.uint32],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
    worth: NDArray[np.float64],
    worth_yakuman: NDArray[np.float64],
    complete: NDArray[np.bool_],
    leaf: NDArray[np.float32],
) -> None:
    """Fill ``leaf[link, column, (utility, points)]`` and ``complete`` (by 14-tile node).

    ``melded`` counts the root's melded tiles by kind, ``root_melds`` packs them for the scoring kernel; ``red_held``
    tells which red fives are concealed, ``red_melded`` how many are melded; ``new_kans``: kans whose indicators are
    unknown yet. ``automatic``: closed hands win as in riichi without declaring it (the TSUMO and RON columns then
    include it). ``last_draw``: the last tile of the wall is the player's.
    """
    slots = np.zeros(14, np.int64)
    used = 0
    for kind in range(34):
        if stride[kind]:
            slots[used] = kind
            used += 1
    total_unseen = 0
    for kind in range(34):
        total_unseen += unseen[kind]
    came = np.zeros(34, np.int8)
    whole = np.zeros(34, np.int8)
    hand = np.zeros(34, np.int8)
    counts = np.zeros(34, np.uint8)
    chances = np.zeros(48, np.float64)
    closed_chances = np.zeros(48, np.float64)
    hits = np.zeros(5, np.float64)
    leaf[:] = NEVER
    for win in range(len(win_key)):
        came[:] = 0
        added = 0
        rest = win_key[win]
        while rest:
            came[(rest & TILE) - 1] += 1
            added += 1
            rest >>= KEY_BITS
        for kind in range(34):
            hand[kind] = held[kind] + came[kind]
        packed = out_packed[win_out[win]]
        for slot in range(used):
            hand[slots[slot]] -= (packed >> (SLOT_BITS * slot)) & 7
        for kind in range(34):
            whole[kind] = hand[kind] + melded[kind]
        melds = root_melds
        top = 0
        while (melds >> (8 * top)) & 255:
            top += 1
        kans = new_kans
        rest = win_melds[win]
        while rest:
            meld = (rest & MELD) - 1
            take_meld(hand, meld, -1)
            if meld < PON:
                code = MELD_CHI << 6 | (chi_tile(meld) + 1)
            else:
                kind = (meld - PON) % 34
                code = kind + 1
                if meld >= OPEN_KAN:
                    code |= MELD_OPEN_KAN << 6
                elif meld >= CLOSED_KAN:
                    code |= MELD_CLOSED_KAN << 6
                else:
                    code |= MELD_PON << 6
                if meld >= CLOSED_KAN:
                    whole[kind] += 1
                    kans += 1
            melds |= code << (8 * top)
            top += 1
            rest >>= MELD_BITS
        for kind in range(34):
            counts[kind] = hand[kind]
        complete[win] = win_melds[win] == 0 or _complete(counts, words, firsts)
        if not complete[win]:
            continue
        is_open = open_melds(melds)
        low = red_melded
        for place in range(len(indicators)):
            low += whole[dora_after[indicators[place]]]
        chances[:] = 0.0
        chances[0] = 1.0
        most = 0
        for suit in range(3):
            five = 9 * suit + 4
            if red_held[suit]:
                low += whole[five] - came[five] - melded[five] > 0
            elif red_unseen[suit] and came[five] and unseen[five]:
                chance = min(1.0, came[five] / unseen[five])
                hits[0] = 1.0 - chance
                hits[1] = chance
                most = _spread(chances, most, hits, 1)
        hidden = len(indicators) if ura and not is_open and (riichi or automatic) else 0
        closed_most = most
        if kans or hidden:
            hits[:] = 0.0
            seen = 0.0
            for kind in range(34):
                left = max(0, unseen[kind] - came[kind])
                hits[whole[dora_after[kind]]] += left
                seen += left
            for m in range(5):
                hits[m] = hits[m] / seen if seen else (1.0 if m == 0 else 0.0)
            for _ in range(kans):
                most = _spread(chances, most, hits, 4)
            closed_chances[:] = chances
            closed_most = most
            for _ in range(hidden + (kans if hidden else 0)):
                closed_most = _spread(closed_chances, closed_most, hits, 4)
        else:
            closed_chances[:] = chances
        for link in range(win_start[win], win_start[win + 1]):
            kind = int(win_kind[link])
            if automatic and not is_open:
                _expect(
                    counts,
                    melds,
                    is_open,
                    kind,
                    flags | WIN_TSUMO | WIN_RIICHI,
                    low,
                    closed_chances,
                    closed_most,
                    1,
                    words,
                    firsts,
                    readings,
                    worth,
                    worth_yakuman,
                    leaf,
                    link,
                    TSUMO,
                )
                if not last_draw:
                    leaf[link, TSUMO_LAST] = leaf[link, TSUMO]
                if ron:
                    _expect(
                        counts,
                        melds,
                        is_open,
                        kind,
                        flags | WIN_RIICHI,
                        low,
                        closed_chances,
                        closed_most,
                        1,
                        words,
                        firsts,
                        readings,
                        worth,
                        worth_yakuman,
                        leaf,
                        link,
                        RON,
                    )
                continue
            _expect(
                counts,
                melds,
                is_open,
                kind,
                flags | WIN_TSUMO,
                low,
                chances,
                most,
                0,
                words,
                firsts,
                readings,
                worth,
                worth_yakuman,
                leaf,
                link,
                TSUMO,
            )
            if last_draw:
                _expect(
                    counts,
                    melds,
                    is_open,
                    kind,
                    flags | WIN_TSUMO | WIN_LAST_TILE,
                    low,
                    chances,
                    most,
                    0,
                    words,
                    firsts,
                    readings,
                    worth,
                    worth_yakuman,
                    leaf,
                    link,
                    TSUMO_LAST,
                )
            if ron:
                _expect(
                    counts,
                    melds,
                    is_open,
                    kind,
                    flags,
                    low,
                    chances,
                    most,
                    0,
                    words,
                    firsts,
                    readings,
                    worth,
                    worth_yakuman,
                    leaf,
                    link,
                    RON,
                )
                if not last_draw:
                    _expect(
                        counts,
                        melds,
                        is_open,
                        kind,
                        flags | WIN_LAST_TILE,
                        low,
                        chances,
                        most,
                        0,
                        words,
                        firsts,
                        readings,
                        worth,
                        worth_yakuman,
                        leaf,
                        link,
                        RON_LAST,
                    )
            if riichi and not is_open:
                _expect(
                    counts,
                    melds,
                    is_open,
                    kind,
                    flags | WIN_TSUMO | WIN_RIICHI,
                    low,
                    closed_chances,
                    closed_most,
                    2,
                    words,
                    firsts,
                    readings,
                    worth,
                    worth_yakuman,
                    leaf,
                    link,
                    RIICHI_TSUMO,
                )
                if ron:
                    _expect(
                        counts,
                        melds,
                        is_open,
                        kind,
                        flags | WIN_RIICHI,
                        low,
                        closed_chances,
                        closed_most,
                        2,
                        words,
                        firsts,
                        readings,
                        worth,
                        worth_yakuman,
                        leaf,
                        link,
                        RIICHI_RON,
                    )
