"""What playouts found to be missing in stated values is added to riichi and late calls."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.policy.players.settings import ValueSettings
from engine.policy.players.value import ValuePolicy
from engine.policy.scene import Scene
from engine.policy.worth.corrections import LATE_CALL, RIICHI_PER_DRAW


def added(deal):
    """By action, the points by which the value with corrections exceeds the one without."""
    legal = deal.state.legal_actions()

    def values(weight):
        policy = ValuePolicy(settings=ValueSettings(corrections=weight))
        decision = policy.decide(deal.state, legal, Budget(nodes=3_000))
        return {one.action: one.value / decision.per_point for one in decision.candidates}

    without = values(0.0)
    return {action: value - without[action] for action, value in values(1.0).items()}


def test_riichi_gains_by_the_draws_left_and_so_does_a_kan_before_it(table):
    deal = table("234m567p4567s444z", indicator="9m").draw(0, "4z")
    left = Scene(deal.state, deal.state.legal_actions()).position.draws_left
    assert left > 10
    for action, points in added(deal).items():
        gains = action.kind in (ActionKind.RIICHI, ActionKind.ANKAN)
        assert points == pytest.approx(RIICHI_PER_DRAW * left if gains else 0.0, abs=1e-6)


def test_nothing_is_added_against_a_riichi(table):
    deal = table("234m567p4567s1144z", indicator="9m")
    deal.turn(0, "1z").draw(1)
    deal.riichi(1, "5s")
    deal.turn(2, "1m").turn(3, "8p").draw(0, "4z")
    points = added(deal)
    assert any(action.kind is ActionKind.RIICHI for action in points)
    assert set(points.values()) == {0.0}


@pytest.mark.parametrize(("turns", "gain"), [(2, 0.0), (15, LATE_CALL)])
def test_calls_gain_late_in_the_hand(table, turns, gain):
    deal = table("2334m5567p667s55z", indicator="9m")
    for _ in range(turns):
        for seat in range(4):
            deal.draw(seat).discard(seat)
    deal.draw(0).discard(0)
    deal.draw(1, "5z").discard(1, "5z")
    points = {action.kind: points for action, points in added(deal).items()}
    assert points[ActionKind.PON] == pytest.approx(gain, abs=1e-6)
    assert points[ActionKind.PASS] == 0.0
