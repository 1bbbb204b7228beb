"""The worth of a standing between two hands under an objective."""

from __future__ import annotations

import numpy as np

from engine.model.rules import Rules
from engine.policy.standing import Standing, StandingWorth
from engine.policy.worth.objective import Objective
from engine.policy.worth.utility import expected_worth, final_worth


def standing_worth(objective: Objective, rules: Rules, seat: int) -> StandingWorth:
    """A function that returns the worth of a standing to a seat at a table with these rules."""

    def worth(standing: Standing) -> float:
        if standing.over:
            return final_worth(standing.scores, seat, objective)
        scores, kyoku, honba, sticks = (
            np.array([each], np.int64) for each in (standing.scores, standing.kyoku, standing.honba, standing.sticks)
        )
        return float(expected_worth(scores, kyoku, honba, sticks, seat, rules, objective)[0])

    return worth
