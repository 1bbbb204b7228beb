"""The game tree: every hand that a player may hold after some draws and discards, and what each is worth.

A *hand* of the tree is a hand of 13 - 3k tiles after a discard. Its children replace one of its tiles by a drawn one:
up to 34 draws times 14 discards. Hands lie in layers by the number of tiles replaced; equal hands of a layer are one.
A draw that is discarded again leads back to the hand itself, with one draw less, so that the worth of a hand is a row
by the number of own draws left.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Records, kernel, part
from engine.model.rules import RIICHI_STICK
from engine.papers.flow.score_kernels import DORA, score_of
from engine.scoring.yaku_kernels import WIN_RIICHI, WIN_TSUMO
from engine.search.win_kernels import Circumstances, win_points
from engine.shanten.shanten_kernels import hand_words, row_word, shanten_changed, shanten_of_words, with_suit
from engine.shanten.table_kernels import HandTables

WIN = -1
"""Stands for the child of a draw that completes the hand."""
LOW_KINDS = 21
"""Kinds in the first word of a key, three bits each; the others and the layer are in the second."""
LAYER_AT = 40
MOST_EDGES = 34 * 14
"""Edges that a hand can have."""
SILENT, RIICHI = range(2)
"""The columns of an answer: without and with a riichi declared at once."""


class Tree(NamedTuple):
    """The tree, and room to work in. Arrays by hand are in order of layer.

    Attributes:
        root: concealed tiles before the discard.
        unseen: unseen copies of each kind.
        river: kinds on which a ron is furiten, as bits.
        ron: how much more often a waiting tile comes because it may be won by ron.
        may_riichi: whether a tenpai hand may declare riichi.
        melds: number of melds.
        low, high: the key of each hand.
        slots: hash table of hands, plus one; 0 is free. Its length is a power of two.
        first: where the edges of each hand begin.
        drawn, child: the edges: kind drawn, and hand after the discard or ``WIN``; edges of one draw are neighbours.
        sizes: number of hands, number of edges, number of hands whose edges are known.
        counts: tiles of one hand.
        groups: int64[34], the draws of one hand that have edges.
        best: (34, draws + 1) for each draw, the worth of its best child.
        pay: float64[34], points of a self-draw of each kind.
        riichi: float64[draws + 1], worth of a riichi.
        values: (hands, draws + 1) worth of each hand by own draws left.
        answers: (hands of the first layer, 2) worth of each with all draws left, see SILENT and RIICHI.
    """

    root: NDArray[np.int64]
    unseen: NDArray[np.int64]
    river: int
    ron: float
    may_riichi: bool
    melds: int
    low: NDArray[np.uint64]
    high: NDArray[np.uint64]
    slots: NDArray[np.int32]
    first: NDArray[np.int64]
    drawn: NDArray[np.int64]
    child: NDArray[np.int64]
    sizes: NDArray[np.int64]
    counts: NDArray[np.uint8]
    groups: NDArray[np.int64]
    best: Array2[np.float64]
    pay: NDArray[np.float64]
    riichi: NDArray[np.float64]
    values: Array2[np.float64]
    answers: Array2[np.float64]


@kernel("gametree", seconds=0.5)
def add_root(tree: Tree, discard: int) -> None:
    """Add the hand after a discard, or with -1 the hand as it is, to the first layer."""
    for kind in range(34):
        tree.counts[kind] = tree.root[kind] - int(kind == discard)
    find_hand(tree, 0)


@kernel("gametree", seconds=3.0)
def grow(tree: Tree, stop: int, layer: int, most_away: int, tables: Records[HandTables]) -> bool:
    """Add the children in ``layer`` of all hands up to ``stop``; whether there was room for them.

    A child is added if its shanten is at most ``most_away``.
    """
    while tree.sizes[2] < stop:
        here = tree.sizes[2]
        if tree.sizes[1] + MOST_EDGES > len(tree.child):
            return False
        read_hand(tree, here)
        tree.first[here] = tree.sizes[1]
        if not add_children(tree, layer, most_away, tables[0]):
            return False
        tree.sizes[2] = here + 1
        tree.first[here + 1] = tree.sizes[1]
    return True


@part
def add_children(tree: Tree, layer: int, most_away: int, tables: HandTables) -> bool:
    """Add the edges of the hand in ``tree.counts``, and the children that are new; whether there was room."""
    counts = tree.counts
    man, pin, sou, honours = hand_words(counts, tables)
    for draw in range(34):
        if copies_left(tree, draw) <= 0:
            continue
        counts[draw] += 1
        away = shanten_changed(counts, draw // 9, man, pin, sou, honours, tree.melds, tables)
        if away == -1:
            add_edge(tree, draw, WIN)
        if away <= most_away:
            suit = draw // 9
            word = row_word(counts, suit, tables)
            man14, pin14, sou14, honours14 = with_suit(suit, word, man, pin, sou, honours)
            for discard in range(34):
                if counts[discard] == 0 or discard == draw:
                    continue
                counts[discard] -= 1
                after = shanten_changed(counts, discard // 9, man14, pin14, sou14, honours14, tree.melds, tables)
                if after <= most_away:
                    child = find_hand(tree, layer)
                    if child < 0:
                        return False
                    add_edge(tree, draw, child)
                counts[discard] += 1
        counts[draw] -= 1
    return True


@part
def copies_left(tree: Tree, kind: int) -> int:
    """Copies of a kind that the hand in ``tree.counts`` may still draw; a tile that was discarded does not return."""
    added = np.int64(tree.counts[kind]) - tree.root[kind]
    return tree.unseen[kind] - max(added, 0)  # type: ignore[no-any-return]


@part
def add_edge(tree: Tree, draw: int, child: int) -> None:
    """Add an edge of the hand being read."""
    edge = tree.sizes[1]
    tree.drawn[edge] = draw
    tree.child[edge] = child
    tree.sizes[1] = edge + 1


@part
def find_hand(tree: Tree, layer: int) -> int:
    """The number of the hand in ``tree.counts`` in a layer, added if it is new; -1 if there is no room."""
    low = np.uint64(0)
    for kind in range(LOW_KINDS - 1, -1, -1):
        low = low << np.uint64(3) | np.uint64(tree.counts[kind])
    high = np.uint64(layer) << np.uint64(LAYER_AT)
    for kind in range(LOW_KINDS, 34):
        high |= np.uint64(tree.counts[kind]) << np.uint64(3 * (kind - LOW_KINDS))
    mixed = (low ^ high * np.uint64(0x9E3779B97F4A7C15)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(29)
    mask = len(tree.slots) - 1
    place = np.int64(mixed & np.uint64(mask))
    while tree.slots[place]:
        found = np.int64(tree.slots[place]) - 1
        if tree.low[found] == low and tree.high[found] == high:
            return found  # type: ignore[return-value]
        place = (place + 1) & mask
    hand = tree.sizes[0]
    if hand == len(tree.low):
        return -1
    tree.low[hand] = low
    tree.high[hand] = high
    tree.slots[place] = hand + 1
    tree.sizes[0] = hand + 1
    return hand  # type: ignore[no-any-return]


@part
def read_hand(tree: Tree, hand: int) -> None:
    """Put the tiles of a hand into ``tree.counts``."""
    for kind in range(34):
        if kind < LOW_KINDS:
            tree.counts[kind] = tree.low[hand] >> np.uint64(3 * kind) & np.uint64(7)
        else:
            tree.counts[kind] = tree.high[hand] >> np.uint64(3 * (kind - LOW_KINDS)) & np.uint64(7)


@kernel("gametree", seconds=6.0)
def solve(tree: Tree, point: float, most_away: int, table: Circumstances, scores: NDArray[np.int16]) -> None:
    """Work out ``values`` of all hands and ``answers`` of the first layer.

    A hand whose edges are not known is worth ``point`` times its hand score times its chance to come nearer to a win;
    nothing if its shanten is above ``most_away``.
    """
    for hand in range(tree.sizes[0] - 1, -1, -1):
        read_hand(tree, hand)
        if hand < tree.sizes[2]:
            value_hand(tree, hand, table)
            continue
        nearer = point * score_of(tree.counts, scores)
        for kind in range(34):
            nearer += point * DORA * int(tree.counts[kind]) * table.dora[kind]
        value_leaf(tree, hand, nearer, most_away, table.tables[0])


@part
def value_leaf(tree: Tree, hand: int, nearer: float, most_away: int, tables: HandTables) -> None:
    """Value a hand by its chance to come nearer to a win, which is worth ``nearer``."""
    man, pin, sou, honours = hand_words(tree.counts, tables)
    now = shanten_of_words(man, pin, sou, honours, tree.melds, tables)
    tiles = 0
    good = 0
    for kind in range(34):
        left = copies_left(tree, kind)
        if left <= 0:
            continue
        tiles += left
        tree.counts[kind] += 1
        if shanten_changed(tree.counts, kind // 9, man, pin, sou, honours, tree.melds, tables) < now:
            good += left
        tree.counts[kind] -= 1
    missed = 1.0 if now <= most_away else 0.0
    chance = 0.0
    for draws in range(tree.values.shape[1]):
        tree.values[hand, draws] = nearer * chance
        chance += missed * good / max(tiles, 1)
        missed *= 1.0 - good / max(tiles, 1)
    if hand < len(tree.answers):
        tree.answers[hand, SILENT] = tree.values[hand, tree.values.shape[1] - 1]
        tree.answers[hand, RIICHI] = 0.0


@part
def value_hand(tree: Tree, hand: int, table: Circumstances) -> None:
    """Value a hand by its edges: by own draws left, the better of riichi and of drawing on."""
    begin = tree.first[hand]
    ends = tree.first[hand + 1]
    tiles = 0
    for kind in range(34):
        tiles += max(copies_left(tree, kind), 0)
    whole = float(max(tiles, 1))
    draws = tree.values.shape[1] - 1
    riichi = tree.may_riichi and value_riichi(tree, begin, ends, whole, table)
    ron, by_ron = score_waits(tree, begin, ends, 0, whole, table)
    groups = gather_best(tree, begin, ends)
    tree.values[hand, 0] = 0.0
    for left in range(1, draws + 1):
        stay = tree.values[hand, left - 1]
        total = 0.0
        others = whole
        for group in range(groups):
            draw = tree.groups[group]
            copies = copies_left(tree, draw)
            others -= copies
            total += copies * max(stay, tree.best[draw, left - 1])
        silent = by_ron + (1.0 - ron) * (total + others * stay) / whole
        tree.values[hand, left] = max(silent, tree.riichi[left]) if riichi else silent
        if left == draws and hand < len(tree.answers):
            tree.answers[hand, SILENT] = silent
            tree.answers[hand, RIICHI] = tree.riichi[left] if riichi else 0.0


@part
def value_riichi(tree: Tree, begin: int, ends: int, whole: float, table: Circumstances) -> bool:
    """Put the worth of a riichi with so many draws left into ``tree.riichi``; whether the hand is tenpai."""
    ron, by_ron = score_waits(tree, begin, ends, WIN_RIICHI, whole, table)
    chance = 0.0
    drawn = 0.0
    for edge in range(begin, ends):
        if tree.child[edge] == WIN:
            draw = tree.drawn[edge]
            chance += copies_left(tree, draw) / whole
            drawn += copies_left(tree, draw) * tree.pay[draw] / whole
    tree.riichi[0] = -RIICHI_STICK
    for left in range(1, tree.values.shape[1]):
        tree.riichi[left] = by_ron + (1.0 - ron) * (drawn + (1.0 - chance) * tree.riichi[left - 1])
    return chance > 0.0


@part
def score_waits(
    tree: Tree, begin: int, ends: int, more: int, whole: float, table: Circumstances
) -> tuple[float, float]:
    """Score the wins among the edges; the chance of a ron in a go-around, and that chance times its points.

    The points of self-draws are put into ``tree.pay``. ``more`` is WIN_RIICHI or 0.
    """
    furiten = False
    for edge in range(begin, ends):
        if tree.child[edge] == WIN:
            draw = tree.drawn[edge]
            furiten |= tree.river >> draw & 1 != 0 or np.int64(tree.counts[draw]) < tree.root[draw]
    chance = 0.0
    points = 0.0
    for edge in range(begin, ends):
        if tree.child[edge] != WIN:
            continue
        draw = tree.drawn[edge]
        share = copies_left(tree, draw) * (tree.ron - 1.0) / whole
        tree.counts[draw] += 1
        tree.pay[draw] = win_points(tree.counts, draw, more | WIN_TSUMO, table)
        ron = 0 if furiten else win_points(tree.counts, draw, more, table)
        tree.counts[draw] -= 1
        if ron:
            chance += share
            points += share * ron
    return chance, points


@part
def gather_best(tree: Tree, begin: int, ends: int) -> int:
    """Put the draws that have edges into ``tree.groups``, and what each is worth into ``tree.best``; their number."""
    groups = 0
    draws = tree.values.shape[1] - 1
    for edge in range(begin, ends):
        draw = tree.drawn[edge]
        if groups == 0 or tree.groups[groups - 1] != draw:
            tree.groups[groups] = draw
            groups += 1
            for left in range(draws):
                tree.best[draw, left] = 0.0
        child = tree.child[edge]
        for left in range(draws):
            worth = tree.pay[draw] if child == WIN else tree.values[child, left]
            tree.best[draw, left] = max(tree.best[draw, left], worth)
    return groups
