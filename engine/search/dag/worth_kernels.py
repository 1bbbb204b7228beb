"""What a win with so many han and fu is worth, and the expectation over han that are not known yet.

Example: two han and 30 fu by a ron are 2,000 points to a player who is not the dealer, three han 3,900. If one ura
indicator hits once with a chance of a tenth, the win is worth 0.9 * 2,000 + 0.1 * 3,900 = 2,190.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, Array3, Array4, Records, kernel, part
from engine.scoring.payment_kernels import base_points, total_points
from engine.scoring.win_kernels import FU_AT, YAKU_BITS
from engine.scoring.yaku_kernels import ALL_YAKUMAN, han_of, popcount
from engine.search.dag.answer_kernels import best_answer
from engine.shanten.table_kernels import HandTables

MOST_HAN = 40
FU_ROWS = 32
YAKUMAN_ROWS = 8


class Scorer(NamedTuple):
    """The tables of hands, and what its answers are worth.

    Attributes:
        tables: of hands.
        worth: ``[tsumo, fu / 5, han]``: utility and points of a win.
        worth_yakuman: ``[tsumo, yakuman]``: those of yakuman.
    """

    tables: Records[HandTables]
    worth: Array4[np.float64]
    worth_yakuman: Array3[np.float64]


@kernel("dag", seconds=1.0)
def fill_points(
    dealer: bool, kiriage: bool, extra: int, points: Array3[np.float64], points_yakuman: Array2[np.float64]
) -> None:
    """Points of every win, ``points[tsumo, fu / 5, han]`` and ``points_yakuman[tsumo, yakuman]``.

    ``extra`` is what the winner gets for honba and riichi sticks.
    """
    for tsumo in range(2):
        for fu in range(FU_ROWS):
            for han in range(MOST_HAN):
                base = base_points(han, 5 * fu, 0)
                if kiriage and base == 1920:
                    base = 2000
                points[tsumo, fu, han] = total_points(base, dealer, tsumo == 1) + extra
        for number in range(YAKUMAN_ROWS):
            points_yakuman[tsumo, number] = total_points(8000 * number, dealer, tsumo == 1) + extra


@part
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


class Bonus(NamedTuple):
    """Han besides those of a reading: ``low`` for certain, and 0 to ``most`` more with ``chances``."""

    low: int
    chances: NDArray[np.float64]
    most: int


@part
def expect(
    scorer: Scorer,
    answers: NDArray[np.int64],
    many: int,
    circumstances: int,
    is_open: bool,
    tsumo: int,
    bonus: Bonus,
    more: int,
    leaf: NDArray[np.float32],
    column: int,
    at: int,
) -> bool:
    """Fill the columns from ``column`` on with 0 to ``more`` han besides those of ``bonus``.

    ``answers`` are those of :func:`~engine.search.dag.answer_kernels.list_answers`, ``circumstances``
    yaku besides. False without a yaku.
    """
    best = best_answer(answers, many, circumstances, is_open, bonus.low)
    if best == 0:
        return False
    worth = scorer.worth
    yakuman = popcount(best & YAKU_BITS & ALL_YAKUMAN)
    if yakuman:
        for step in range(more + 1):
            leaf[column + step, at, 0] = scorer.worth_yakuman[tsumo, yakuman, 0]
            leaf[column + step, at, 1] = scorer.worth_yakuman[tsumo, yakuman, 1]
        return True
    for step in range(more + 1):
        utility = 0.0
        points = 0.0
        if many == 1:
            fu = best >> FU_AT
            han = han_of(best & YAKU_BITS, is_open) + bonus.low + step
            for extra in range(bonus.most + 1):
                utility += bonus.chances[extra] * worth[tsumo, fu, min(han + extra, MOST_HAN - 1), 0]
                points += bonus.chances[extra] * worth[tsumo, fu, min(han + extra, MOST_HAN - 1), 1]
        else:
            for extra in range(bonus.most + 1):
                besides = bonus.low + extra + step
                best = best_answer(answers, many, circumstances, is_open, besides)
                han = min(han_of(best & YAKU_BITS, is_open) + besides, MOST_HAN - 1)
                utility += bonus.chances[extra] * worth[tsumo, best >> FU_AT, han, 0]
                points += bonus.chances[extra] * worth[tsumo, best >> FU_AT, han, 1]
        leaf[column + step, at, 0] = utility
        leaf[column + step, at, 1] = points
    return True
