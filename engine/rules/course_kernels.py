"""From one hand to the next: who deals, the number of honba, and when the game is over."""

import numpy as np
from numpy.typing import NDArray

from engine._jit import Array2, kernel, part
from engine.model.rules import RIICHI_STICK

OVER = -1
"""Answer of :func:`next_kyoku`: the game has ended."""


@part
def leader_of(scores: NDArray[np.int64]) -> int:
    """The seat with the most points, the earliest of those who have as many."""
    leader = 0
    for seat in range(1, 4):
        if scores[seat] > scores[leader]:
            leader = seat
    return leader


@kernel("course", seconds=0.3)
def next_kyoku(
    last_kyoku: int, return_points: int, kyoku: int, scores: NDArray[np.int64], dealer_stays: bool, aborted: bool
) -> int:
    """The number of the hand that follows, or OVER.

    The game ends when someone is below zero; after the last scheduled hand as soon as the leader has the return points,
    and at the latest after one more wind; and, although the dealer stays in those hands, when the dealer is the leader
    with the return points. After an abortive draw the hand is dealt again whatever the scores, unless someone is below
    zero.

    Args:
        last_kyoku: number of the last scheduled hand.
        return_points: of the rules.
        kyoku: number of the hand just played.
        scores: (4) after it.
        dealer_stays: whether the dealer won, or was tenpai at an exhaustive draw.
        aborted: whether nobody won and the wall was not played out.
    """
    for seat in range(4):
        if scores[seat] < 0:
            return OVER
    if aborted:
        return kyoku
    if kyoku >= last_kyoku:
        leader = leader_of(scores)
        reached = scores[leader] >= return_points
        if reached and (not dealer_stays or leader == kyoku % 4):
            return OVER
        if not dealer_stays and kyoku >= last_kyoku + 4:
            return OVER
    return kyoku if dealer_stays else kyoku + 1


@kernel("course", seconds=0.4)
def fill_next_kyoku(
    last_kyoku: NDArray[np.int64],
    return_points: int,
    kyoku: NDArray[np.int64],
    scores: Array2[np.int64],
    dealer_stays: NDArray[np.bool_],
    aborted: NDArray[np.bool_],
    after: NDArray[np.int64],
) -> None:
    """Write :func:`next_kyoku` of many hands, one a row, into ``after``."""
    for row in range(len(after)):
        after[row] = next_kyoku(
            last_kyoku[row], return_points, kyoku[row], scores[row], dealer_stays[row], aborted[row]
        )


@kernel("course", seconds=0.2)
def settle_sticks(scores: NDArray[np.int64], sticks: int) -> None:
    """Give the sticks that are left at the end of a game to the leader."""
    scores[leader_of(scores)] += RIICHI_STICK * sticks
