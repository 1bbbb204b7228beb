"""Recorded discards as rows for the perceptron, and the rule by which it learns from them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, kernel, part
from engine.model.tiles import DORA_AFTER
from engine.search.perceptron.input_kernels import score_hand
from engine.train.event_kernels import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DRAW,
    FIRST_AT,
    KAKAN,
    NEW_DORA,
    PON,
    SEAT_AT,
    SECOND_AT,
    THIRD_AT,
    TYPE,
)

_DORA_AFTER = np.array(DORA_AFTER, np.int64)

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


class Hands(NamedTuple):
    """A hand in play: what each seat holds, and what all see.

    Attributes:
        counts: (4, 34) concealed tiles.
        reds: (4, 34) whether the red five of the kind is held.
        dora: (1, 34) how many dora a tile of each kind is.
        winds: kinds of the seat winds by seat, and of the round wind.
        melds: int64[4], melds of each seat.
        riichi: int64[4], whether each seat has declared riichi.
    """

    counts: Array2[np.uint8]
    reds: Array2[np.uint8]
    dora: Array2[np.uint8]
    winds: NDArray[np.int64]
    melds: NDArray[np.int64]
    riichi: NDArray[np.int64]


@kernel
def collect_discards(
    hands: Hands,
    which: NDArray[np.int64],
    seats: NDArray[np.int64],
    kyoku: Array2[np.int32],
    dealt: Array2[np.uint8],
    events: NDArray[np.uint32],
    sampling: int,
    rows: Rows,
) -> int:
    """Play hands and write the discards of some seats as rows; the number of rows.

    Args:
        hands: any; it is cleared.
        which: rows of ``kyoku`` to play.
        seats: for each of them the seats whose discards are rows, as bits.
        kyoku: of the recordings.
        dealt: (4 hands, 13) of the recordings.
        events: of the recordings.
        sampling: QUIET or ANY.
        rows: where to write; it must have room for ``MOST_ROWS`` of each hand.
    """
    n = 0
    for place in range(len(which)):
        hand = which[place]
        deal(hands, kyoku, dealt, hand)
        drawn = False
        first = kyoku[hand, 6]
        for at in range(first, first + kyoku[hand, 7]):
            code: int = np.int64(events[at])  # type: ignore[assignment]
            what = code & TYPE
            seat = code >> SEAT_AT & 3
            tile = code >> FIRST_AT & 255
            if what == DRAW:
                move(hands, seat, tile, 1)
                drawn = True
            elif what == DISCARD:
                declared = 0
                for other in range(4):
                    declared += hands.riichi[other]
                quiet = declared == 0 and hands.melds[seat] == 0 and drawn
                if seats[place] >> seat & 1 and (quiet or (sampling == ANY and not hands.riichi[seat])):
                    write_row(hands, seat, tile, rows, n)
                    n += 1
                move(hands, seat, tile, -1)
                if code >> SECOND_AT & 2:
                    hands.riichi[seat] = 1
                drawn = False
            elif what == NEW_DORA:
                hands.dora[0, _DORA_AFTER[tile >> 2]] += 1
            elif CHI <= what <= KAKAN:
                call(hands, code, what, seat)
    return n


@part
def deal(hands: Hands, kyoku: Array2[np.int32], dealt: Array2[np.uint8], hand: int) -> None:
    """Begin a hand."""
    for kind in range(34):
        hands.dora[0, kind] = 0
        for seat in range(4):
            hands.counts[seat, kind] = 0
            hands.reds[seat, kind] = 0
    hands.dora[0, _DORA_AFTER[kyoku[hand, 5] >> 2]] += 1
    hands.winds[4] = 27 + kyoku[hand, 1] // 4 % 4
    for seat in range(4):
        hands.winds[seat] = 27 + (seat - kyoku[hand, 4] & 3)
        hands.melds[seat] = 0
        hands.riichi[seat] = 0
        for place in range(13):
            tile: int = np.int64(dealt[4 * hand + seat, place])  # type: ignore[assignment]
            move(hands, seat, tile, 1)


@part
def move(hands: Hands, seat: int, tile: int, copies: int) -> None:
    """Add a ``tile136`` to a hand, or with -1 remove it."""
    hands.counts[seat, tile >> 2] += copies
    if tile in (16, 52, 88):
        hands.reds[seat, tile >> 2] += copies


@part
def call(hands: Hands, code: int, what: int, seat: int) -> None:
    """Make a meld."""
    tile = code >> FIRST_AT & 255
    if what in (CHI, PON):
        for own in (code >> SECOND_AT & 255, code >> THIRD_AT & 255):
            move(hands, seat, own, -1)
    elif what == KAKAN:
        move(hands, seat, tile, -1)
    elif what in (ANKAN, DAIMINKAN):
        hands.counts[seat, tile >> 2] = 0
        hands.reds[seat, tile >> 2] = 0
    if what != KAKAN:
        hands.melds[seat] += 1


@part
def write_row(hands: Hands, seat: int, tile: int, rows: Rows, n: int) -> None:
    """Write the discard that a seat is about to make."""
    for kind in range(34):
        rows.counts[n, kind] = hands.counts[seat, kind]
        rows.dora[n, kind] = hands.dora[0, kind]
        rows.reds[n, kind] = hands.reds[seat, kind]
        rows.yakuhai[n, kind] = int(kind >= 31) + int(kind == hands.winds[seat]) + int(kind == hands.winds[4])
    rows.melds[n] = hands.melds[seat]
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
