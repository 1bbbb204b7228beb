"""The worth of a standing between two hands, in the unit of a policy's values."""

from __future__ import annotations

from typing import Final

import numpy as np

from bot.audit.hands import Standing
from bot.audit.luck import StandingWorth
from engine.model.rules import Rules
from engine.policy.decision import Decider
from engine.policy.players.value import ValuePolicy
from engine.policy.worth.utility import expected_worth, final_worth

IN_POINTS: Final = frozenset(("simple", "dag", "flow"))
"""Policies whose values are points gained in the hand."""


def standing_worth(decider: Decider, rules: Rules, seat: int) -> StandingWorth | None:
    """The worth of standings to a seat, in the unit of the policy's values; None for a policy that has none.

    The policy ``value`` measures each action relative to an aborted hand, so a hand's result is the worth of what
    followed it less that of :attr:`~bot.audit.hands.Standing.aborted`.
    """
    if not isinstance(decider, ValuePolicy):
        return (lambda standing: float(standing.scores[seat])) if decider.name in IN_POINTS else None
    objective = decider.objective(rules)

    def worth(standing: Standing) -> float:
        if standing.over:
            return final_worth(standing.scores, seat, objective)
        scores, kyoku, honba, sticks = (
            np.array([each], np.int64) for each in (standing.scores, standing.kyoku, standing.honba, standing.sticks)
        )
        return float(expected_worth(scores, kyoku, honba, sticks, seat, rules, objective)[0])

    return worth
