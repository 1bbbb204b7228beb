"""The chance that a hand deals in later: what a riichi risks because it must discard whatever it draws."""

from __future__ import annotations

from engine.search.evaluator import Worth
from engine.search.stakes import Stakes


def deals_in_later(worth: Worth, stakes: Stakes, *, riichi: bool) -> float | None:
    """The chance, 0-1, to deal in with a later discard if the hand is played on to its end; None if it is not known.

    It follows the hand from go-around to go-around: the hand wins, with the chance by which the evaluator's chance to
    win falls from one draw to the next; or the drawn tile is discarded and deals in; or another player ends the hand.

    Args:
        worth: the worth of the action, with its chance to win by the draws left.
        stakes: the stakes that it was evaluated with.
        riichi: whether the hand is in riichi from then on.
    """
    chances, own = worth.p_win_by_draws, int(riichi)
    if len(chances) < 2 or not stakes.survive:
        return None
    hazard, survive = stakes.hazard[own], stakes.survive[own]
    alive, dealt_in = 1.0, 0.0
    for left in range(len(chances) - 1, 0, -1):
        lasts = survive[min(left, len(survive) - 1)]
        rest = lasts * chances[left - 1]
        wins = min(max((chances[left] - rest) / (1.0 - rest), 0.0), 1.0) if rest < 1.0 else 1.0
        danger = hazard[min(left, len(hazard) - 1)]
        alive *= 1.0 - wins
        dealt_in += alive * danger
        alive *= (1.0 - danger) * lasts
    return dealt_in
