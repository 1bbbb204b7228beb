"""Chances of the final places and the expected result of a game, between its hands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.model.rules import Rules
from engine.model.seats import by_score
from engine.policy.standing import Standing
from engine.policy.value.objective import make_objective
from engine.policy.value.placement import RANKS, features, placement_model
from engine.tables import WeightsError


@dataclass(frozen=True, slots=True)
class Placing:
    """What a standing promises one seat.

    Attributes:
        chances: chance of each final place, first to fourth.
        result: expected result points in thousands, including uma and oka.
    """

    chances: tuple[float, ...]
    result: float


def placing(standing: Standing | None, seat: int, rules: Rules) -> Placing | None:
    """The chances of a seat at a standing; None without a standing, or if the weights are missing.

    The chances come from the network that the policies use (:mod:`engine.policy.value.placement`), and are certain when
    the game is over.
    """
    if standing is None:
        return None
    if standing.over:
        place = by_score(standing.scores).index(seat)
        chances = tuple(float(place == each) for each in range(RANKS))
    else:
        scores, kyoku, honba, sticks, viewer, last = (
            np.array([each], np.int64)
            for each in (standing.scores, standing.kyoku, standing.honba, standing.sticks, seat, rules.last_kyoku)
        )
        try:
            found = placement_model().ranks(features(scores, kyoku, honba, sticks, viewer, last))
        except WeightsError:
            return None
        chances = tuple(found[0].astype(float).tolist())
    objective = make_objective("placement", rules)
    worth = sum(chance * each for chance, each in zip(chances, objective.by_rank, strict=True))
    return Placing(chances, worth + objective.per_point * standing.scores[seat])
