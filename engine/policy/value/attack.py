"""The worth of attacking: an evaluator is given the worth of every ending as its stakes.

The stakes hold a forecast of the rest of the hand: how danger grows, how often the hand gets its tiles, how soon the
others end it. *Danger* is the mean chance that an unseen tile, discarded, deals in. The estimator gives its present
value; its growth is a curve, by the number of opponents in riichi, fitted on 400 recorded games (none of them held
back) for players not in riichi. Its root mean square error over all later turns is half a percentage point::

    m(d - 1) = m(d) + top / (1 + exp((d - HALF) / WIDTH)) * (1 - m(d) / cap)        d own draws left

A kan changes them for the others and for folding later; the search itself knows what it brings the own hand. Everybody
gets one more dora indicator, players in riichi one more ura indicator as well, and the tiles of the kan can no longer
be discarded when folding.
"""

import math
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.actions import KANS, Action
from engine.model.budget import Budget
from engine.model.melds import MeldKind
from engine.model.seats import others
from engine.opponents.danger import Danger
from engine.opponents.facts import STANCES, opponents
from engine.policy.scene import Scene
from engine.policy.value.risks import Risks, assess, fold_worths
from engine.policy.value.utility import Currency
from engine.search.discard_tables import discard_tables
from engine.search.evaluator import (
    AS_IT_STANDS,
    DECLARING,
    IN_POINTS,
    Evaluation,
    Evaluator,
    Stakes,
    TileChances,
    Utility,
)
from engine.search.position import Position
from engine.state import GameState

Floats = NDArray[np.float64]

FLAT: Final = 200_000.0
"""More points than any win brings; the utility is constant from the highest win to here. Derived from the rules."""
DEAL_IN_RATIO: Final = 0.5
"""Chance that a hand not in riichi deals in at a discard, relative to the mean danger of that turn: it is lower because
the player chooses the tile, and because the dangerous tiles are partly in other hands. Counted on tenpai hands of
recorded games: 0.5 to 0.7."""
DEAL_IN_RATIO_RIICHI: Final = (0.5, 0.9)
"""The same for a hand in riichi, which discards what it draws: while the others fold, and once one of them is in
riichi too. Counted on recorded games."""


def attack(evaluator: Evaluator, position: Position, stakes: Stakes, per_point: float, budget: Budget) -> Evaluation:
    """The worth of each action, relative to an aborted hand, if the hand then attacks.

    An evaluator that cannot use stakes answers in points; each point then counts ``per_point``. Such values leave out
    later losses and what a win means for the placement, but not the risk of the present discard, which the caller
    adds in any case.

    Args:
        evaluator: the evaluator to use.
        position: the position of the hand.
        stakes: the stakes of the table.
        per_point: worth of one point, in the unit of the stakes.
        budget: bounds of the evaluation.

    Raises:
        PositionError: the position cannot be evaluated.
        ValueError: the answer is neither in the unit of the stakes nor in points.
    """
    found = evaluator.evaluate(position, stakes, budget)
    if found.unit == stakes.unit:
        return found
    if found.unit != IN_POINTS:
        raise ValueError(
            f"the evaluator {found.evaluator} answers in {found.unit!r}, not in {stakes.unit!r} as asked, nor in points"
        )
    actions = tuple(
        worth._replace(
            value=worth.value * per_point,
            value_by_draws=tuple(value * per_point for value in worth.value_by_draws),
        )
        for worth in found.actions
    )
    return replace(found, actions=actions, unit=stakes.unit)


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


Course = tuple[float, ...]
"""``[d]``: chance that no other player ends the hand in the go-around with ``d`` own draws left."""

STEEP: Final = (0.4, 2.5)
"""Lowest and highest exponent by which the danger estimate may change the fitted survival of the hand. A guess."""
RIICHI_FIRST: Final = (-0.74, 1.88, -0.102)
"""Logarithm of the exponent for a hand in riichi while nobody else is: constant, factor of the logarithm of a silent
hand's exponent, factor of the own draws left minus 8. Players who were far from a win when riichi was declared mostly
fold, so early riichi last longer. Fitted by maximum likelihood on how 3,063 riichi of training games ended (standard
errors 0.11, 0.19, 0.014)."""
RIICHI_LATER: Final = 0.91
"""The exponent if somebody else is in riichi. Fitted likewise on 580 riichi (0.85 to 0.98); the danger estimate adds
nothing there."""


class Survival(NamedTuple):
    """Chances that no other player ends the hand in a go-around.

    Attributes:
        silent: without an own riichi.
        riichi: with one.
        counted: whether hands in riichi are forecast as recorded ones went.
    """

    silent: Course
    riichi: Course
    counted: bool


def survival(position: Position, lasts: float, tiles: TileChances | None = None, *, counted: bool) -> Survival:
    """How long the others let the hand go on.

    Without ``tiles`` the fitted chances are raised to the power with which the wall runs out with the chance ``lasts``;
    those in riichi, if ``counted``, to the power that recorded riichi suggest for it.
    """
    if tiles is not None:
        as_it_stands, declaring = (
            tuple(tiles.by_draws(tiles.survive[how], position.draws_left).tolist()) for how in (AS_IT_STANDS, DECLARING)
        )
        return Survival(as_it_stands, declaring, counted)
    silent, riichi = discard_tables().survival_by_draws(position, position.draws_left)
    whole = float(np.log(silent[1:]).sum())
    steep = np.log(max(lasts, 1e-3)) / whole if whole < 0 else 1.0
    steep = float(np.clip(steep, *STEEP))
    in_riichi = _steep_in_riichi(position, steep) if counted else steep
    return Survival(_course(silent, steep), _course(riichi, in_riichi), counted)


def _steep_in_riichi(position: Position, steep: float) -> float:
    if position.riichi_against:
        return RIICHI_LATER
    constant, power, by_draws = RIICHI_FIRST
    return math.exp(constant + power * math.log(steep) + by_draws * (position.draws_left - 8.0))


def _course(fitted: NDArray[np.float64], exponent: float) -> Course:
    return tuple((fitted**exponent).tolist())


def at_stake(
    scene: Scene,
    currency: Currency,
    danger: Danger,
    risks: Risks,
    survive: Survival,
    fold: Floats,
    tiles: TileChances | None = None,
) -> Stakes:
    """The stakes of the table, with those after each kan that can be made now.

    Args:
        scene: what is asked.
        currency: worth of the endings.
        danger: the danger estimate.
        risks: what follows from it.
        survive: how long the others let the hand go on.
        fold: ``[d]``: worth of folding later, relative to an aborted hand.
        tiles: the chances of the tiles to come; None: those of an average table.
    """
    state = scene.state
    stakes = stakes_of(scene.position, currency, risks, survive, fold, tiles)
    if not kan_in_reach(state):
        return stakes
    risks = assess(state, with_extra_dora(danger, state), currency)
    kans = [action for action in scene.legal if action.kind in KANS]
    hands = np.array([state.counts, *(tiles_after_kan(state, kan) for kan in kans)])
    later, *each = [
        stakes_of(scene.position, currency, risks, survive, fold, tiles)
        for fold in fold_worths(hands, risks, survive.silent) - currency.now
    ]
    toll = kan_toll(stakes, later, scene.shanten)
    after = [(kan.tile >> 2, replace(one, kan_toll=toll)) for kan, one in zip(kans, each, strict=True)]
    return replace(stakes, kan_toll=toll, kans=tuple(after))


def stakes_of(
    position: Position,
    currency: Currency,
    risks: Risks,
    survive: Survival,
    fold: Floats,
    tiles: TileChances | None = None,
) -> Stakes:
    """The stakes of the table for the search, relative to an aborted hand.

    Args:
        position: the position of the hand.
        currency: worth of the endings.
        risks: risks of the position.
        survive: how long the others let the hand go on.
        fold: ``[d]``: worth of folding later, relative to an aborted hand.
        tiles: the chances of the tiles to come; None: those of an average table.
    """
    now, unit = currency.now, currency.objective.unit
    opponents = list(others(currency.situation.viewer))
    unseen = np.array(position.unseen, np.float64)
    weight = unseen * risks.deal_in
    mean = float(weight.sum() / unseen.sum()) if unseen.any() else 0.0
    dealt = (risks.dealt * weight).sum(axis=1) / weight.sum() if weight.any() else risks.dealt.mean(axis=1)
    noten, tenpai = risks.drawn[0] - now
    pays = int(not position.riichi)  # a hand in riichi has paid its stick already
    ahead = danger_forecast(mean, position.draws_left, position.riichi_against)
    hazard = [DEAL_IN_RATIO * ahead, DEAL_IN_RATIO_RIICHI[position.riichi_against > 0] * ahead]
    if tiles is not None:
        hazard = [tiles.by_draws(tiles.deal_in[how], position.draws_left) for how in (AS_IT_STANDS, DECLARING)]
    # a hand that is asked for a call may have one more open meld; its ratios are those of such a hand
    called = sum(meld.called is not None for meld in position.melds) + (position.offered >= 0)
    silent, riichi = discard_ratios(position.draws_left, position.riichi_against, called, position.shanten)
    draws = np.ones(1)
    if survive.counted:
        riichi, draws = riichi_ratios(position.draws_left, position.riichi_against, int(unseen.sum()))
    return Stakes(
        tsumo=_utility(currency.gains_tsumo, currency.tsumo[0] - now, unit),
        ron=_utility(currency.gains_ron, currency.ron[0, opponents].mean(axis=0) - now, unit),
        ended=_pair(risks.ended[[0, pays]] - now),
        terminal=(float(noten), float(tenpai), float(risks.drawn[pays, 1] - now)),
        toll=tuple(np.maximum(risks.deal_in * (now - risks.dealt[0]), 0.0).tolist()),
        hazard=(tuple(hazard[0].tolist()), tuple(hazard[1].tolist())),
        hazard_worth=_pair(dealt[[0, pays]] - now),
        discard_ratios=(tuple(silent.tolist()), tuple(riichi.tolist())),
        wait_draws=tuple(draws.tolist()),
        tiles=tiles,
        survive=(survive.silent, survive.riichi),
        fold=tuple(fold.tolist()),
    )


def _pair(worth: Floats) -> tuple[float, float]:
    without, with_riichi = worth.tolist()
    return without, with_riichi


def _utility(gains: Floats, worth: Floats, unit: str) -> Utility:
    """The utility through every gain that a win can bring; no win brings less than the lowest of them."""
    gains, at = np.unique(gains, return_index=True)
    return Utility((*gains.tolist(), FLAT), (*worth[at].tolist(), float(worth[-1])), unit)


EXTRA_DORA: Final = {"riichi": 0.25, "open": 0.21, "closed": 0.16}
"""Relative growth of a win by one more dora indicator, by the winner's stance. Counted: 20,600 recorded wins of 3,000
games (none of them held back), without yakuman, scored again with one more unseen tile as an indicator, and in riichi
one more ura indicator (``train constants``)."""
WINS_A_TURN: Final = (0.10, 0.05, 0.03, 0.02)
"""Chance that a hand wins in a go-around, by shanten. A guess; the count agrees at tenpai and is lower further away
(``train constants``)."""


def with_extra_dora(danger: Danger, state: GameState) -> Danger:
    """The danger estimate if one more dora indicator were turned."""
    grown = np.zeros(len(danger.loss), np.float32)
    for each in opponents(state):
        grown[each.seat] = EXTRA_DORA[STANCES[each.stance]]
    honba = state.honba * state.rules.honba_points
    won = np.maximum(danger.loss - np.float32(honba), 0.0)
    return replace(danger, loss=danger.loss + grown[:, None] * won)


def kan_toll(now: Stakes, then: Stakes, shanten: int) -> float:
    """The cost of a kan made now by what the others gain from it, if the hand then attacks.

    Args:
        now: the present stakes.
        then: the stakes with one more dora indicator.
        shanten: shanten of the hand, which determines how soon it wins itself.
    """
    ended, dealt = now.ended[0] - then.ended[0], now.hazard_worth[0] - then.hazard_worth[0]
    survive, hazard = now.survive[0], now.hazard[0]
    own = WINS_A_TURN[min(max(shanten, 0), len(WINS_A_TURN) - 1)]
    cost, lasts = 0.0, 1.0
    for left in range(len(survive) - 1, 0, -1):
        deals_in = survive[left] * hazard[min(left, len(hazard) - 1)]
        cost += lasts * ((1.0 - survive[left]) * ended + deals_in * dealt)
        lasts *= (survive[left] - deals_in) * (1.0 - own)
    return max(cost, 0.0)


def kan_in_reach(state: GameState) -> bool:
    """Whether the search may make a kan: the hand holds three of a kind or has a pon."""
    return max(state.counts) >= 3 or any(meld.kind is MeldKind.PON for meld in state.melds[state.seat])


def tiles_after_kan(state: GameState, kan: Action) -> list[int]:
    """Concealed tiles by ``tile34`` after the kan."""
    counts = list(state.counts)
    counts[kan.tile >> 2] = 0
    return counts
