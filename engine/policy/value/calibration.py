"""Corrections of what a search states, fitted on how recorded hands ended and on playouts.

The search sees a part of what may become of a hand: exchanges of few tiles, two calls, waits discarded at mean rates.
In phoenix-room hanchan outside the held-back games, closed hands from 3-shanten on were won much more often than it
states, other closed hands slightly more often, and open hands as often. The corrected chance is::

    logit p' = shift + slope * logit p

and the value is corrected with it, with the same worth of a win and the same mean worth of all other ends::

    value' = p' * win + (1 - p') * (value - p * win) / (1 - p)

``oshihiki bench decisions`` plays hands on from recorded positions after either of two answers. Where results differ
from the stated values in a way that depends on little, the difference is added here:

* Calls late in the hand are worth more: they bring a hand to tenpai before an exhaustive draw, which closed hands reach
  less often than the search states.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from typing import Final

from engine.model.actions import CALLS, WINS, Action
from engine.search.evaluator import Evaluation, Worth
from engine.search.position import Position
from engine.search.stakes import Stakes

CLOSED: Final = (0.04, -0.08, -0.14, 0.20, 0.90)
"""Shift of closed hands by shanten before the action, the last for 4-shanten and further."""
CLOSED_SLOPE: Final = 0.81
"""Slope of closed hands."""
OPEN: Final = 0.14
"""Shift of open hands."""
OPEN_SLOPE: Final = 0.97
"""Slope of open hands."""
AGAINST: Final = {"closed": -0.43, "open": -0.38}
"""Further shift against a riichi. These five were fitted on 9,100 decisions of 1,000 recorded hanchan."""
LEAST: Final = 1e-4
"""Chances nearer than this to 0 or 1 stay as they are. Derived: such hands are decided."""


def calibrated(found: Evaluation, position: Position, stakes: Stakes) -> Evaluation:
    """The evaluation with corrected chances to win and values, best action first."""
    actions = [_corrected(worth, position, stakes) for worth in found.actions]
    return replace(found, actions=tuple(sorted(actions, key=lambda worth: -worth.value)))


def chance_to_win(stated: float, *, closed: bool, shanten: int, against: bool) -> float:
    """The corrected chance.

    Args:
        stated: the chance that the search states.
        closed: whether the hand is closed after the action.
        shanten: its shanten before the action.
        against: whether an opponent is in riichi.
    """
    if not LEAST < stated < 1.0 - LEAST:
        return stated
    shift = CLOSED[min(max(shanten, 0), len(CLOSED) - 1)] if closed else OPEN
    shift += AGAINST["closed" if closed else "open"] * against
    slope = CLOSED_SLOPE if closed else OPEN_SLOPE
    return 1.0 / (1.0 + exp(-shift - slope * log(stated / (1.0 - stated))))


def _corrected(worth: Worth, position: Position, stakes: Stakes) -> Worth:
    stated, points = worth.p_win, worth.win_points
    if stated is None or points is None or worth.choice.kind in WINS:
        return worth
    closed = position.closed and worth.choice.kind not in CALLS
    chance = chance_to_win(stated, closed=closed, shanten=position.shanten, against=position.riichi_against > 0)
    win = (stakes.win_worth(points, tsumo=True) + stakes.win_worth(points, tsumo=False)) / 2.0
    other = (worth.value - stated * win) / (1.0 - stated)
    return worth._replace(value=chance * win + (1.0 - chance) * other, p_win=chance)


LATE_CALL: Final = 550.0
"""Points by which a late call is worth more than stated, the margin included. Fitted on 54 decisions of validation
games (690 with a standard error of 130), and reduced because they are few."""
LATE: Final = 5
"""Own draws left up to which a call is late. Fitted likewise: with more, stated values and results agree."""


def correction(action: Action, position: Position) -> float:
    """Points to be added to the stated value of an action."""
    return LATE_CALL if action.kind in CALLS and position.draws_left <= LATE else 0.0
