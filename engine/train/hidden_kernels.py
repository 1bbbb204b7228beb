"""Recorded moments as rows to learn hidden hands from: what a seat saw, and what the others held."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Records, allocating_kernel
from engine.imitation import layout_kernels as layout
from engine.imitation.input_kernels import ask_nothing, write_inputs_of
from engine.rules.code_kernels import DISCARD
from engine.rules.moment_kernels import Games, Moments, play_hand
from engine.rules.random_kernels import mix
from engine.rules.table_kernels import DISCARDED, stance_of, waits_of
from engine.shanten.table_kernels import HandTables

V_HAND, V_NUMBER, V_SEAT = range(3)
"""Columns of ``Views.info``: row of the recordings' ``kyoku``; number of the next event in the hand; who looks."""
VIEW_INFO = 3
MOST_VIEWS = 200
"""Rows of one hand at most."""


class Views(NamedTuple):
    """Rows side by side; n of them. The others are counted from the one on the right.

    Attributes:
        planes: (n, 34, PLANES) uint8, the inputs of the imitating network without a question.
        numbers: (n, GLOBALS) uint8.
        hidden: (n, 3, 34) uint8, what the others held concealed.
        waits: (n, 3) int64, bit sets of the kinds that completed their hands.
        stances: (n, 3) int64, see :func:`engine.rules.table_kernels.stance_of`.
        info: (n, VIEW_INFO) int32, see the V_ names.
    """

    planes: Array3[np.uint8]
    numbers: Array2[np.uint8]
    hidden: Array3[np.uint8]
    waits: Array2[np.int64]
    stances: Array2[np.int64]
    info: Array2[np.int32]


@allocating_kernel()
def collect_views(
    games: Games,
    which: NDArray[np.int64],
    share: int,
    seed: int,
    tables: Records[HandTables],
    moments: Moments,
    rows: Views,
) -> tuple[int, int]:
    """Play hands and write rows until the rows are full or the hands are through.

    A row is a seat that is about to discard, or another than the one that has just discarded.

    Args:
        games: the recordings.
        which: rows of ``kyoku`` to play, in this order.
        share: of 1 000 000 moments so many are kept.
        seed: of the choice.
        tables: the tables of hands.
        moments: room for those of one hand.
        rows: where to write.

    Returns:
        How many rows were written, and how many hands were played whole.
    """
    n = 0
    full = len(rows.planes) - MOST_VIEWS
    question = np.empty(layout.QUESTION, np.int64)
    ask_nothing(question)
    for done in range(len(which)):
        if n > full:
            return n, done
        hand = which[done]
        for at in range(play_hand(games, hand, 1 << DISCARD, 1 << DISCARD, tables[0], moments, 0)):
            moment = moments.records[at]
            random = mix(seed, (hand << 10) + moment.number)
            if random % 1000000 >= share:
                continue
            viewer = moment.turn
            if moment.phase == DISCARDED:
                viewer = (moment.turn + 1 + mix(random, 1) % 3) & 3
            write_inputs_of(moment, viewer, question, tables[0], rows.planes[n], rows.numbers[n])
            for away in range(1, 4):
                seat = (viewer + away) & 3
                for kind in range(34):
                    rows.hidden[n, away - 1, kind] = moment.counts[seat, kind]
                rows.waits[n, away - 1] = moment.waits[seat]
                rows.stances[n, away - 1] = stance_of(moment, seat)
            info = rows.info[n]
            info[V_HAND], info[V_NUMBER], info[V_SEAT] = moment.row, moment.number, viewer
            n += 1
    return n, len(which)


@allocating_kernel()
def fill_waits(hands: Array3[np.uint8], tables: Records[HandTables], waits: Array2[np.int64]) -> None:
    """Fill ``waits`` (n, 3), bit sets of the kinds that complete the hands (n, 3, 34)."""
    for at in range(len(hands)):
        for one in range(3):
            tiles = 0
            for kind in range(34):
                tiles += int(hands[at, one, kind])
            waits[at, one] = waits_of(hands[at, one], (13 - tiles) // 3, tables[0])
