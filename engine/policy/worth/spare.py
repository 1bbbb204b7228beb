"""What the search does not see of a tile that is held back: what it will risk, and what it may yet become.

The search charges a later discard what it risks *now*, and while nobody is tenpai that is next to nothing; and from
2-shanten on it knows but the likeliest ways to a win, in most of which a tile that fits nothing is just thrown away. To
it such tiles are alike, so which of them goes would hang on chance. Two things tell them apart, both small:

* Somebody may become tenpai while the tile is still held. It then risks what it would if every opponent were tenpai,
  and some of the time it has to be thrown: a safe tile is worth keeping.
* With draws to spare it may find a partner: a number tile a neighbour, a dragon or wind of value its like.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import HONOURS, KINDS
from engine.opponents.danger import Danger

Floats = NDArray[np.float64]

THROWN_LATER: Final = 0.06
"""How often a tile held back is thrown to somebody tenpai after all."""
SPARE_FROM: Final = 7.5
"""Own draws that a hand needs for itself: those beyond may bring partners."""
BLOCK: Final = 30.0
"""Points that the beginning of a run is worth to a far hand."""
TRIPLET: Final = 80.0
"""Points that a pair of a kind of value is, where two more of it are unseen; where one is, half."""
FAR: Final = 2
"""Shanten from which partners are wanted: a nearer hand has its blocks."""

_NEXT: Final = np.array(
    [
        [1.0 if gap == 1 else 0.5 if gap == 2 else 0.0 for gap in (abs(kind - other) for other in range(KINDS))]
        if kind < HONOURS
        else [0.0] * KINDS
        for kind in range(KINDS)
    ]
) * np.equal.outer(np.arange(KINDS) // 9, np.arange(KINDS) // 9)
"""float64[34, 34]: how good a partner the second kind is to the first, for a run."""


def later_risk(danger: Danger, viewer: int) -> Floats:
    """float64[34]: points that a discard of each kind would cost on average against an opponent that is tenpai."""
    others = [seat for seat in range(len(danger.p_tenpai)) if seat != viewer]
    tenpai = np.maximum(danger.p_tenpai[others].astype(np.float64), 1e-9)
    chances = np.minimum(danger.p_deal_in[others] / tenpai[:, None], 1.0)
    return np.asarray((chances * danger.loss[others].mean(axis=1)[:, None]).mean(axis=0))


def spare_worths(
    held34: Sequence[int],
    unseen34: Sequence[int],
    of_value: Sequence[int],
    risk: Floats,
    draws_left: int,
    shanten: int,
) -> Floats:
    """float64[34]: points that holding one tile of each kind back is worth, over holding the average tile of the hand.

    So a kan, which throws none of them, is not set back by what they are worth. Nothing at tenpai, where a tile that
    is not part of the hand cannot be held.

    Args:
        held34: concealed tiles by ``tile34``, the one to be thrown among them.
        unseen34: copies not seen, by ``tile34``.
        of_value: han of a triplet of the kind, by ``tile34``.
        risk: :func:`later_risk`.
        draws_left: own draws to come.
        shanten: of the hand.
    """
    if shanten < 1:
        return np.zeros(KINDS)
    held = np.array(held34, np.float64)
    worth = -THROWN_LATER * risk
    spare = draws_left - SPARE_FROM
    if shanten >= FAR and spare > 0:
        unseen = np.array(unseen34, np.float64)
        pairs = unseen * (unseen - 1.0) / 2.0 * (np.array(of_value) > 0)
        partners = BLOCK * (_NEXT @ unseen) + TRIPLET * pairs
        worth += spare * (held == 1.0) * partners / max(float(unseen.sum()), 1.0)
    return np.asarray(worth - float(held @ worth) / float(held.sum()))
