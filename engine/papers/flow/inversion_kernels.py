"""Winning forms near a hand, and how likely each is.

A *part* is what one suit (or the honours) holds of a form: its counts, three bits a kind, and its *shape*, twice the
number of sets plus one if it has the pair. A form is one part of each suit, with all sets and one pair between them; it
is *away* by the number of tiles that the hand lacks. Parts are sorted by shape and distance, so that the forms at one
distance are counted without being listed, and of too many an even share is taken.

With 14 tiles each form counts for every discard: with a tile that it does not use at the same distance, with one that
it needs a tile further.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Array4, kernel, part
from engine.scoring.yaku_kernels import WIN_RIICHI
from engine.search.win_kernels import Circumstances, choices, win_points

SHAPES = 10
FAR = 16
"""Distances are below it."""
LEVELS = 2
"""Number of distances from the nearest on at which forms are taken."""
FEWEST_PAIRS = 3
"""Pairs from which seven pairs are thought of."""

CHANCE, POINTS, SILENT_CHANCE, SILENT_POINTS = range(4)
SUMS = 4
"""What is summed over forms: chances, chances times points; the same of the last tile without riichi."""

STANDARD, PAIRS, ORPHANS = range(3)
ORPHAN_KINDS = 1 | 1 << 8 | 1 << 9 | 1 << 17 | 1 << 18 | 1 << 26 | 0x7F << 27


class Parts(NamedTuple):
    """All parts of a suit and of the honours.

    Attributes:
        suit, suit_shape, honours, honours_shape: counts and shapes.
    """

    suit: NDArray[np.int64]
    suit_shape: NDArray[np.int64]
    honours: NDArray[np.int64]
    honours_shape: NDArray[np.int64]


class Hand(NamedTuple):
    """The hand and what it may draw.

    Attributes:
        counts: concealed tiles.
        unseen: unseen copies of each kind.
        factors: float64[FAR], the chance of one set of so many tiles to be drawn in time.
        ron: factor on a form's chance, because its last tile may be won by ron.
        river: kinds on which a ron is furiten, as bits.
        to_discard: whether a tile will be discarded.
    """

    counts: NDArray[np.int64]
    unseen: NDArray[np.int64]
    factors: NDArray[np.float64]
    ron: float
    river: int
    to_discard: bool


class Space(NamedTuple):
    """Room to work in, and the answer.

    Attributes:
        away: (4, parts) distance of each part.
        order, weight: (4, parts) the near parts sorted by shape and distance, and their numbers of ways.
        start: (4, SHAPES * FAR + 1) where each shape and distance begins in them.
        number: (4, 5, 2, FAR) forms of the first suits by sets, pairs and distance.
        need: the tiles of one form.
        kinds: kinds that a search for seven pairs may choose from.
        sums: (35, FAR, SUMS) the answer by discard and distance; last, without a discard.
    """

    away: Array2[np.int8]
    order: Array2[np.int64]
    weight: Array2[np.float64]
    start: Array2[np.int64]
    number: Array4[np.float64]
    need: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    sums: Array3[np.float64]


@kernel("inversion", seconds=12.0)
def sum_forms(hand: Hand, parts: Parts, table: Circumstances, most: int, space: Space) -> int:
    """Sum the nearest forms into ``space.sums``, at most ``most`` of them; the number of forms taken."""
    for suit in range(4):
        measure_parts(suit, hand, parts, space)
    count_forms(table.sets, space)
    nearest = FAR
    for away in range(FAR):
        if space.number[3, table.sets, 1, away] > 0:
            nearest = away
            break
    if table.melds == 0:
        nearest = min(nearest, pairs_away(hand), orphans_away(hand))
    for suit in range(4):
        sort_parts(suit, nearest + LEVELS - 1, hand, parts, space)
    taken = 0
    for level in range(LEVELS):
        away = nearest + level
        if away >= FAR - 1:
            break
        share = (most - taken) // (LEVELS - level)
        if table.melds == 0:
            before = taken
            taken += add_orphans(hand, table, away, share, space)
            taken += add_pairs(hand, table, away, share - (taken - before), space)
            share -= taken - before
        if share > 0:
            stride = 1 + int(space.number[3, table.sets, 1, away]) // share
            taken += add_standard(hand, table, away, stride, space)
    return taken


@part
def measure_parts(suit: int, hand: Hand, parts: Parts, space: Space) -> None:
    """How far each part of a suit is, and how many there are by shape and distance (in ``space.start``)."""
    needs = parts.suit if suit < 3 else parts.honours
    shapes = parts.suit_shape if suit < 3 else parts.honours_shape
    kinds = 9 if suit < 3 else 7
    at = 9 * suit
    for cell in range(SHAPES * FAR + 1):
        space.start[suit, cell] = 0
    for row in range(len(needs)):
        need = needs[row]
        away = 0
        for number in range(kinds):
            lacks = (need >> 3 * number & 7) - hand.counts[at + number]
            if lacks > 0:
                if lacks > hand.unseen[at + number]:
                    away = FAR
                    break
                away += lacks
        space.away[suit, row] = away
        if away < FAR:
            space.start[suit, shapes[row] * FAR + away] += 1


@part
def count_forms(sets: int, space: Space) -> None:
    """Number of forms of the first one, two, three, four suits by sets, pairs and distance."""
    for suit in range(4):
        for n in range(5):
            for p in range(2):
                for away in range(FAR):
                    if suit == 0:
                        space.number[0, n, p, away] = space.start[0, (2 * n + p) * FAR + away]
                    else:
                        space.number[suit, n, p, away] = 0.0
    for suit in range(1, 4):
        for shape in range(SHAPES):
            for away in range(FAR):
                here = space.start[suit, shape * FAR + away]
                if here == 0:
                    continue
                n = shape >> 1
                p = shape & 1
                for before in range(sets - n + 1):
                    for pairs in range(2 - p):
                        for near in range(FAR - away):
                            space.number[suit, before + n, pairs + p, near + away] += (
                                here * space.number[suit - 1, before, pairs, near]
                            )


@part
def sort_parts(suit: int, most: int, hand: Hand, parts: Parts, space: Space) -> None:
    """Sort the parts of a suit that are at most so far; ``space.start`` becomes the places where each cell begins."""
    needs = parts.suit if suit < 3 else parts.honours
    shapes = parts.suit_shape if suit < 3 else parts.honours_shape
    kinds = 9 if suit < 3 else 7
    at = 9 * suit
    place = 0
    for shape in range(SHAPES):
        for away in range(FAR):
            cell = shape * FAR + away
            here = space.start[suit, cell]
            space.start[suit, cell] = place
            if away <= most:
                place += here
    space.start[suit, SHAPES * FAR] = place
    for row in range(len(needs)):
        far = np.int64(space.away[suit, row])
        if far > most:
            continue
        cell = shapes[row] * FAR + far
        place = space.start[suit, cell]
        space.start[suit, cell] = place + 1
        ways = 1.0
        for number in range(kinds):
            lacks = (needs[row] >> 3 * number & 7) - hand.counts[at + number]
            if lacks > 0:
                ways *= choices(hand.unseen[at + number], lacks)
        space.order[suit, place] = needs[row]
        space.weight[suit, place] = ways
    for cell in range(SHAPES * FAR - 1, 0, -1):
        space.start[suit, cell] = space.start[suit, cell - 1]
    space.start[suit, 0] = 0


@part
def add_standard(hand: Hand, table: Circumstances, away: int, stride: int, space: Space) -> int:
    """Add every ``stride``-th form of sets and a pair that is so far; how many were added."""
    seen = 0
    taken = 0
    for first in range(SHAPES):
        for near in range(away + 1):
            for one in range(space.start[0, first * FAR + near], space.start[0, first * FAR + near + 1]):
                for second in range(SHAPES):
                    sets = (first >> 1) + (second >> 1)
                    pairs = (first & 1) + (second & 1)
                    if sets > table.sets or pairs > 1:
                        continue
                    for also in range(away - near + 1):
                        cell = second * FAR + also
                        for two in range(space.start[1, cell], space.start[1, cell + 1]):
                            for third in range(SHAPES):
                                last = 2 * (table.sets - sets - (third >> 1)) + 1 - pairs - (third & 1)
                                if last < 0 or pairs + (third & 1) > 1:
                                    continue
                                for more in range(away - near - also + 1):
                                    cell = third * FAR + more
                                    rest = last * FAR + away - near - also - more
                                    begin = space.start[3, rest]
                                    ends = space.start[3, rest + 1]
                                    here = (space.start[2, cell + 1] - space.start[2, cell]) * (ends - begin)
                                    if (seen + here) // stride == seen // stride:
                                        seen += here
                                        continue
                                    for three in range(space.start[2, cell], space.start[2, cell + 1]):
                                        skipped = stride - 1 - seen % stride
                                        seen += ends - begin
                                        for four in range(begin + skipped, ends, stride):
                                            taken += 1
                                            unpack(space.order[0, one], 0, 9, space.need)
                                            unpack(space.order[1, two], 9, 9, space.need)
                                            unpack(space.order[2, three], 18, 9, space.need)
                                            unpack(space.order[3, four], 27, 7, space.need)
                                            ways = space.weight[0, one] * space.weight[1, two]
                                            ways *= space.weight[2, three] * space.weight[3, four] * stride
                                            add_form(hand, table, away, ways, space)
    return taken


@part
def unpack(packed: int, at: int, kinds: int, need: NDArray[np.uint8]) -> None:
    """Write the counts of a part into the form."""
    for number in range(kinds):
        need[at + number] = packed >> 3 * number & 7


@part
def pairs_away(hand: Hand) -> int:
    """Distance of the nearest seven pairs; FAR with fewer than three pairs."""
    pairs = 0
    singles = 0
    for kind in range(34):
        if hand.counts[kind] >= 2:
            pairs += 1
        elif hand.counts[kind] == 1:
            singles += 1
    if pairs < FEWEST_PAIRS:
        return FAR
    if pairs >= 7:
        return 0
    lacks = 7 - pairs
    return lacks + max(0, lacks - singles)


@part
def add_pairs(hand: Hand, table: Circumstances, away: int, most: int, space: Space) -> int:
    """Add seven pairs that are so far: all pairs held or all but one, the rest of single tiles and one new kind."""
    if pairs_away(hand) > away:
        return 0
    pairs = 0
    singles = 0
    for kind in range(34):
        if hand.counts[kind] >= 2:
            pairs += 1
        elif hand.counts[kind] == 1 and hand.unseen[kind] > 0:
            space.kinds[singles] = kind
            singles += 1
    taken = 0
    for chosen in range(1 << singles):
        picked = 0
        for bit in range(singles):
            picked += chosen >> bit & 1
        if abs(pairs + picked - 7) > 1:
            continue
        for dropped in range(-1, 34):
            if dropped >= 0 and hand.counts[dropped] < 2:
                continue
            kept = pairs + picked - (dropped >= 0)
            if kept < 6 or kept > 7:
                continue
            for new in range(-1, 34 if kept == 6 else 0):
                if (new < 0) != (kept == 7) or taken >= most:
                    continue
                if new >= 0 and (hand.counts[new] > 0 or hand.unseen[new] < 2):
                    continue
                if picked + (2 if new >= 0 else 0) != away:
                    continue
                ways = 1.0
                for kind in range(34):
                    space.need[kind] = 2 if hand.counts[kind] >= 2 and kind != dropped else 0
                for bit in range(singles):
                    if chosen >> bit & 1:
                        space.need[space.kinds[bit]] = 2
                        ways *= hand.unseen[space.kinds[bit]]
                if new >= 0:
                    space.need[new] = 2
                    ways *= choices(hand.unseen[new], 2)
                add_form(hand, table, away, ways, space)
                taken += 1
    return taken


@part
def orphans_away(hand: Hand) -> int:
    """Distance of thirteen orphans."""
    lacks = 13
    paired = 1
    for kind in range(34):
        if ORPHAN_KINDS >> kind & 1 and hand.counts[kind]:
            lacks -= 1
            if hand.counts[kind] >= 2:
                paired = 0
    return lacks + paired


@part
def add_orphans(hand: Hand, table: Circumstances, away: int, most: int, space: Space) -> int:
    """Add the thirteen orphans that are so far."""
    taken = 0
    if orphans_away(hand) > away:
        return 0
    for pair in range(34):
        if ORPHAN_KINDS >> pair & 1 == 0 or taken >= most:
            continue
        lacks = 0
        ways = 1.0
        for kind in range(34):
            space.need[kind] = ORPHAN_KINDS >> kind & 1
        space.need[pair] = 2
        for kind in range(34):
            short = np.int64(space.need[kind]) - hand.counts[kind]
            if short > 0:
                lacks += short
                ways *= choices(hand.unseen[kind], short)
        if lacks == away and ways > 0.0:
            add_form(hand, table, away, ways, space)
            taken += 1
    return taken


@part
def add_form(hand: Hand, table: Circumstances, away: int, ways: float, space: Space) -> None:
    """Add the form in ``space.need``, which can be drawn in so many ways, to the sums of every discard."""
    win = -1
    fewest = 99
    for kind in range(34):
        if space.need[kind] > hand.counts[kind] and hand.unseen[kind] < fewest:
            win = kind
            fewest = hand.unseen[kind]
        elif win < 0 and space.need[kind]:
            win = kind
    points = win_points(space.need, win, WIN_RIICHI if table.closed else 0, table)
    if points == 0:
        return
    silent = points
    if table.closed and away <= 1:
        silent = win_points(space.need, win, 0, table)
    chance = ways * (1.0 if hand.river >> win & 1 else hand.ron)
    add_sums(space, 34, away, chance * hand.factors[away], points, silent)
    if not hand.to_discard:
        return
    for kind in range(34):
        need = np.int64(space.need[kind])
        held = hand.counts[kind]
        if held == 0 or need < held:
            continue
        lacks = need - held
        add_sums(space, kind, away, -chance * hand.factors[away], points, silent)
        more = chance * (hand.unseen[kind] - lacks) / (lacks + 1)
        add_sums(space, kind, away + 1, more * hand.factors[away + 1], points, silent)


@part
def add_sums(space: Space, row: int, away: int, chance: float, points: int, silent: int) -> None:
    """Add one form to the sums of a row."""
    space.sums[row, away, CHANCE] += chance
    space.sums[row, away, POINTS] += chance * points
    if silent:
        space.sums[row, away, SILENT_CHANCE] += chance
        space.sums[row, away, SILENT_POINTS] += chance * silent
