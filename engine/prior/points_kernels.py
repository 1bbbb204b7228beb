"""Points that a tenpai hand wins by another's tile, on average over its waits, for the inputs of the network."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine._jit import allocating_part, part
from engine.opponents.view_kernels import (
    F_DEALER,
    F_KYOKU,
    F_OWN_REDS,
    F_SEAT,
    M_KIND,
    M_LOW,
    M_REDS,
    View,
)
from engine.scoring.pattern_kernels import ROUND_AT, SEAT_AT, WIN_OPEN_TANYAO, WIN_RIICHI
from engine.scoring.win_kernels import (
    MELD_CHI,
    MELD_CLOSED_KAN,
    MELD_OPEN_KAN,
    MELD_PON,
    open_melds,
    points_of,
    score_win,
)


@allocating_part
def own_melds(view: View, totals: NDArray[np.uint8]) -> tuple[int, int]:
    """The viewer's melds packed for scoring, and the red fives in them; their tiles are counted into ``totals``."""
    seat = view.facts[F_SEAT]
    packed = 0
    reds = 0
    for at in range(view.meld_counts[seat] - 1, -1, -1):
        meld = view.melds[seat, at]
        low = int(meld[M_LOW])
        kind = int(meld[M_KIND])
        reds += int(meld[M_REDS])
        code = MELD_CHI
        if kind == 0:
            for tile in range(low, low + 3):
                totals[tile] += 1
        else:
            code = MELD_PON if kind == 1 else MELD_CLOSED_KAN if kind == 3 else MELD_OPEN_KAN
            totals[low] += 3 if kind == 1 else 4
        packed = packed << 8 | code << 6 | (low + 1)
    return packed, reds


@part
def mean_points(
    view: View,
    counts: NDArray[np.uint8],
    waits: int,
    packed: int,
    melded: NDArray[np.uint8],
    melded_reds: int,
    riichi: bool,
    words: NDArray[np.uint32],
    firsts: NDArray[np.uint16],
    readings: NDArray[np.int64],
) -> int:
    """Mean points of a ron over the waits, weighted by the copies not visible; honba aside, 0 for a win without yaku.

    Args:
        view: of the seat; its dora, winds and red fives count.
        counts: concealed tiles of the tenpai hand; changed on the way and put back.
        waits: bit set of kinds.
        packed: melds as :func:`own_melds` packs them.
        melded: (34,) tiles in the melds.
        melded_reds: red fives in the melds.
        riichi: the hand is won in riichi, without ippatsu and ura.
        words: table of shanten and scoring.
        firsts: table of scoring.
        readings: table of scoring.
    """
    facts = view.facts
    flags = (facts[F_SEAT] - facts[F_DEALER] & 3) << SEAT_AT | (facts[F_KYOKU] // 4 % 4) << ROUND_AT | WIN_OPEN_TANYAO
    if riichi:
        flags |= WIN_RIICHI
    bonus = melded_reds
    for suit in range(3):
        bonus += facts[F_OWN_REDS + suit] and counts[9 * suit + 4] > 0
    for kind in range(34):
        bonus += int(view.dora[kind]) * (int(counts[kind]) + int(melded[kind]))
    total = 0
    weight = 0
    for kind in range(34):
        if not waits >> kind & 1 or counts[kind] + melded[kind] >= 4:
            continue
        left = max(0, 4 - int(view.visible[kind]))
        counts[kind] += 1
        extra = bonus + int(view.dora[kind])
        answer = score_win(counts, packed, kind, flags, extra, words, firsts, readings)
        total += left * points_of(answer, open_melds(packed), flags, extra)
        weight += left
        counts[kind] -= 1
    return total // weight if weight else 0
