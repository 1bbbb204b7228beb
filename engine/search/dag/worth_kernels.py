"""What a win with so many han and fu is worth, and the expectation over han that are not known yet."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import kernel
from engine.scoring.pattern_kernels import WIN_TSUMO
from engine.scoring.point_kernels import base_points, han_of, popcount, total_points
from engine.scoring.win_kernels import FU_AT, YAKU_BITS, score_win
from engine.scoring.yaku_kernels import ALL_YAKUMAN

MOST_HAN = 40
FU_ROWS = 32
YAKUMAN_ROWS = 8
LOWEST, STEP = -100_000, 100


class Scorer(NamedTuple):
    """Tables of the scoring kernel, and what its answers are worth (see :func:`fill_worth`)."""

    words: NDArray[np.uint32]
    firsts: NDArray[np.uint16]
    readings: NDArray[np.int64]
    worth: NDArray[np.float64]
    worth_yakuman: NDArray[np.float64]


class Winner(NamedTuple):
    """A complete hand: concealed counts, packed melds, whether one is open."""

    counts: NDArray[np.uint8]
    melds: int
    is_open: bool


@kernel
def fill_worth(
    utility: NDArray[np.float64],
    dealer: bool,
    kiriage: bool,
    extra: int,
    worth: NDArray[np.float64],
    worth_yakuman: NDArray[np.float64],
) -> None:
    """Utility and points of every win, ``worth[tsumo, fu / 5, han]`` and ``worth_yakuman[tsumo, yakuman]``.

    ``extra`` is what the winner gets for counters and sticks; ``utility`` has a value a hundred points from LOWEST.
    """
    for tsumo in range(2):
        for fu in range(FU_ROWS):
            for han in range(MOST_HAN):
                base = base_points(han, 5 * fu, 0)
                if kiriage and base == 1920:
                    base = 2000
                points = total_points(base, dealer, tsumo == 1) + extra
                worth[tsumo, fu, han, 0] = utility[(points - LOWEST) // STEP]
                worth[tsumo, fu, han, 1] = points
        for number in range(YAKUMAN_ROWS):
            points = total_points(8000 * number, dealer, tsumo == 1) + extra
            worth_yakuman[tsumo, number, 0] = utility[min((points - LOWEST) // STEP, len(utility) - 1)]
            worth_yakuman[tsumo, number, 1] = points


@kernel
def spread(chances: NDArray[np.float64], most: int, hits: NDArray[np.float64], most_hits: int) -> int:
    """Add an independent number of han to the distribution ``chances``, hits[m] being the chance of m; the most."""
    for total in range(most + most_hits, -1, -1):
        chance = 0.0
        for m in range(max(0, total - most), min(most_hits, total) + 1):
            chance += hits[m] * chances[total - m]
        chances[total] = chance
    most += most_hits
    while most > 0 and chances[most] == 0.0:
        most -= 1
    return most


@kernel
def steady(scorer: Scorer, winner: Winner, win: int, flags: int, low: int, high: int) -> int:
    """The answer of the scoring kernel if it is the same with ``low`` and ``high`` extra han (so in between), or 0."""
    words, firsts, readings = scorer.words, scorer.firsts, scorer.readings
    answer = score_win(winner.counts, winner.melds, win, flags, low, words, firsts, readings)
    if answer and answer == score_win(winner.counts, winner.melds, win, flags, high, words, firsts, readings):
        return answer
    return 0


@kernel
def expect(
    scorer: Scorer,
    winner: Winner,
    win: int,
    flags: int,
    known: int,
    low: int,
    chances: NDArray[np.float64],
    most: int,
    more: int,
    leaf: NDArray[np.float32],
    column: int,
    at: int,
) -> bool:
    """Fill the columns from ``column`` on with 0 to ``more`` han besides the ``low`` + (0 to ``most``) of ``chances``.

    ``known`` is the answer of the scoring kernel where it is the same for all of them, else 0. False without a yaku.
    """
    words, firsts, readings = scorer.words, scorer.firsts, scorer.readings
    tsumo = 1 if flags & WIN_TSUMO else 0
    answer = known
    if not known:
        answer = score_win(winner.counts, winner.melds, win, flags, low, words, firsts, readings)
        if answer == 0:
            return False
    yakuman = popcount(answer & YAKU_BITS & ALL_YAKUMAN)
    if yakuman:
        for step in range(more + 1):
            leaf[column + step, at, 0] = scorer.worth_yakuman[tsumo, yakuman, 0]
            leaf[column + step, at, 1] = scorer.worth_yakuman[tsumo, yakuman, 1]
        return True
    same = known != 0 or most + more == 0
    if not same:
        high = low + most + more
        same = answer == score_win(winner.counts, winner.melds, win, flags, high, words, firsts, readings)
    for step in range(more + 1):
        utility = 0.0
        points = 0.0
        for extra in range(most + 1):
            bonus = low + extra + step
            best = answer
            if not same:
                best = score_win(winner.counts, winner.melds, win, flags, bonus, words, firsts, readings)
            han = min(han_of(best & YAKU_BITS, winner.is_open) + bonus, MOST_HAN - 1)
            utility += chances[extra] * scorer.worth[tsumo, best >> FU_AT, han, 0]
            points += chances[extra] * scorer.worth[tsumo, best >> FU_AT, han, 1]
        leaf[column + step, at, 0] = utility
        leaf[column + step, at, 1] = points
    return True
