"""The chances of closed hands as recorded hands bear them out, where those of the search do not come true.

Worths are left alone, because they come true: what early closed hands win more often than the search states, they lose
by dealing in more often (docs/lab/chances.md). Only the parts of a worth move.
"""

from math import exp, log
from typing import Final

from engine.search.evaluator import Worth

CLOSED_DEALS_IN: Final = 1.3
"""Factor on the chance that each later discard of a closed hand deals in, which is stated of the hand as it stands: by
then it may be in riichi, and then it is not given up. With it 7,175 closed hands of recordings that were not held back
are stated to deal in as often as they did, in 13.5%, without it in 11.4%."""
WINS_BY_DRAW: Final = 0.03
"""Log odds by which a closed hand one or two away is won more often for each own draw left beyond
:data:`DRAWS_AS_STATED`: with time it improves in ways that the search does not list. Fitted on 9,592 such hands of
recordings that were not held back: 0.029 with a standard error of 0.012."""
DRAWS_AS_STATED: Final = 10.5
"""Own draws left with which such hands are won as often as the search states. Fitted with it."""
CORRECTED: Final = (1, 2)
"""Distances from a win for which this was fitted. Tenpai hands come true, and open ones; farther ones are won more
often than stated, too, but nothing was fitted on them."""


def won_as_recorded(worth: Worth, shanten: int, draws_left: int) -> Worth:
    """The worth of a closed hand, not in riichi, with the chance to win at which such hands were won.

    Args:
        worth: the worth that the search states.
        shanten: shanten after the action.
        draws_left: own draws left.
    """
    stated = worth.p_win
    if shanten not in CORRECTED or not stated or stated >= 1.0:
        return worth
    odds = log(stated / (1.0 - stated)) + WINS_BY_DRAW * (draws_left - DRAWS_AS_STATED)
    found = 1.0 / (1.0 + exp(-odds))
    by_draws = tuple([min(chance * found / stated, 1.0) for chance in worth.p_win_by_draws])
    return worth._replace(p_win=found, p_win_by_draws=by_draws)
