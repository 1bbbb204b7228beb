"""What the others will do as the hand goes on: how dangerous they become, and what they still throw.

*Danger* is the mean chance that an unseen tile, thrown, deals in. What it is now the estimator says; how it grows is a
curve fitted on 400 recorded games (those not held back), for players not in riichi: whatever it is now, by the number
of opponents in riichi, within half a point (root mean square, over all later turns of a hand that goes on)::

    m(d - 1) = m(d) + top / (1 + exp((d - HALF) / WIDTH)) * (1 - m(d) / cap)        d own draws left
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GROWTH: Final = ((0.015, 0.14), (0.007, 0.20), (0.009, 0.20))
"""(top, cap) by how many opponents are in riichi: none, one, more."""
HALF, WIDTH = 12.0, 1.5
"""Of a table without riichi: with more draws left next to nobody is tenpai."""

FEED_DRAWS: Final = (2.0, 6.5, 11.0)
FEEDS: Final = {
    "silent": ((0.57, 0.85, 1.00), (0.56, 0.69, 0.74)),
    "open": ((0.36, 0.59, 0.75), (0.43, 0.51, 0.50)),
    "riichi": ((0.22, 0.44, 0.58), (0.40, 0.60, 0.72)),
}
"""How often others throw what a tenpai hand waits for, over the fitted rates of all tiles, with 2, 6.5 and 11 own draws
left: while nobody else is in riichi, and while somebody is. Counted on 138 000 tenpai turns of 2 400 recorded games
(not those held back), only waits that have a yaku; that a wait is also drawn less often than its share of the unseen
(0.85 times: others hold it) is in it. ``silent`` hands are closed and not in riichi: nobody knows of them."""
TO_OPEN: Final = 0.5
"""How many of the closed hands that are not tenpai yet will be open when they are, of those not in riichi then."""
CLAIM_FEEDS: Final = (0.75, 0.85, 0.93)
"""The same of what a hand could call, that is not tenpai: chi 1.0 all along, pon 0.8 falling to 0.5."""
CLAIMS: Final = (0.0, 0.0, 0.3)
"""How far a hand 0, 1, 2 or more from tenpai lives on what it calls, rather than on what it waits for."""
OPEN_BOOK: Final = 0.7
"""Of those the share for a hand with three melds or more: everybody sees what it wants."""


def dangers_ahead(now: float, draws_left: int, riichi_against: int) -> Floats:
    """float64[d]: mean danger expected when ``d`` own draws are left, ``d`` up to ``draws_left``.

    Args:
        now: mean danger with ``draws_left``.
        draws_left: own draws to come.
        riichi_against: opponents in riichi.
    """
    top, cap = GROWTH[min(riichi_against, len(GROWTH) - 1)]
    result = np.empty(draws_left + 1)
    danger = now
    for left in range(draws_left, -1, -1):
        result[left] = danger
        pace = top if riichi_against else top / (1.0 + math.exp((left - HALF) / WIDTH))
        danger += pace * max(0.0, 1.0 - danger / cap)
    return result


def feeds_ahead(draws_left: int, riichi_against: int, called: int, shanten: int) -> tuple[Floats, Floats]:
    """float64[d], not in riichi and in riichi: how often others throw what the hand wants, over the fitted rates.

    Args:
        draws_left: own draws to come.
        riichi_against: opponents in riichi.
        called: own melds that were called.
        shanten: of the hand.
    """
    turns = np.arange(draws_left + 1, dtype=np.float64)
    against = int(riichi_against > 0)
    opened = 1.0 if called else TO_OPEN if shanten > 0 else 0.0
    waits = opened * np.interp(turns, FEED_DRAWS, FEEDS["open"][against])
    waits += (1.0 - opened) * np.interp(turns, FEED_DRAWS, FEEDS["silent"][against])
    waits *= OPEN_BOOK if called >= 3 else 1.0
    share = CLAIMS[min(max(shanten, 0), len(CLAIMS) - 1)]
    silent = (1.0 - share) * waits + share * np.interp(turns, FEED_DRAWS, CLAIM_FEEDS)
    return silent, np.interp(turns, FEED_DRAWS, FEEDS["riichi"][against])
