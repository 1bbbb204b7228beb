"""The value of keeping a tile.

The search charges a later discard with its *present* danger, which is almost nothing while nobody is tenpai; and from
2-shanten on it knows only the likeliest ways to a win, in most of which an isolated tile is simply discarded. It cannot
distinguish such tiles, and noise would decide between them. Two small amounts distinguish them:

* Somebody may become tenpai while the tile is still held. Its danger is then that against tenpai opponents, and
  sometimes it has to be discarded: a safe tile is worth keeping.
* With draws to spare the tile may find a partner: a number tile a neighbour, a value honour its pair.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import HONOURS, KINDS
from engine.opponents.danger import Danger

Floats = NDArray[np.float64]

DISCARDED_LATER: Final = 0.06
"""Chance that a kept tile is discarded against a tenpai opponent after all. A guess."""
DRAWS_NEEDED: Final = 7.5
"""Own draws that a hand needs for its own progress; only those beyond may bring partners. A guess."""
RUN_POINTS: Final = 30.0
"""Points that the beginning of a run is worth to a far hand. A guess."""
PAIR_POINTS: Final = 80.0
"""Points that the pair of a value honour is worth to a far hand. A guess."""
FAR_SHANTEN: Final = 2
"""Lowest shanten at which partners count; a nearer hand has its blocks. A guess."""

_NEIGHBOURS: Final = np.array(
    [
        [1.0 if gap == 1 else 0.5 if gap == 2 else 0.0 for gap in (abs(kind - other) for other in range(KINDS))]
        if kind < HONOURS
        else [0.0] * KINDS
        for kind in range(KINDS)
    ]
) * np.equal.outer(np.arange(KINDS) // 9, np.arange(KINDS) // 9)
"""float64[34, 34]: value of the second kind as a partner of the first in a run: 1 next to it, 0.5 two away. A guess."""


def later_risk(danger: Danger, viewer: int) -> Floats:
    """float64[34]: mean points that a discard of each kind would cost against an opponent who is tenpai."""
    others = [seat for seat in range(len(danger.p_tenpai)) if seat != viewer]
    tenpai = np.maximum(danger.p_tenpai[others].astype(np.float64), 1e-9)
    chances = np.minimum(danger.p_deal_in[others] / tenpai[:, None], 1.0)
    return np.asarray((chances * danger.loss[others].mean(axis=1)[:, None]).mean(axis=0))


def keep_values(
    held34: Sequence[int],
    unseen34: Sequence[int],
    of_value: Sequence[int],
    risk: Floats,
    draws_left: int,
    shanten: int,
) -> Floats:
    """float64[34]: points that keeping a tile of each kind is worth, relative to the average tile of the hand.

    Because the values are relative, a kan, which discards none of the tiles, is not put at a disadvantage. At tenpai
    they are 0, because every tile outside the hand is discarded.

    Args:
        held34: concealed tiles by ``tile34``, including the one to be discarded.
        unseen34: number of unseen copies, by ``tile34``.
        of_value: han of a triplet of the kind, by ``tile34``.
        risk: result of :func:`later_risk`.
        draws_left: number of own draws to come.
        shanten: shanten of the hand.
    """
    if shanten < 1:
        return np.zeros(KINDS)
    held = np.array(held34, np.float64)
    worth = -DISCARDED_LATER * risk
    spare = draws_left - DRAWS_NEEDED
    if shanten >= FAR_SHANTEN and spare > 0:
        unseen = np.array(unseen34, np.float64)
        pairs = unseen * (unseen - 1.0) / 2.0 * (np.array(of_value) > 0)
        partners = RUN_POINTS * (_NEIGHBOURS @ unseen) + PAIR_POINTS * pairs
        worth += spare * (held == 1.0) * partners / max(float(unseen.sum()), 1.0)
    return np.asarray(worth - float(held @ worth) / float(held.sum()))
