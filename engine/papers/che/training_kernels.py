"""The rule by which the perceptron learns from recorded discards, and their ranks by its score."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Records, kernel, part
from engine.papers.che.perceptron_kernels import score_hand
from engine.shanten.table_kernels import HandTables


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
