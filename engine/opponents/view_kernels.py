"""One seat's view of a hand as plain arrays: what the danger model's features are read from.

In play :func:`engine.opponents.view.view_of` fills them from a state; in training the kernels of ``engine.train`` fill
the same arrays while they play a recording. Seats are absolute, kinds ``tile34``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array3, kernel

RIVER_MOST = 32
"""Discards of a seat that are kept; no hand has as many."""

R_KIND, R_FLAGS, R_ORDER = range(3)
"""Last axis of ``rivers``: kind; R_ bits below; number of the discard in the hand, 0 the first, -1 not known."""
R_TSUMOGIRI, R_RIICHI, R_CALLED = 1, 2, 4

M_KIND, M_LOW, M_CALLED, M_FROM, M_ORDER, M_REDS = range(6)
"""Last axis of ``melds``: ``MeldKind``; lowest kind; kind called, -1 for an ankan; seat it came from; number of the
discard called, -1 not known or none; red fives in it."""

F_SEAT, F_DEALER, F_KYOKU, F_LAST_KYOKU, F_HONBA, F_STICKS, F_WALL, F_INDICATORS = range(8)
"""``facts``: the viewer, the dealer, index of the hand and of the last scheduled one, counters, riichi sticks, tiles
left in the live wall, dora indicators turned."""
F_SCORES, F_RIICHI, F_IPPATSU, F_REDS, F_OWN_REDS = 8, 12, 16, 20, 23
"""By seat: points; 0 none, 1 riichi, 2 double riichi; 0 or 1. By suit: 1 when the viewer sees the red five; 1 when
it holds it concealed."""
FACTS = 26


RIICHI, OPEN, CLOSED = range(3)
"""Stances: a player has declared riichi; has called; neither (closed kans do not open a hand)."""

_ANKAN = 3
"""``MeldKind.ANKAN``."""


class View(NamedTuple):
    """The arrays.

    Attributes:
        rivers: (4, RIVER_MOST, 3) int16, see the R_ names; called tiles included.
        lengths: (4,) int64, discards of each seat.
        melds: (4, 4, 6) int16, see the M_ names.
        meld_counts: (4,) int64.
        visible: (34,) uint8, copies the viewer sees anywhere.
        hand: (34,) uint8, copies the viewer holds concealed.
        dora: (34,) uint8, how many times each kind is dora.
        facts: (FACTS,) int64, see the F_ names.
    """

    rivers: Array3[np.int16]
    lengths: NDArray[np.int64]
    melds: Array3[np.int16]
    meld_counts: NDArray[np.int64]
    visible: NDArray[np.uint8]
    hand: NDArray[np.uint8]
    dora: NDArray[np.uint8]
    facts: NDArray[np.int64]


@kernel
def stance_of(view: View, seat: int) -> int:
    """``RIICHI``, ``OPEN`` or ``CLOSED``."""
    if view.facts[F_RIICHI + seat]:
        return RIICHI
    for at in range(view.meld_counts[seat]):
        if view.melds[seat, at, M_KIND] != _ANKAN:
            return OPEN
    return CLOSED
