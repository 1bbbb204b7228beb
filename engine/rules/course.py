"""The hand that follows a hand, and the points at the end of a game."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import Rules
from engine.model.seats import four
from engine.rules.course_kernels import OVER, fill_next_kyoku, next_kyoku, settle_sticks

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def next_hand(
    rules: Rules,
    kyoku: int,
    honba: int,
    scores: Sequence[int],
    *,
    dealer_stays: bool,
    drawn: bool,
    aborted: bool = False,
) -> tuple[int, int] | None:
    """The (kyoku, honba) that follows a hand, or None if the game is over.

    The game ends when someone is below zero; after the last scheduled hand as soon as the leader has the return points,
    and at the latest after one more wind; and, although the dealer stays in those hands, when the dealer is the leader
    with the return points. After an abortive draw the hand is dealt again whatever the scores, unless someone is below
    zero.

    Args:
        rules: rules of the table.
        kyoku: number of the hand just played.
        honba: honba of the hand just played.
        scores: points after the hand, by seat.
        dealer_stays: whether the dealer won, or was tenpai at an exhaustive draw.
        drawn: whether nobody won.
        aborted: whether nobody won and the wall was not played out.
    """
    after = next_kyoku(rules.last_kyoku, rules.return_points, kyoku, np.array(scores, np.int64), dealer_stays, aborted)
    return None if after == OVER else (after, honba + 1 if dealer_stays or drawn else 0)


def next_hands(
    last_kyoku: Numbers,
    return_points: int,
    kyoku: Numbers,
    honba: Numbers,
    scores: Numbers,
    *,
    dealer_stays: Flags,
    drawn: Flags,
    aborted: Flags,
) -> tuple[Numbers, Numbers]:
    """(kyoku, honba) that follow each of n hands, kyoku OVER where the game has ended; see :func:`next_hand`.

    All are (n,), but ``return_points`` and ``scores`` (n, 4).
    """
    after = np.empty(len(kyoku), np.int64)
    fill_next_kyoku(last_kyoku, return_points, kyoku, scores, dealer_stays, aborted, after)
    return after, np.where(dealer_stays | drawn, honba + 1, 0)


def final_scores(scores: Sequence[int], riichi_sticks: int) -> tuple[int, int, int, int]:
    """Points at the end of a game: riichi sticks left on the table go to the leader, the earlier seat in a tie."""
    result = np.array(scores, np.int64)
    settle_sticks(result, riichi_sticks)
    return four(result.tolist())
