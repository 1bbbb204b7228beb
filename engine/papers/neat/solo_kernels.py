"""One-player mahjong played by a network, and the discards it prefers.

A wall (uint8[32]) holds ``tile136``: the thirteen tiles dealt, the eighteen that are drawn, and the dora indicator. The
player discards by the network until the hand is tenpai, and then keeps the hand and discards what it draws.

A network (:class:`Net`) has ``width`` nodes besides its inputs: ``hidden`` ones in topological order, then a preference
and a policy neuron for each module, then padding. A hidden node's output is ``x / (1 + |x|)`` of the sum of its inputs,
an output neuron's the sum itself. A hand's value is what the policy neuron says of the module whose preference neuron
says most.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, inlined_part, kernel, part
from engine.papers.neat.input_kernels import (
    COUNTS,
    EXTENDED,
    EXTENDED_BLOCKS,
    PAPER_BLOCKS,
    ShapeTables,
    dragons_held,
    least_shanten,
    paper_inputs,
    yaku_inputs,
)
from engine.papers.neat.points_kernels import best_solo_win, solo_points
from engine.rules.table_kernels import DORA, is_red_five
from engine.scoring.win_kernels import YAKU_BITS
from engine.shanten.shanten_kernels import hand_rows, hand_words, pairs_of_sum, row_of, standard_of_words, with_suit
from engine.shanten.table_kernels import ROWS

DEALT = 13
DRAWS = 18
WALL = DEALT + DRAWS + 1
TILES = 136
SEEN_BY_DEAL = TILES - DEALT

TENPAI_TURN, EXPECTED, WIN_TURN, POINTS, YAKU = range(5)
RESULTS = 5
"""Columns of the results of a wall: turn of tenpai (0: dealt, DRAWS if it is never reached), expected points at tenpai,
turn of the win (0 for none), its points, its yaku as bits."""

LEADS, FAR = 3, 9
"""Uses of a module are counted by whether groups are nearer (0), seven pairs are (2), or neither (1), and by standard
shanten."""

NO_KIND = -1
"""In place of a discard: the hand is kept as it is."""


class Net(NamedTuple):
    """A network as arrays.

    Attributes:
        bias: (width,) sums of the weights of kinds not held.
        weights: (inputs, width) weights of the inputs; of the copies of a kind, relative to none.
        starts: (hidden + 1,) first link of each hidden node.
        targets, strengths: target node and weight of each link, by source.
    """

    bias: NDArray[np.float32]
    weights: Array2[np.float32]
    starts: NDArray[np.int64]
    targets: NDArray[np.int64]
    strengths: NDArray[np.float32]


class Space(NamedTuple):
    """Scratch of the kernels.

    Attributes:
        counts, seen, dora: (34,) copies held of each kind, copies seen, and how many dora a tile of it is.
        held, sums: (width,) sum of each node over the copies, and in all.
        rows: (EXTENDED_BLOCKS,) active inputs of the blocks after the copies.
        values, modules: (34,) value of each discard, and the module that gave it.
    """

    counts: NDArray[np.uint8]
    seen: NDArray[np.int64]
    dora: NDArray[np.int64]
    held: NDArray[np.float32]
    sums: NDArray[np.float32]
    rows: NDArray[np.int64]
    values: NDArray[np.float32]
    modules: NDArray[np.int64]


@part
def sum_held(net: Net, space: Space) -> None:
    """Sums of all nodes over the copies of each kind held, into ``space.held``."""
    width = len(net.bias)
    held = space.held
    bias = net.bias
    weights = net.weights
    for node in range(width):
        held[node] = bias[node]
    for kind in range(34):
        copies = int(space.counts[kind])
        if copies:
            row = COUNTS + 5 * kind + copies
            for node in range(width):
                held[node] += weights[row, node]


@inlined_part
def run_network(net: Net, space: Space, kind: int, copies: int, extended: bool, modules: int) -> int:
    """Run the network on the hand with one of ``copies`` tiles of ``kind`` less (NO_KIND: as it is); the module used.

    The sums of all nodes are left in ``space.sums``.
    """
    width = len(net.bias)
    weights = net.weights
    sums = space.sums
    held = space.held
    rows = space.rows
    first = rows[0]
    second = rows[1]
    third = rows[2]
    fourth = rows[3]
    fifth = rows[4]
    sixth = rows[5]
    seventh = rows[6]
    for node in range(width):
        sums[node] = (
            held[node]
            + ((weights[first, node] + weights[second, node]) + (weights[third, node] + weights[fourth, node]))
            + ((weights[fifth, node] + weights[sixth, node]) + weights[seventh, node])
        )
    if kind != NO_KIND:
        row = COUNTS + 5 * kind + copies
        for node in range(width):
            sums[node] += weights[row - 1, node] - weights[row, node]
    if extended:
        for block in range(PAPER_BLOCKS, EXTENDED_BLOCKS):
            row = rows[block]
            for node in range(width):
                sums[node] += weights[row, node]
    hidden = len(net.starts) - 1
    for node in range(hidden):
        x = sums[node]
        output = x / (np.float32(1.0) + abs(x))
        for link in range(net.starts[node], net.starts[node + 1]):
            sums[net.targets[link]] += net.strengths[link] * output
    best = 0
    for module in range(1, modules):
        if sums[hidden + 2 * module] > sums[hidden + 2 * best]:
            best = module
    return best


@inlined_part
def value_discards(
    net: Net, modules: int, extended: bool, bonus: int, reds: int, tables: ShapeTables, space: Space
) -> tuple[int, int]:
    """The discard of the highest value from the 14 tiles of ``space.counts``, and the shanten after it.

    Values and modules of all discards go into ``space``. Of equal values the lowest kind is taken. ``bonus`` counts the
    dora and red fives held; ``reds`` has a bit for each kind of which a red five is held, which is discarded last.
    """
    hands = tables.hands[0]
    words = hands.words
    shapes = tables.shapes
    traits = tables.traits
    counts = space.counts
    rows = space.rows
    man, pin, sou, honours = hand_rows(counts, hands)
    man_word = int(words[man])
    pin_word = int(words[pin])
    sou_word = int(words[sou])
    honour_word = int(words[honours])
    man_traits = int(traits[man - ROWS])
    pin_traits = int(traits[pin - ROWS])
    sou_traits = int(traits[sou - ROWS])
    honour_traits = int(traits[honours - ROWS])
    man_shape = int(shapes[man - ROWS])
    pin_shape = int(shapes[pin - ROWS])
    sou_shape = int(shapes[sou - ROWS])
    honour_shape = int(shapes[honours - ROWS])
    split = man_shape + pin_shape + sou_shape + honour_shape
    sum_held(net, space)
    policy = len(net.starts)
    best = NO_KIND
    best_value = np.float32(0.0)
    best_shanten = 0
    for kind in range(34):
        copies = int(counts[kind])
        if copies == 0:
            continue
        counts[kind] -= 1
        suit = kind // 9
        place = row_of(counts, suit, hands)
        word = int(words[place])
        m, p, s, z = with_suit(suit, word, man_word, pin_word, sou_word, honour_word)
        old = man_shape if suit == 0 else (pin_shape if suit == 1 else (sou_shape if suit == 2 else honour_shape))
        standard = paper_inputs(m, p, s, z, split - old + int(shapes[place - ROWS]), tables, rows)
        if extended:
            trait = int(traits[place - ROWS])
            left = bonus - space.dora[kind] - int(copies == 1 and reds >> kind & 1)
            mt, pt, st, zt = with_suit(suit, trait, man_traits, pin_traits, sou_traits, honour_traits)
            yaku_inputs(m, p, s, z, mt, pt, st, zt, dragons_held(counts), left, tables, rows)
        counts[kind] += 1
        module = run_network(net, space, kind, copies, extended, modules)
        value = space.sums[policy + 2 * module]
        space.values[kind] = value
        space.modules[kind] = module
        if best == NO_KIND or value > best_value:
            best = kind
            best_value = value
            best_shanten = least_shanten(standard, m + p + s + z)
    return best, best_shanten


@kernel("neat", seconds=2.0)
def value_hand(net: Net, modules: int, tiles: int, bonus: int, reds: int, tables: ShapeTables, space: Space) -> int:
    """Value each discard from the 14 tiles of ``space.counts``, or its 13 tiles as they are; the best discard.

    Values go into ``space.values``, that of 13 tiles to kind 0, for which the answer is NO_KIND. ``tiles`` is 13 or 14;
    the other arguments are those of :func:`value_discards`.
    """
    extended = len(net.weights) == EXTENDED
    if tiles == DEALT + 1:
        best, _ = value_discards(net, modules, extended, bonus, reds, tables, space)
        return best
    hands = tables.hands[0]
    words = hands.words
    traits = tables.traits
    counts = space.counts
    man, pin, sou, honours = hand_rows(counts, hands)
    m = int(words[man])
    p = int(words[pin])
    s = int(words[sou])
    z = int(words[honours])
    shapes = tables.shapes
    split = int(shapes[man - ROWS]) + int(shapes[pin - ROWS]) + int(shapes[sou - ROWS]) + int(shapes[honours - ROWS])
    sum_held(net, space)
    paper_inputs(m, p, s, z, split, tables, space.rows)
    if extended:
        yaku_inputs(
            m, p, s, z,
            int(traits[man - ROWS]), int(traits[pin - ROWS]), int(traits[sou - ROWS]), int(traits[honours - ROWS]),
            dragons_held(counts), bonus, tables, space.rows,
        )  # fmt: skip
    module = run_network(net, space, NO_KIND, 0, extended, modules)
    space.values[0] = space.sums[len(net.starts) + 2 * module]
    space.modules[0] = module
    return NO_KIND


@part
def far_of(counts: NDArray[np.uint8], tables: ShapeTables) -> tuple[int, int, int]:
    """Standard, seven-pairs and least shanten of a hand."""
    hands = tables.hands[0]
    m, p, s, z = hand_words(counts, hands)
    standard = standard_of_words(m, p, s, z, 4, hands)
    return standard, pairs_of_sum(m + p + s + z), least_shanten(standard, m + p + s + z)


@part
def worth_of_tenpai(
    draws: int, unseen: int, bonus: int, reds_unseen: int, tables: ShapeTables, space: Space
) -> tuple[float, int]:
    """Expected points of the 13 tiles of ``space.counts`` kept for ``draws`` draws, and its waits as bits."""
    counts = space.counts
    waits = 0
    copies = 0
    points = 0.0
    for kind in range(34):
        left = 4 - space.seen[kind]
        if counts[kind] == 4:
            continue
        counts[kind] += 1
        here = bonus + space.dora[kind]
        answer = best_solo_win(counts, kind, here, tables.hands[0])
        if answer:
            waits |= 1 << kind
            copies += left
            points += left * solo_points(answer, here)
            if left and reds_unseen >> kind & 1:
                points += solo_points(best_solo_win(counts, kind, here + 1, tables.hands[0]), here + 1)
                points -= solo_points(answer, here)
        counts[kind] -= 1
    if copies == 0:
        return 0.0, waits
    missed = 1.0
    for draw in range(draws):
        missed *= (unseen - copies - draw) / (unseen - draw)
    return (1.0 - missed) * points / copies, waits


@kernel("neat", seconds=5.0)
def play_walls(
    walls: Array2[np.uint8],
    with_dora: bool,
    net: Net,
    modules: int,
    tables: ShapeTables,
    space: Space,
    results: Array2[np.float64],
    uses: Array3[np.int64],
) -> int:
    """Play every wall; its results go into a row of ``results``. Returns the number of decisions.

    ``uses`` (modules, LEADS, FAR) counts which module valued the hand that was kept.
    """
    decisions = 0
    extended = len(net.weights) == EXTENDED
    counts = space.counts
    seen = space.seen
    for row in range(len(walls)):
        for kind in range(34):
            counts[kind] = 0
            seen[kind] = 0
            space.dora[kind] = 0
        bonus = 0
        reds = 0
        reds_unseen = 0
        if with_dora:
            indicator = int(walls[row, WALL - 1])
            space.dora[DORA[indicator // 4]] = 1
            seen[indicator // 4] += 1
            reds_unseen = 1 << 4 | 1 << 13 | 1 << 22
            if is_red_five(indicator):
                reds_unseen &= ~(1 << (indicator // 4))
        for column in range(RESULTS):
            results[row, column] = 0.0
        results[row, TENPAI_TURN] = DRAWS
        waits = 0
        ready = False
        for place in range(DEALT + DRAWS):
            tile = int(walls[row, place])
            kind = tile // 4
            turn = place - DEALT + 1
            if ready:
                if waits >> kind & 1:
                    counts[kind] += 1
                    bonus += space.dora[kind] + int(with_dora and is_red_five(tile))
                    answer = best_solo_win(counts, kind, bonus, tables.hands[0])
                    results[row, WIN_TURN] = turn
                    results[row, POINTS] = solo_points(answer, bonus)
                    results[row, YAKU] = answer & YAKU_BITS
                    break
                continue
            counts[kind] += 1
            seen[kind] += 1
            bonus += space.dora[kind]
            if with_dora and is_red_five(tile):
                bonus += 1
                reds |= 1 << kind
                reds_unseen &= ~(1 << kind)
            if place < DEALT - 1:
                continue
            if place == DEALT - 1:
                _, _, least = far_of(counts, tables)
                ready = least == 0
            else:
                discard, shanten = value_discards(net, modules, extended, bonus, reds, tables, space)
                decisions += 1
                if counts[discard] == 1 and reds >> discard & 1:
                    bonus -= 1
                    reds &= ~(1 << discard)
                bonus -= space.dora[discard]
                counts[discard] -= 1
                ready = shanten == 0
                count_use(space.modules[discard], tables, space, uses)
            if ready:
                results[row, TENPAI_TURN] = turn
                unseen = SEEN_BY_DEAL - turn - int(with_dora)
                results[row, EXPECTED], waits = worth_of_tenpai(DRAWS - turn, unseen, bonus, reds_unseen, tables, space)
    return decisions


@part
def count_use(module: int, tables: ShapeTables, space: Space, uses: Array3[np.int64]) -> None:
    """Count that the module valued the 13 tiles of ``space.counts``."""
    standard, pairs, _ = far_of(space.counts, tables)
    lead = 1 if pairs == standard else (0 if standard < pairs else 2)
    uses[module, lead, standard] += 1
