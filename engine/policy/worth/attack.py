"""The hand's own prospects in the currency of the hand: the DAG search, told what every ending is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.seats import others
from engine.policy.worth.ahead import dangers_ahead, feeds_ahead
from engine.policy.worth.risks import Risks
from engine.policy.worth.utility import Currency
from engine.search.evaluator import Evaluation, Evaluator
from engine.search.position import Position
from engine.search.stakes import IN_POINTS, Stakes, Utility

Floats = NDArray[np.float64]
Survival = tuple[tuple[float, ...], tuple[float, ...]]

FLAT: Final = 200_000.0
"""Points beyond every win."""
THROWN_AGAIN: Final = 0.5
"""How often a hand not in riichi deals in at a discard, over the mean danger of that turn: it chooses what it throws,
and what is dangerous others hold. Tenpai hands on recorded games: 0.5 to 0.7."""
IN_RIICHI: Final = (0.5, 0.9)
"""The same of a hand in riichi, that throws what it draws: others fold, unless one of them is in riichi too."""


def attack(evaluator: Evaluator, position: Position, stakes: Stakes, per_point: float, budget: Budget) -> Evaluation:
    """The worth of each action, relative to an aborted hand, if the hand is then played for its win.

    An evaluator that cannot use stakes answers in points; each point then counts ``per_point``. Such values leave out
    what the hand may lose later and what its win means for the placement, but not the risk of the present discard,
    which the caller weighs in any case.

    Args:
        evaluator: who answers.
        position: of the hand.
        stakes: of the table.
        per_point: worth of one point, in the unit of the stakes.
        budget: of the evaluator.

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
        replace(
            worth,
            value=worth.value * per_point,
            value_by_draws=tuple(value * per_point for value in worth.value_by_draws),
        )
        for worth in found.actions
    )
    return replace(found, actions=actions, unit=stakes.unit)


def stakes_of(position: Position, currency: Currency, risks: Risks, survive: Survival, fold: Sequence[float]) -> Stakes:
    """What the search needs to know of the table, over the hand being void.

    Args:
        position: of the hand.
        currency: of its table.
        risks: at it.
        survive: ``[own riichi][d]``: chance that no other ends the hand in a go-around.
        fold: ``[d]``: worth of giving the hand up later, over the hand being void.
    """
    now, unit = currency.now, currency.objective.unit
    opponents = list(others(currency.table.viewer))
    unseen = np.array(position.unseen, np.float64)
    weight = unseen * risks.deal_in
    mean = float(weight.sum() / unseen.sum()) if unseen.any() else 0.0
    dealt = (risks.dealt * weight).sum(axis=1) / weight.sum() if weight.any() else risks.dealt.mean(axis=1)
    noten, tenpai = risks.drawn[0] - now
    ahead = dangers_ahead(mean, position.draws_left, position.riichi_against)
    # asked for a call, the hand may be one more open hand: so are its waits fed
    called = sum(meld.called is not None for meld in position.melds) + (position.offered >= 0)
    silent, riichi = feeds_ahead(position.draws_left, position.riichi_against, called, position.shanten)
    return Stakes(
        tsumo=_utility(currency.gains_tsumo, currency.tsumo[0] - now, unit),
        ron=_utility(currency.gains_ron, currency.ron[0, opponents].mean(axis=0) - now, unit),
        ended=_pair(risks.ended - now),
        terminal=(float(noten), float(tenpai), float(risks.drawn[1, 1] - now)),
        toll=tuple(np.maximum(risks.deal_in * (now - risks.dealt[0]), 0.0).tolist()),
        hazard=(
            tuple((THROWN_AGAIN * ahead).tolist()),
            tuple((IN_RIICHI[position.riichi_against > 0] * ahead).tolist()),
        ),
        hazard_worth=_pair(dealt - now),
        feeds=(tuple(silent.tolist()), tuple(riichi.tolist())),
        survive=survive,
        fold=tuple(fold),
    )


def _pair(worth: Floats) -> tuple[float, float]:
    without, with_riichi = worth.tolist()
    return without, with_riichi


def _utility(gains: Floats, worth: Floats, unit: str) -> Utility:
    """Through every gain that a win can have; below the least of them there are no wins."""
    gains, at = np.unique(gains, return_index=True)
    return Utility((*gains.tolist(), FLAT), (*worth[at].tolist(), float(worth[-1])), unit)
