"""What each win of the search is worth, by the scoring kernel, at the position's real conditions.

A win is a link of a complete 14-tile node: the tile of the link completes the hand that the link leads to. Its figures
are pairs (utility, points gained), ``leaf[column, link]``; NEVER stands where there is no yaku:

    TSUMO, TSUMO_LAST            by draw; the last tile of the wall (haitei), or the dead wall's (rinshan): one han more
    RON, RON_LAST                on a discard; the last one (houtei)
    RIICHI_TSUMO + e             in riichi, by draw, with e = 0, 1, 2 more han (ippatsu, haitei, rinshan)
    RIICHI_RON + e               in riichi, on a discard, likewise

Extra han that are not known (red fives to be drawn, ura, kan dora) are a distribution; the expectation is taken over
it, and the best reading is found for each number of han.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.scoring.pattern_kernels import WIN_LAST_TILE, WIN_TSUMO
from engine.scoring.win_kernels import (
    MELD_CHI,
    MELD_CLOSED_KAN,
    MELD_OPEN_KAN,
    MELD_PON,
    YAKU_BITS,
    open_melds,
)
from engine.scoring.yaku_kernels import ALL_YAKUMAN, DOUBLE_RIICHI, RIICHI
from engine.search.dag.exchange_kernels import SLOT_BITS
from engine.search.dag.graph_kernels import KIND, KIND_AT, Graph
from engine.search.dag.meld_kernels import (
    CLOSED_KAN,
    MELD,
    MELD_BITS,
    OPEN_KAN,
    PON,
    chi_tile,
    take_meld,
    tiles_besides,
)
from engine.search.dag.pattern_kernels import KEY_BITS
from engine.search.dag.row_kernels import TILE
from engine.search.dag.worth_kernels import Scorer, Winner, expect, spread, steady
from engine.shanten.shanten_kernels import honour_row, suit_row
from engine.shanten.table_kernels import ROWS

TSUMO, TSUMO_LAST, RON, RON_LAST, RIICHI_TSUMO, RIICHI_RON = 0, 1, 2, 3, 4, 7
COLUMNS = 10
NEVER = -1e30


class Table(NamedTuple):
    """The root's table.

    Attributes:
        held, unseen, melded: int8[34], the root's concealed tiles, those it does not see, its melded ones.
        melds: the root's melds, packed for the scoring kernel.
        pons: kinds of its pons, as bits.
        red_held, red_unseen: int8[3], whether the red five of a suit is concealed, unseen.
        red_melded: how many are melded.
        indicators: int8, dora indicators; ``dora_after``: the dora each kind points at.
        new_kans: kans whose indicators are unknown yet.
        flags: winds and rules, WIN_ bits.
        riichi_flag: WIN_RIICHI or WIN_DOUBLE_RIICHI.
        ron: discards can be won on.
        riichi: fill the columns of riichi for closed hands.
        automatic: closed hands win as in riichi without declaring it, in the first columns.
        ura: a riichi turns ura indicators.
        last_draw, last_discard: 1 where a win by the last (or the dead wall's) tile, on the last discard, can be.
    """

    held: NDArray[np.int8]
    unseen: NDArray[np.int8]
    melded: NDArray[np.int8]
    melds: int
    pons: int
    red_held: NDArray[np.int8]
    red_unseen: NDArray[np.int8]
    red_melded: int
    indicators: NDArray[np.int8]
    dora_after: NDArray[np.int8]
    new_kans: int
    flags: int
    riichi_flag: int
    ron: bool
    riichi: bool
    automatic: bool
    ura: bool
    last_draw: int
    last_discard: int


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
def _root_melds(table: Table, new_melds: int) -> int:
    # the root's melds, with the pons that have become kans
    melds = table.melds
    while new_melds:
        kind = (new_melds & MELD) - 1 - OPEN_KAN
        if kind >= 0 and (table.pons >> kind) & 1:
            shift = 0
            while (melds >> shift) & 255 != MELD_PON << 6 | (kind + 1):
                shift += 8
            melds += (MELD_OPEN_KAN - MELD_PON) << (shift + 6)
        new_melds >>= MELD_BITS
    return melds


@kernel
def _code_of(meld: int) -> int:
    # a meld as the scoring kernel packs it
    if meld < PON:
        return MELD_CHI << 6 | (chi_tile(meld) + 1)
    kind = (meld - PON) % 34
    if meld >= OPEN_KAN:
        return MELD_OPEN_KAN << 6 | (kind + 1)
    if meld >= CLOSED_KAN:
        return MELD_CLOSED_KAN << 6 | (kind + 1)
    return MELD_PON << 6 | (kind + 1)


@kernel
def _score_way(
    scorer: Scorer,
    winner: Winner,
    win: int,
    flags: int,
    riichi_flag: int,
    automatic: bool,
    last: int,
    low: int,
    chances: NDArray[np.float64],
    most: int,
    closed_chances: NDArray[np.float64],
    closed_most: int,
    leaf: NDArray[np.float32],
    column: int,
    riichi_column: int,
    link: int,
) -> None:
    # one way to win, by draw or on a discard; a reading that stays best in riichi serves without one too.
    # `riichi_flag` is 0 for a hand that cannot be in riichi, `last` 1 where the next column is wanted too
    plain = 0
    if riichi_flag:
        in_riichi = flags | riichi_flag
        known = steady(scorer, winner, win, in_riichi, low - 2, low + closed_most + 2)
        first, more = (column, last) if automatic else (riichi_column, 2)
        expect(scorer, winner, win, in_riichi, known, low, closed_chances, closed_most, more, leaf, first, link)
        if automatic:
            return
        plain = known if known & ALL_YAKUMAN else known & ~(RIICHI | DOUBLE_RIICHI)
        if plain & YAKU_BITS == 0:
            plain = 0
    if not expect(scorer, winner, win, flags, plain, low, chances, most, last, leaf, column, link) and last:
        flags |= WIN_LAST_TILE
        expect(scorer, winner, win, flags, 0, low, chances, most, 0, leaf, column + 1, link)


@kernel
def score_leaves(
    table: Table, scorer: Scorer, graph: Graph, complete: NDArray[np.bool_], leaf: NDArray[np.float32]
) -> None:
    """Fill ``leaf[column, link, (utility, points)]`` and ``complete`` (by special 14-tile node)."""
    held, unseen, melded, dora_after = table.held, table.unseen, table.melded, table.dora_after
    win_key, win_melds, win_start, win_link = graph.win_key, graph.win_melds, graph.win_start, graph.win_link
    slots = np.zeros(14, np.int64)
    used = 0
    for kind in range(34):
        if graph.stride[kind]:
            slots[used] = kind
            used += 1
    came = np.zeros(34, np.int8)
    whole = np.zeros(34, np.int8)
    hand = np.zeros(34, np.int8)
    counts = np.zeros(34, np.uint8)
    chances = np.zeros(48, np.float64)
    closed_chances = np.zeros(48, np.float64)
    hits = np.zeros(5, np.float64)
    leaf[:] = NEVER
    for win in range(len(win_key)):
        complete[win] = False
        if not graph.win_whole[win]:
            continue
        came[:] = 0
        rest = win_key[win]
        while rest:
            came[(rest & TILE) - 1] += 1
            rest >>= KEY_BITS
        for kind in range(34):
            hand[kind] = held[kind] + came[kind]
        packed = graph.out_packed[graph.win_out[win]]
        for slot in range(used):
            hand[slots[slot]] -= (packed >> (SLOT_BITS * slot)) & 7
        for kind in range(34):
            whole[kind] = hand[kind] + melded[kind]
        melds = table.melds
        kans = table.new_kans
        rest = win_melds[win]
        if rest:
            melds = _root_melds(table, rest)
            top = 0
            while (melds >> (8 * top)) & 255:
                top += 1
            besides = tiles_besides(rest, held, table.pons)
            while rest:
                meld = (rest & MELD) - 1
                kind = (meld - PON) % 34
                take_meld(hand, meld, -1, table.pons)
                if meld >= CLOSED_KAN:
                    whole[kind] += 1
                    kans += 1
                    came[kind] += (besides >> kind) & 1
                if meld < OPEN_KAN or not (table.pons >> kind) & 1:
                    melds |= _code_of(meld) << (8 * top)
                    top += 1
                rest >>= MELD_BITS
        for kind in range(34):
            counts[kind] = hand[kind]
        complete[win] = win_melds[win] == 0 or _complete(counts, scorer.words, scorer.firsts)
        if not complete[win]:
            continue
        winner = Winner(counts, melds, open_melds(melds))
        low = table.red_melded
        for place in range(len(table.indicators)):
            low += whole[dora_after[table.indicators[place]]]
        chances[:] = 0.0
        chances[0] = 1.0
        most = 0
        for suit in range(3):
            five = 9 * suit + 4
            if table.red_held[suit]:
                low += whole[five] - came[five] - melded[five] > 0
            elif table.red_unseen[suit] and came[five] and unseen[five]:
                chance = min(1.0, came[five] / unseen[five])
                hits[0] = 1.0 - chance
                hits[1] = chance
                most = spread(chances, most, hits, 1)
        riichi_flag = table.riichi_flag if not winner.is_open and (table.riichi or table.automatic) else 0
        hidden = len(table.indicators) if table.ura and riichi_flag else 0
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
                most = spread(chances, most, hits, 4)
        closed_chances[:] = chances
        closed_most = most
        for _ in range(hidden + (kans if hidden else 0)):
            closed_most = spread(closed_chances, closed_most, hits, 4)
        for link in range(win_start[win], win_start[win + 1]):
            kind = (win_link[link] >> KIND_AT) & KIND
            _score_way(
                scorer, winner, kind, table.flags | WIN_TSUMO, riichi_flag, table.automatic, table.last_draw,
                low, chances, most, closed_chances, closed_most, leaf, TSUMO, RIICHI_TSUMO, link,
            )  # fmt: skip
            if table.ron:
                _score_way(
                    scorer, winner, kind, table.flags, riichi_flag, table.automatic, table.last_discard,
                    low, chances, most, closed_chances, closed_most, leaf, RON, RIICHI_RON, link,
                )  # fmt: skip
