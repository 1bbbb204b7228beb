"""Recorded discards as rows for the perceptron, and the rule by which it learns from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, allocating_kernel, kernel, part
from engine.opponents.view_kernels import F_DEALER, F_KYOKU, F_RIICHI
from engine.search.perceptron.input_kernels import score_hand
from engine.train.event_kernels import DISCARD, DRAW, FIRST_AT, SEAT_AT, TYPE
from engine.train.moment_kernels import Table, deal, step

MOST_ROWS = 128
"""Rows of one hand at most."""
QUIET, ANY = range(2)
"""Which discards are rows: those before any riichi by players who have not called; all but those in riichi."""


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


@allocating_kernel
def collect_discards(
    table: Table,
    which: NDArray[np.int64],
    seats: NDArray[np.int64],
    kyoku: Array2[np.int32],
    hands: Array3[np.uint8],
    events: NDArray[np.uint32],
    sampling: int,
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    rows: Rows,
) -> int:
    """Play hands and write the discards of some seats as rows; the number of rows.

    Args:
        table: any; it is cleared.
        which: rows of ``kyoku`` to play.
        seats: for each of them the seats whose discards are rows, as bits.
        kyoku: of the recordings.
        hands: of the recordings.
        events: of the recordings.
        sampling: QUIET or ANY.
        words: table of shanten.
        merge: table of shanten.
        rows: where to write; it must have room for ``MOST_ROWS`` of each hand.
    """
    n = 0
    facts = table.shared.facts
    for place in range(len(which)):
        hand = which[place]
        deal(table, kyoku[hand], hands[hand], words, merge)
        drawn = False
        first = kyoku[hand, 6]
        for at in range(first, first + kyoku[hand, 7]):
            code = int(events[at])
            what = code & TYPE
            seat = code >> SEAT_AT & 3
            if what == DRAW:
                drawn = True
            elif what == DISCARD:
                quiet = drawn and table.shared.meld_counts[seat] == 0
                for other in range(4):
                    quiet = quiet and facts[F_RIICHI + other] == 0
                if seats[place] >> seat & 1 and (quiet or (sampling == ANY and facts[F_RIICHI + seat] == 0)):
                    write_row(table, seat, code >> FIRST_AT & 255, rows, n)
                    n += 1
                drawn = False
            step(table, code, words, merge)
    return n


@part
def write_row(table: Table, seat: int, tile: int, rows: Rows, n: int) -> None:
    """Write the discard that a seat is about to make."""
    facts = table.shared.facts
    own_wind = 27 + (seat - facts[F_DEALER] & 3)
    round_wind = 27 + facts[F_KYOKU] // 4 % 4
    for kind in range(34):
        rows.counts[n, kind] = table.counts[seat, kind]
        rows.dora[n, kind] = table.shared.dora[kind]
        rows.reds[n, kind] = table.reds[seat, kind // 9] if kind < 27 and kind % 9 == 4 else 0
        rows.yakuhai[n, kind] = int(kind >= 31) + int(kind == own_wind) + int(kind == round_wind)
    rows.melds[n] = table.shared.meld_counts[seat]
    rows.discards[n] = tile >> 2


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


@kernel
def rank_rows(
    rows: Rows,
    weights: NDArray[np.float32],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    space: Space,
    ranks: NDArray[np.int64],
) -> None:
    """For each row, how many discards are preferred to the one made; of equal scores the lower kind is preferred."""
    for row in range(len(rows.discards)):
        score_row(rows, row, weights, words, merge, space)
        made = np.int64(rows.discards[row])
        better = 0
        for kind in range(34):
            if space.counts[kind] and kind != made:
                gap = space.scores[kind] - space.scores[made]
                better += int(gap > 0 or (gap == 0 and kind < made))
        ranks[row] = better


@kernel
def learn_rows(
    rows: Rows,
    order: NDArray[np.int64],
    step: int,
    weights: NDArray[np.float32],
    totals: NDArray[np.float64],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    space: Space,
) -> int:
    """Learn from rows in this order; how many were mistaken.

    After a mistake the weights of the discard made grow by one and those of the one preferred shrink. ``totals`` sums
    each change times the number of rows before it (``step`` before the first), from which the average follows.
    """
    mistakes = 0
    for place in range(len(order)):
        row = order[place]
        score_row(rows, row, weights, words, merge, space)
        made: int = np.int64(rows.discards[row])  # type: ignore[assignment]
        best = -1
        for kind in range(34):
            if space.counts[kind] and (best < 0 or space.scores[kind] > space.scores[best]):
                best = kind
        if best != made:
            mistakes += 1
            change(rows, row, made, 1.0, step + place, weights, totals, words, merge, space)
            change(rows, row, best, -1.0, step + place, weights, totals, words, merge, space)
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
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    space: Space,
) -> None:
    """Change the weights of the hand that a discard leaves."""
    score_discard(rows, row, kind, weights, words, merge, space)
    for place in range(len(space.active)):
        weights[space.active[place]] += by
        totals[space.active[place]] += by * step


@part
def score_row(
    rows: Rows,
    row: int,
    weights: NDArray[np.float32],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    space: Space,
) -> None:
    """Put the hand of a row, and the score after each discard, into ``space``."""
    for kind in range(34):
        space.counts[kind] = rows.counts[row, kind]
        space.yakuhai[kind] = rows.yakuhai[row, kind]
    for kind in range(34):
        if space.counts[kind]:
            space.scores[kind] = score_discard(rows, row, kind, weights, words, merge, space)


@part
def score_discard(
    rows: Rows,
    row: int,
    discard: int,
    weights: NDArray[np.float32],
    words: NDArray[np.uint32],
    merge: NDArray[np.uint8],
    space: Space,
) -> float:
    """The score of the hand in ``space`` after a discard."""
    space.counts[discard] -= 1
    bonus = 0
    for kind in range(34):
        copies = int(space.counts[kind])
        bonus += copies * int(rows.dora[row, kind]) + (int(rows.reds[row, kind]) if copies else 0)
    melds: int = np.int64(rows.melds[row])  # type: ignore[assignment]
    score = score_hand(space.counts, space.yakuhai, bonus, melds, weights, words, merge, space.active)
    space.counts[discard] += 1
    return score
