"""The inputs of the perceptron, which weights add up to a hand's score; its rows to learn from, and its fit.

They are those of the CHE paper's Table 2, each a weight of its own for every value that it can take: the counts of any
six neighbouring numbers of a suit, the kinds held of each suit, the tiles needed until riichi, the tiles from 2 to 8,
and the dora. The paper names nothing that tells honours apart; here the copies of each honour count by its yaku.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Records, kernel, part
from engine.shanten.shanten_kernels import hand_shanten
from engine.shanten.table_kernels import HandTables

WINDOW = 6
WINDOWS = 10 - WINDOW
"""Numbers of a window, and windows of a suit."""
MOST_YAKU = 2
"""Yaku of one honour: the wind of seat and round at once."""

WINDOWS_AT = 0
SUITS_AT = WINDOWS_AT + WINDOWS * 5**WINDOW
AWAY_AT = SUITS_AT + 3 * 2**9
INNER_AT = AWAY_AT + 16
DORA_AT = INNER_AT + 16
HONOURS_AT = DORA_AT + 16
WEIGHTS = HONOURS_AT + 5 * (MOST_YAKU + 1)
"""Where the weights of each kind of input begin, and their number."""
ACTIVE = 3 * WINDOWS + 3 + 3 + 7
"""Number of weights that add up to a score."""


@part
def score_hand(
    counts: NDArray[np.uint8],
    yakuhai: NDArray[np.uint8],
    bonus: int,
    melds: int,
    weights: NDArray[np.float32],
    tables: HandTables,
    active: NDArray[np.int64],
) -> float:
    """The score of a hand after a discard; the places of its weights are put into ``active`` (ACTIVE).

    Args:
        counts: concealed tiles.
        yakuhai: how many yaku a triplet of each kind is.
        bonus: number of dora and red fives held.
        melds: number of melds.
        weights: float32[WEIGHTS].
        tables: the tables of hands.
        active: int64[ACTIVE].
    """
    n = 0
    inner = 0
    for suit in range(3):
        for window in range(WINDOWS):
            place = 0
            for number in range(WINDOW):
                place = 5 * place + int(counts[9 * suit + window + number])
            active[n] = WINDOWS_AT + window * 5**WINDOW + place
            n += 1
        held = 0
        for number in range(9):
            held |= int(counts[9 * suit + number] > 0) << number
            if 0 < number < 8:
                inner += int(counts[9 * suit + number])
        active[n] = SUITS_AT + (suit << 9) + held
        n += 1
    for kind in range(27, 34):
        active[n] = HONOURS_AT + 5 * int(yakuhai[kind]) + int(counts[kind])
        n += 1
    active[n] = AWAY_AT + 1 + hand_shanten(counts, melds, tables)
    active[n + 1] = INNER_AT + inner
    active[n + 2] = DORA_AT + min(bonus, 15)
    score = 0.0
    for place in range(ACTIVE):
        score += weights[active[place]]
    return score


@kernel("perceptron", seconds=2.0)
def score_discards(
    counts: NDArray[np.uint8],
    dora: NDArray[np.uint8],
    reds: NDArray[np.uint8],
    yakuhai: NDArray[np.uint8],
    melds: int,
    weights: NDArray[np.float32],
    tables: Records[HandTables],
    active: NDArray[np.int64],
    found: NDArray[np.float64],
) -> None:
    """The score after each discard into ``found`` (35), 0 for a kind that is not held; last, that of the hand itself.

    ``dora`` is how many dora a tile of the kind is, ``reds`` whether the red five of the kind is held; of a five, the
    plain one is discarded as long as there is one.
    """
    bonus = 0
    for kind in range(34):
        bonus += int(counts[kind]) * int(dora[kind]) + int(reds[kind])
    found[34] = score_hand(counts, yakuhai, bonus, melds, weights, tables[0], active)
    for kind in range(34):
        found[kind] = 0.0
        if counts[kind] == 0:
            continue
        lost = int(dora[kind]) + (int(reds[kind]) if counts[kind] == 1 else 0)
        counts[kind] -= 1
        found[kind] = score_hand(counts, yakuhai, bonus - lost, melds, weights, tables[0], active)
        counts[kind] += 1


class Rows(NamedTuple):
    """Discards side by side.

    Attributes:
        counts: (n, 34) concealed tiles before the discard.
        dora: (n, 34) how many dora a tile of each kind is.
        reds: (n, 34) whether the red five of the kind is held.
        yakuhai: (n, 34) yaku that a triplet of each kind is.
        melds: number of melds.
        discards: the kind discarded.
    """

    counts: Array2[np.uint8]
    dora: Array2[np.uint8]
    reds: Array2[np.uint8]
    yakuhai: Array2[np.uint8]
    melds: NDArray[np.uint8]
    discards: NDArray[np.uint8]


class Space(NamedTuple):
    """Room to score one row in.

    Attributes:
        counts, yakuhai: uint8[34].
        active: int64[ACTIVE].
        scores: float64[34], the score after each discard.
    """

    counts: NDArray[np.uint8]
    yakuhai: NDArray[np.uint8]
    active: NDArray[np.int64]
    scores: NDArray[np.float64]


@kernel()
def rank_rows(
    rows: Rows, weights: NDArray[np.float32], tables: Records[HandTables], space: Space, ranks: NDArray[np.int64]
) -> None:
    """For each row, how many discards are preferred to the one made; of equal scores the lower kind is preferred."""
    for row in range(len(rows.discards)):
        score_row(rows, row, weights, tables[0], space)
        made = np.int64(rows.discards[row])
        better = 0
        for kind in range(34):
            if space.counts[kind] and kind != made:
                gap = space.scores[kind] - space.scores[made]
                better += int(gap > 0 or (gap == 0 and kind < made))
        ranks[row] = better


@kernel()
def learn_rows(
    rows: Rows,
    order: NDArray[np.int64],
    step: int,
    weights: NDArray[np.float32],
    totals: NDArray[np.float64],
    tables: Records[HandTables],
    space: Space,
) -> int:
    """Learn from rows in this order; how many were mistaken.

    After a mistake the weights of the discard made grow by one and those of the one preferred shrink. ``totals`` sums
    each change times the number of rows before it (``step`` before the first), from which the average follows.
    """
    mistakes = 0
    for place in range(len(order)):
        row = order[place]
        score_row(rows, row, weights, tables[0], space)
        made: int = np.int64(rows.discards[row])  # type: ignore[assignment]
        best = -1
        for kind in range(34):
            if space.counts[kind] and (best < 0 or space.scores[kind] > space.scores[best]):
                best = kind
        if best != made:
            mistakes += 1
            change(rows, row, made, 1.0, step + place, weights, totals, tables[0], space)
            change(rows, row, best, -1.0, step + place, weights, totals, tables[0], space)
    return mistakes


@part
def change(
    rows: Rows,
    row: int,
    kind: int,
    by: float,
    step: int,
    weights: NDArray[np.float32],
    totals: NDArray[np.float64],
    tables: HandTables,
    space: Space,
) -> None:
    """Change the weights of the hand that a discard leaves."""
    score_discard(rows, row, kind, weights, tables, space)
    for place in range(len(space.active)):
        weights[space.active[place]] += by
        totals[space.active[place]] += by * step


@part
def score_row(rows: Rows, row: int, weights: NDArray[np.float32], tables: HandTables, space: Space) -> None:
    """Put the hand of a row, and the score after each discard, into ``space``."""
    for kind in range(34):
        space.counts[kind] = rows.counts[row, kind]
        space.yakuhai[kind] = rows.yakuhai[row, kind]
    for kind in range(34):
        if space.counts[kind]:
            space.scores[kind] = score_discard(rows, row, kind, weights, tables, space)


@part
def score_discard(
    rows: Rows, row: int, discard: int, weights: NDArray[np.float32], tables: HandTables, space: Space
) -> float:
    """The score of the hand in ``space`` after a discard."""
    space.counts[discard] -= 1
    bonus = 0
    for kind in range(34):
        copies = int(space.counts[kind])
        bonus += copies * int(rows.dora[row, kind]) + (int(rows.reds[row, kind]) if copies else 0)
    melds: int = np.int64(rows.melds[row])  # type: ignore[assignment]
    score = score_hand(space.counts, space.yakuhai, bonus, melds, weights, tables, space.active)
    space.counts[discard] += 1
    return score
