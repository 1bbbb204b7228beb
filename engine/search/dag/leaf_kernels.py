"""What each win of the search is worth, by the scoring kernel, at the position's real conditions.

A win is a link of a complete 14-tile node: the tile of the link completes the hand that the link leads to. Its figures
are pairs (utility, points gained), ``leaf[column, link]``; NEVER stands where there is no yaku:

    TSUMO, TSUMO_LAST            by draw; the last tile of the wall (haitei), or the dead wall's (rinshan): one han more
    RON, RON_LAST                on a discard; the last one (houtei)
    RIICHI_TSUMO + e             in riichi, by draw, with e = 0, 1, 2 more han (ippatsu, haitei, rinshan)
    RIICHI_RON + e               in riichi, on a discard, likewise

Extra han that are not known (red fives to be drawn, ura, kan dora) are a distribution; the expectation is taken over
it, and the best reading is found for each number of han.

Example: a closed hand of pinfu alone, not the dealer's, wins by the link of 1m. RON holds 1,000, RON_LAST 2,000
(houtei), TSUMO 1,500 (the self-draw is a yaku), and RIICHI_RON 2,000 and more, because ura indicators may hit.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, inlined_part, part
from engine.model.bounds import INDICATORS, KANS
from engine.scoring.win_kernels import MELD_CHI, MELD_CLOSED_KAN, MELD_OPEN_KAN, MELD_PON, NO_OTHER, open_melds
from engine.scoring.yaku_kernels import DOUBLE_RIICHI, HAITEI, HOUTEI, RIICHI, WIN_DOUBLE_RIICHI
from engine.scoring.yaku_kernels import TSUMO as TSUMO_YAKU
from engine.search.dag.exchange_kernels import KEY_BITS
from engine.search.dag.graph_kernels import KIND, KIND_AT, SLOT_BITS, Graph, Root
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
from engine.search.dag.row_kernels import TILE
from engine.search.dag.worth_kernels import (
    FACTS,
    MOST_ANSWERS,
    MOST_READINGS,
    Bonus,
    Scorer,
    expect,
    list_answers,
    read_hand,
    spread,
)

TSUMO, TSUMO_LAST, RON, RON_LAST, RIICHI_TSUMO, RIICHI_RON = 0, 1, 2, 3, 4, 7
COLUMNS = 10
NEVER = -1e30


class Table(NamedTuple):
    """The root's table.

    Attributes:
        root: the hand that the search starts from.
        melded: int8[34], its melded tiles.
        melds: its melds, packed for the scoring kernel.
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
        river: kinds of the own river, as bits; ``blocked``: no discard can be won on, whatever the waits.
    """

    root: Root
    melded: NDArray[np.int8]
    melds: int
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
    river: int
    blocked: bool


@part
def _root_melds(table: Table, new_melds: int) -> int:
    # the root's melds, with the pons that have become kans
    melds = table.melds
    while new_melds:
        kind = (new_melds & MELD) - 1 - OPEN_KAN
        if kind >= 0 and (table.root.pons >> kind) & 1:
            shift = 0
            while (melds >> shift) & 255 != MELD_PON << 6 | (kind + 1):
                shift += 8
            melds += (MELD_OPEN_KAN - MELD_PON) << (shift + 6)
        new_melds >>= MELD_BITS
    return melds


@part
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


@inlined_part
def _score_way(
    table: Table,
    scorer: Scorer,
    answers: NDArray[np.int64],
    many: int,
    is_open: bool,
    tsumo: int,
    bonus: Bonus,
    closed_bonus: Bonus,
    leaf: NDArray[np.float32],
    link: int,
) -> None:
    # one way to win, by draw or on a discard; with the last tile, too, where that can be
    drawn = TSUMO_YAKU if tsumo and not is_open else 0
    last = table.last_draw if tsumo else table.last_discard
    column = TSUMO if tsumo else RON
    if not is_open and (table.riichi or table.automatic):
        in_riichi = drawn | (DOUBLE_RIICHI if table.riichi_flag == WIN_DOUBLE_RIICHI else RIICHI)
        first, more = RIICHI_TSUMO if tsumo else RIICHI_RON, 2
        if table.automatic:
            first, more = column, last
        expect(scorer, answers, many, in_riichi, is_open, tsumo, closed_bonus, more, leaf, first, link)
        if table.automatic:
            return
    if not expect(scorer, answers, many, drawn, is_open, tsumo, bonus, last, leaf, column, link) and last:
        drawn |= HAITEI if tsumo else HOUTEI
        expect(scorer, answers, many, drawn, is_open, tsumo, bonus, 0, leaf, column + 1, link)


MOST_BONUS = 3 + 4 * (KANS.high + INDICATORS.high + KANS.high)
"""Han that chance may add: red fives, and four for each indicator of a kan to come and each ura indicator."""


class Bench(NamedTuple):
    """Scratch of :func:`score_leaves`: the tiles of one hand by kind, its readings, what may be added to its han."""

    came: NDArray[np.int8]
    whole: NDArray[np.int8]
    hand: NDArray[np.int8]
    counts: NDArray[np.uint8]
    chances: NDArray[np.float64]
    closed_chances: NDArray[np.float64]
    hits: NDArray[np.float64]
    found: NDArray[np.int64]
    answers: NDArray[np.int64]


@allocating_part
def new_bench() -> Bench:
    """An empty one."""
    return Bench(
        np.zeros(34, np.int8),
        np.zeros(34, np.int8),
        np.zeros(34, np.int8),
        np.zeros(34, np.uint8),
        np.zeros(MOST_BONUS + 1, np.float64),
        np.zeros(MOST_BONUS + 1, np.float64),
        np.zeros(5, np.float64),
        np.empty((MOST_READINGS, FACTS), np.int64),
        np.empty(MOST_ANSWERS, np.int64),
    )


@part
def score_leaves(
    table: Table, scorer: Scorer, graph: Graph, bench: Bench, complete: NDArray[np.bool_], leaf: NDArray[np.float32]
) -> None:
    """Fill ``leaf[column, link, (utility, points)]`` and ``complete`` (by special 14-tile node)."""
    came, whole, hand, counts = bench.came, bench.whole, bench.hand, bench.counts
    chances, closed_chances, hits = bench.chances, bench.closed_chances, bench.hits
    found, answers = bench.found, bench.answers
    held, unseen, melded, dora_after = table.root.held, table.root.unseen, table.melded, table.dora_after
    win_key, win_melds, win_start, win_link = graph.win_key, graph.win_melds, graph.win_start, graph.win_link
    for column in range(len(leaf)):
        for link in range(len(win_link)):
            leaf[column, link, 0] = NEVER
            leaf[column, link, 1] = NEVER
    for win in range(len(win_key)):
        complete[win] = False
        if not graph.win_whole[win]:
            continue
        for kind in range(34):
            came[kind] = 0
        rest = win_key[win]
        while rest:
            came[(rest & TILE) - 1] += 1
            rest >>= KEY_BITS
        for kind in range(34):
            hand[kind] = held[kind] + came[kind]
        packed = graph.outs.packed[graph.win_out[win]]
        for kind in range(34):
            if graph.outs.stride[kind]:
                hand[kind] -= packed & 7
                packed >>= SLOT_BITS
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
            besides = tiles_besides(rest, held, table.root.pons)
            while rest:
                meld = (rest & MELD) - 1
                kind = (meld - PON) % 34
                take_meld(hand, meld, -1, table.root.pons)
                if meld >= CLOSED_KAN:
                    whole[kind] += 1
                    kans += 1
                    came[kind] += (besides >> kind) & 1
                if meld < OPEN_KAN or not (table.root.pons >> kind) & 1:
                    melds |= _code_of(meld) << (8 * top)
                    top += 1
                rest >>= MELD_BITS
        for kind in range(34):
            counts[kind] = hand[kind]
        number, other = read_hand(
            counts, melds, table.flags, scorer.tables[0], found
        )  # fmt: skip
        complete[win] = number > 0 or other != NO_OTHER
        if not complete[win]:
            continue
        is_open = open_melds(melds)
        low = table.red_melded
        for place in range(len(table.indicators)):
            low += whole[dora_after[table.indicators[place]]]
        for extra in range(len(chances)):
            chances[extra] = 0.0
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
        hidden = len(table.indicators) if table.ura and not is_open and (table.riichi or table.automatic) else 0
        if kans or hidden:
            for m in range(len(hits)):
                hits[m] = 0.0
            seen = 0.0
            for kind in range(34):
                left = max(0, unseen[kind] - came[kind])
                hits[whole[dora_after[kind]]] += left
                seen += left
            for m in range(5):
                hits[m] = hits[m] / seen if seen else (1.0 if m == 0 else 0.0)
            for _ in range(kans):
                most = spread(chances, most, hits, 4)
        for extra in range(len(chances)):
            closed_chances[extra] = chances[extra]
        closed_most = most
        for _ in range(hidden + (kans if hidden else 0)):
            closed_most = spread(closed_chances, closed_most, hits, 4)
        bonus, closed_bonus = Bonus(low, chances, most), Bonus(low, closed_chances, closed_most)
        for link in range(win_start[win], win_start[win + 1]):
            kind = (win_link[link] >> KIND_AT) & KIND
            for tsumo in range(0 if table.ron else 1, 2):
                many = list_answers(
                    found, number, other, counts, melds == 0, is_open, table.flags, kind, tsumo == 1, answers
                )
                _score_way(table, scorer, answers, many, is_open, tsumo, bonus, closed_bonus, leaf, link)
