"""What playouts found to be missing in stated values is added to late calls."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.policy.grounds import GroundKind
from engine.policy.settings import ValueSettings
from engine.policy.value.corrections import LATE_CALL
from engine.policy.value.policy import ValuePolicy


def added(deal):
    """By action, the points by which the value with corrections exceeds the one without."""
    legal = deal.state.legal_actions()

    def values(weight):
        policy = ValuePolicy(settings=ValueSettings(corrections=weight))
        decision = policy.decide(deal.state, legal, Budget(nodes=3_000))
        return {one.action: one.value / decision.per_point for one in decision.candidates}

    without = values(0.0)
    return {action: value - without[action] for action, value in values(1.0).items()}


@pytest.mark.parametrize(("left", "gain"), [(49, 0.0), (13, LATE_CALL)])
def test_calls_gain_late_in_the_hand(table, left, gain):
    deal = table("2334m5567p66s555z", indicator="9m").run_down(left)
    deal.turn(1, "6s")
    points = added(deal)
    call = next(action for action in points if action.kind is ActionKind.PON)
    assert points[call] == pytest.approx(gain, abs=1e-6)
    assert next(points[action] for action in points if action.kind is ActionKind.PASS) == 0.0


def test_a_correction_of_the_first_two_is_a_ground(table):
    deal = table("2334m5567p66s555z", indicator="9m").run_down(13)
    deal.turn(1, "6s")
    for weight, expected in ((1.0, [LATE_CALL]), (0.0, [])):
        policy = ValuePolicy(settings=ValueSettings(corrections=weight))
        decision = policy.decide(deal.state, deal.state.legal_actions(), Budget(nodes=3_000))
        found = [each.figures["points"] for each in decision.grounds if each.kind is GroundKind.CORRECTED]
        assert found == expected
