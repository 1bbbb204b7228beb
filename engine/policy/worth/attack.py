"""The hand's own prospects in the currency of the hand: the DAG search, told what every ending is worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.budget import Budget
from engine.model.seats import others
from engine.policy.worth.ahead import dangers_ahead, feeds_ahead
from engine.policy.worth.risks import Risks
from engine.policy.worth.utility import Currency
from engine.search.dag.model import Model, Stakes, Utility
from engine.search.dag.search import DagEvaluator
from engine.search.evaluator import Evaluation
from engine.search.position import Position
from engine.shanten import shanten

Floats = NDArray[np.float64]
Survival = tuple[tuple[float, ...], tuple[float, ...]]

FLAT: Final = 200_000.0
"""Points beyond every win."""
THROWN_AGAIN: Final = 0.5
"""How often a hand not in riichi deals in at a discard, over the mean danger of that turn: it chooses what it throws,
and what is dangerous others hold. Tenpai hands on recorded games: 0.5 to 0.7."""
IN_RIICHI: Final = (0.5, 0.9)
"""The same of a hand in riichi, that throws what it draws: others fold, unless one of them is in riichi too."""


def attack(
    position: Position, unit: str, stakes: Stakes, kan_stakes: Sequence[tuple[int, Stakes]], budget: Budget
) -> Evaluation:
    """The worth of each action, over the hand being void, if the hand is then played for its win.

    Args:
        position: of the hand.
        unit: what worths count.
        stakes: of the table.
        kan_stakes: (kind, those that hold once this kan is made).
        budget: of the search.

    Raises:
        PositionError: the position cannot be searched.
    """
    model = Model(utility=Utility(unit=unit), stakes=stakes, kan_stakes=tuple(kan_stakes))
    return DagEvaluator(model).evaluate(position, budget)


def stakes_of(position: Position, currency: Currency, risks: Risks, survive: Survival, fold: Sequence[float]) -> Stakes:
    """What the search needs to know of the table, over the hand being void.

    Args:
        position: of the hand.
        currency: of its table.
        risks: at it.
        survive: ``[own riichi][d]``: chance that no other ends the hand in a go-around.
        fold: ``[d]``: worth of giving the hand up later, over the hand being void.
    """
    now = currency.now
    opponents = list(others(currency.table.viewer))
    unseen = np.array(position.unseen, np.float64)
    weight = unseen * risks.deal_in
    mean = float(weight.sum() / unseen.sum()) if unseen.any() else 0.0
    dealt = (risks.dealt * weight).sum(axis=1) / weight.sum() if weight.any() else risks.dealt.mean(axis=1)
    noten, tenpai = risks.drawn[0] - now
    ahead = dangers_ahead(mean, position.draws_left, position.riichi_against)
    # asked for a call, the hand may be one more open hand: so are its waits fed
    called = sum(meld.called is not None for meld in position.melds) + (position.offered >= 0)
    silent, riichi = feeds_ahead(
        position.draws_left, position.riichi_against, called, shanten(position.counts, len(position.melds))
    )
    return Stakes(
        tsumo=_utility(currency.gains_tsumo, currency.tsumo[0] - now),
        ron=_utility(currency.gains_ron, currency.ron[0, opponents].mean(axis=0) - now),
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


def _utility(gains: Floats, worth: Floats) -> Utility:
    """Through every gain that a win can have; below the least of them there are no wins."""
    gains, at = np.unique(gains, return_index=True)
    return Utility((*gains.tolist(), FLAT), (*worth[at].tolist(), float(worth[-1])))
