"""What a complete hand that has been thought of is worth."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine._jit import Records, part
from engine.scoring.win_kernels import best_win, points_of
from engine.shanten.table_kernels import HandTables


class Circumstances(NamedTuple):
    """What a win depends on besides its concealed tiles.

    Attributes:
        melds: as :mod:`engine.scoring.win_kernels` packs them.
        sets: number of sets to make of concealed tiles.
        flags: winds and rules, as WIN_ bits.
        closed: whether the hand is closed.
        bonus: dora and red fives in the melds.
        extra: points that the winner gets for honba and riichi sticks.
        dora: for each ``tile34``, how many dora a tile of it is.
        reds: for each ``tile34``, whether the red five of it is concealed in the hand.
        tables: the tables of hands.
    """

    melds: int
    sets: int
    flags: int
    closed: bool
    bonus: int
    extra: int
    dora: NDArray[np.int64]
    reds: NDArray[np.int64]
    tables: Records[HandTables]


@part
def win_points(need: NDArray[np.uint8], win: int, more: int, table: Circumstances) -> int:
    """Points of a win on ``win`` with the concealed tiles ``need``, the winning one included; 0 without a yaku.

    It is a ron without riichi unless ``more``, WIN_ bits, says otherwise.
    """
    bonus = table.bonus
    for kind in range(34):
        copies: int = np.int64(need[kind])  # type: ignore[assignment]  # int() of a byte would be unsigned
        if copies:
            bonus += copies * table.dora[kind] + table.reds[kind]
    flags = table.flags | more
    answer = best_win(need, table.melds, win, flags, bonus, table.tables[0])
    points = points_of(answer, not table.closed, flags, bonus)
    return points + table.extra if points else 0


@part
def choices(unseen: int, wanted: int) -> float:
    """Number of ways to choose ``wanted`` (at most four) of ``unseen`` copies."""
    if wanted == 0:
        return 1.0
    if wanted == 1:
        return float(unseen)
    if wanted == 2:
        return unseen * (unseen - 1) / 2.0
    if wanted == 3:
        return unseen * (unseen - 1) * (unseen - 2) / 6.0
    return unseen * (unseen - 1) * (unseen - 2) * (unseen - 3) / 24.0
