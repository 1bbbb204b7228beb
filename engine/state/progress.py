"""From one hand to the next: who deals, the number of honba, and when the game is over."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model.rules import RIICHI_STICK, Rules
from engine.model.seats import by_score, dealer_of, four


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
    if min(scores) < 0:
        return None
    if aborted:
        return kyoku, honba + 1
    leader = by_score(scores)[0]
    if kyoku >= rules.last_kyoku:
        reached = scores[leader] >= rules.return_points
        if reached and (not dealer_stays or leader == dealer_of(kyoku)):
            return None
        if not dealer_stays and kyoku >= rules.last_kyoku + 4:
            return None
    return (kyoku if dealer_stays else kyoku + 1), (honba + 1 if dealer_stays or drawn else 0)


def final_scores(scores: Sequence[int], riichi_sticks: int) -> tuple[int, int, int, int]:
    """Points at the end of a game: riichi sticks left on the table go to the leader, the earlier seat in a tie."""
    result = list(scores)
    result[by_score(scores)[0]] += RIICHI_STICK * riichi_sticks
    return four(result)
