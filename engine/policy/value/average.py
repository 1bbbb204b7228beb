"""The forecast of a hand at an average table, for ``tiles=average``, the setting of ``value-3``.

It knows the table only by the number of riichi, the danger estimate and the own draws left. Tiles come at the fitted
rates of all tables, times ratios that were counted by stance and turn.

*Danger* is the mean chance that an unseen tile, discarded, deals in. The estimator gives its present value; its growth
is a curve, by the number of opponents in riichi, fitted on 400 recorded games (none of them held back) for players not
in riichi. Its root mean square error over all later turns is half a percentage point::

    m(d - 1) = m(d) + top / (1 + exp((d - HALF) / WIDTH)) * (1 - m(d) / cap)        d own draws left
"""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.policy.value.forecast import ByDraws, Forecast
from engine.policy.value.risks import Risks
from engine.search.discard_tables import discard_tables
from engine.search.position import Position

Floats = NDArray[np.float64]

DEAL_IN_RATIO: Final = 0.5
"""Chance that a hand not in riichi deals in at a discard, relative to the mean danger of that turn: it is lower because
the player chooses the tile, and because the dangerous tiles are partly in other hands. Counted on tenpai hands of
recorded games: 0.5 to 0.7."""
DEAL_IN_RATIO_RIICHI: Final = (0.5, 0.9)
"""The same for a hand in riichi, which discards what it draws: while the others fold, and once one of them is in
riichi too. Counted on recorded games."""

GROWTH: Final = ((0.015, 0.14), (0.007, 0.20), (0.009, 0.20))
"""(top, cap) of the curve by the number of opponents in riichi: none, one, more. Fitted."""
HALF, WIDTH = 12.0, 1.5
"""Own draws left at which danger starts to grow while nobody is in riichi, and over how many draws. Fitted."""

RATIO_DRAWS: Final = (2.0, 6.5, 11.0)
"""Own draws left for which the ratios below hold. Derived: means of the groups that were counted."""
WAIT_RATIOS: Final = {
    "silent": ((0.57, 0.85, 1.00), (0.56, 0.69, 0.74)),
    "open": ((0.36, 0.59, 0.75), (0.43, 0.51, 0.50)),
    "riichi": ((0.22, 0.44, 0.58), (0.40, 0.60, 0.72)),
}
"""How often the others discard a tile that a tenpai hand waits for, relative to the fitted rates of all tiles, with 2,
6.5 and 11 own draws left: while nobody else is in riichi, and while somebody is. Counted on 138,000 tenpai turns of
2,400 recorded games (none of them held back), only waits with a yaku. They include that a wait is drawn 0.85 times as
often as its share of the unseen tiles, because others hold it. ``silent`` hands are closed and not in riichi."""
OPEN_LATER: Final = 0.5
"""Share of the hands, closed and not tenpai now and not in riichi later, that are open once they are tenpai. A
guess."""
CALL_RATIOS: Final = (0.75, 0.85, 0.93)
"""The same ratio for tiles that a hand which is not tenpai could call. Counted: chi 1.0 throughout, pon 0.8 falling to
0.5."""
CALL_SHARES: Final = (0.0, 0.0, 0.3)
"""Weight of the ratio of calls against that of waits, by shanten: 0, 1, 2 or more. A guess."""
THREE_MELDS: Final = 0.7
"""Factor on the ratios of a hand with three melds or more, whose waits are easy to read. Counted on the same games."""

RIICHI_GROUPS: Final = (4, 7, 10, 18)
"""Ends of the groups of own draws left for which the figures of riichi below were counted. Derived: four groups."""
RIICHI_AT: Final = (1.7, 5.1, 8.0, 11.2)
"""Mean number of own draws left in each group. Counted."""
RIICHI_WAITS: Final = ((0.33, 0.45, 0.56, 0.60), (0.59, 0.74, 0.77, 0.72))
"""How often the others discard what a hand in riichi waits for, relative to the fitted rates of all tiles, while nobody
else is in riichi, and while somebody is. Counted by ``oshihiki train constants`` on 5,000 training games."""
RIICHI_DRAWS: Final = ((0.73, 0.77, 0.87, 0.82), (0.69, 0.77, 0.89, 0.90))
"""How often a hand in riichi draws a tile it waits for, relative to the tile's share of the unseen tiles, some of which
the others hold on to. Counted likewise."""

STEEP: Final = (0.4, 2.5)
"""Lowest and highest exponent by which the danger estimate may change the fitted survival of the hand. A guess."""
RIICHI_FIRST: Final = (-0.74, 1.88, -0.102)
"""Logarithm of the exponent for a hand in riichi while nobody else is: constant, factor of the logarithm of a silent
hand's exponent, factor of the own draws left minus 8. Players who were far from a win when riichi was declared mostly
fold, so early riichi last longer. Fitted by maximum likelihood on how 3,063 riichi of training games ended (standard
errors 0.11, 0.19, 0.014)."""
RIICHI_LATER: Final = 0.91
"""The exponent if somebody else is in riichi. Fitted by the same method on 580 riichi (0.85 to 0.98); the danger
estimate adds nothing there."""


def average_forecast(position: Position, risks: Risks, *, riichi_now: bool) -> Forecast:
    """The forecast of a hand at an average table.

    Args:
        position: the position of the hand.
        risks: risks of the position.
        riichi_now: whether the hand is in riichi or may declare it now; it is then forecast as recorded riichi went.
            A riichi declared later is forecast as a silent hand's course, with the ratios of riichi.
    """
    draws_left, against = position.draws_left, position.riichi_against
    unseen = np.array(position.unseen, np.float64)
    mean = float(unseen @ risks.deal_in / unseen.sum()) if unseen.any() else 0.0
    danger = danger_forecast(mean, draws_left, against)
    # a hand that is asked for a call may have one more open meld; its ratios are those of such a hand
    called = sum(meld.called is not None for meld in position.melds) + (position.offered >= 0)
    silent, riichi = discard_ratios(draws_left, against, called, position.shanten)
    draws = np.ones(1)
    if riichi_now:
        riichi, draws = riichi_ratios(draws_left, against, int(unseen.sum()))
    return Forecast(
        survival(position, risks.lasts, riichi_now=riichi_now),
        (_by_draws(DEAL_IN_RATIO * danger), _by_draws(DEAL_IN_RATIO_RIICHI[against > 0] * danger)),
        (_by_draws(silent), _by_draws(riichi)),
        _by_draws(draws),
    )


def _by_draws(values: Floats) -> ByDraws:
    return tuple(values.tolist())


def danger_forecast(now: float, draws_left: int, riichi_against: int) -> Floats:
    """float64[d]: expected mean danger when ``d`` own draws are left, up to ``draws_left``.

    Args:
        now: mean danger with ``draws_left`` draws left.
        draws_left: number of own draws to come.
        riichi_against: number of opponents in riichi.
    """
    top, cap = GROWTH[min(riichi_against, len(GROWTH) - 1)]
    result = np.empty(draws_left + 1)
    danger = now
    for left in range(draws_left, -1, -1):
        result[left] = danger
        pace = top if riichi_against else top / (1.0 + math.exp((left - HALF) / WIDTH))
        danger += pace * max(0.0, 1.0 - danger / cap)
    return result


def discard_ratios(draws_left: int, riichi_against: int, called: int, shanten: int) -> tuple[Floats, Floats]:
    """float64[d], without and with an own riichi: how often the others discard wanted tiles, relative to fitted rates.

    Args:
        draws_left: number of own draws to come.
        riichi_against: number of opponents in riichi.
        called: number of own melds that were called.
        shanten: shanten of the hand.
    """
    turns = np.arange(draws_left + 1, dtype=np.float64)
    against = int(riichi_against > 0)
    opened = 1.0 if called else OPEN_LATER if shanten > 0 else 0.0
    waits = opened * np.interp(turns, RATIO_DRAWS, WAIT_RATIOS["open"][against])
    waits += (1.0 - opened) * np.interp(turns, RATIO_DRAWS, WAIT_RATIOS["silent"][against])
    waits *= THREE_MELDS if called >= 3 else 1.0
    share = CALL_SHARES[min(max(shanten, 0), len(CALL_SHARES) - 1)]
    silent = (1.0 - share) * waits + share * np.interp(turns, RATIO_DRAWS, CALL_RATIOS)
    return silent, np.interp(turns, RATIO_DRAWS, WAIT_RATIOS["riichi"][against])


def riichi_ratios(draws_left: int, riichi_against: int, unseen: int) -> tuple[Floats, Floats]:
    """float64[d]: how often the others discard, and the player draws, what a hand in riichi waits for.

    Both are relative to what its present share of the unseen tiles suggests. Each go-around shows four tiles, none of
    which was a wait, or the hand would have been won; so that share grows.

    Args:
        draws_left: number of own draws to come.
        riichi_against: number of opponents in riichi.
        unseen: number of tiles that the player does not see.
    """
    turns = np.arange(draws_left + 1, dtype=np.float64)
    against = int(riichi_against > 0)
    growth = unseen / np.maximum(unseen - 4.0 * (draws_left - turns), unseen / 2)
    return (
        growth * np.interp(turns, RIICHI_AT, RIICHI_WAITS[against]),
        growth * np.interp(turns, RIICHI_AT, RIICHI_DRAWS[against]),
    )


def survival(position: Position, lasts: float, *, riichi_now: bool) -> tuple[ByDraws, ByDraws]:
    """Chances that no other player ends the hand in a go-around, without and with an own riichi.

    The fitted chances are raised to the power with which the wall runs out with the chance ``lasts``; those in riichi,
    with ``riichi_now``, to the power that recorded riichi suggest for it.
    """
    silent, riichi = discard_tables().survival_by_draws(position, position.draws_left)
    whole = float(np.log(silent[1:]).sum())
    steep = np.log(max(lasts, 1e-3)) / whole if whole < 0 else 1.0
    steep = in_riichi = float(np.clip(steep, *STEEP))
    if riichi_now:
        constant, power, by_draws = RIICHI_FIRST
        in_riichi = math.exp(constant + power * math.log(steep) + by_draws * (position.draws_left - 8.0))
        in_riichi = RIICHI_LATER if position.riichi_against else in_riichi
    return _by_draws(silent**steep), _by_draws(riichi**in_riichi)
