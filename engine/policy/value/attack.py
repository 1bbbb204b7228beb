"""The worth of attacking: an evaluator is given the worth of every ending as its stakes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.seats import others
from engine.policy.value.forecast import Survival, danger_forecast, discard_ratios, riichi_ratios
from engine.policy.value.risks import Risks
from engine.policy.value.utility import Currency
from engine.search.evaluator import Evaluation, Evaluator
from engine.search.position import Position
from engine.search.stakes import IN_POINTS, Stakes, Utility

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


def stakes_of(position: Position, currency: Currency, risks: Risks, survive: Survival, fold: Sequence[float]) -> Stakes:
    """The stakes of the table for the search, relative to an aborted hand.

    Args:
        position: the position of the hand.
        currency: worth of the endings.
        risks: risks of the position.
        survive: how long the others let the hand go on.
        fold: ``[d]``: worth of folding later, relative to an aborted hand.
    """
    now, unit = currency.now, currency.objective.unit
    opponents = list(others(currency.situation.viewer))
    unseen = np.array(position.unseen, np.float64)
    weight = unseen * risks.deal_in
    mean = float(weight.sum() / unseen.sum()) if unseen.any() else 0.0
    dealt = (risks.dealt * weight).sum(axis=1) / weight.sum() if weight.any() else risks.dealt.mean(axis=1)
    noten, tenpai = risks.drawn[0] - now
    ahead = danger_forecast(mean, position.draws_left, position.riichi_against)
    # a hand that is asked for a call may have one more open meld; its ratios are those of such a hand
    called = sum(meld.called is not None for meld in position.melds) + (position.offered >= 0)
    silent, riichi = discard_ratios(position.draws_left, position.riichi_against, called, position.shanten)
    draws = np.ones(1)
    if survive.counted:
        riichi, draws = riichi_ratios(position.draws_left, position.riichi_against, int(unseen.sum()))
    return Stakes(
        tsumo=_utility(currency.gains_tsumo, currency.tsumo[0] - now, unit),
        ron=_utility(currency.gains_ron, currency.ron[0, opponents].mean(axis=0) - now, unit),
        ended=_pair(risks.ended - now),
        terminal=(float(noten), float(tenpai), float(risks.drawn[1, 1] - now)),
        toll=tuple(np.maximum(risks.deal_in * (now - risks.dealt[0]), 0.0).tolist()),
        hazard=(
            tuple((DEAL_IN_RATIO * ahead).tolist()),
            tuple((DEAL_IN_RATIO_RIICHI[position.riichi_against > 0] * ahead).tolist()),
        ),
        hazard_worth=_pair(dealt - now),
        discard_ratios=(tuple(silent.tolist()), tuple(riichi.tolist())),
        wait_draws=tuple(draws.tolist()),
        survive=(survive.silent, survive.riichi),
        fold=tuple(fold),
    )


def _pair(worth: Floats) -> tuple[float, float]:
    without, with_riichi = worth.tolist()
    return without, with_riichi


def _utility(gains: Floats, worth: Floats, unit: str) -> Utility:
    """The utility through every gain that a win can bring; no win brings less than the lowest of them."""
    gains, at = np.unique(gains, return_index=True)
    return Utility((*gains.tolist(), FLAT), (*worth[at].tolist(), float(worth[-1])), unit)
