"""What playouts found to be missing in stated values is added to riichi and late calls."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.policy.grounds import GroundKind
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


def test_a_correction_of_the_first_two_is_a_ground(table):
    deal = table("234m567p4567s11z5z", indicator="9m").draw(0, "5s")
    decision = ValuePolicy().decide(deal.state, deal.state.legal_actions(), Budget(nodes=3_000))
    assert any(one.action.kind is ActionKind.RIICHI for one in decision.candidates[:2])
    found = [each for each in decision.grounds if each.kind is GroundKind.CORRECTED]
    left = Scene(deal.state, deal.state.legal_actions()).position.draws_left
    assert [each.figures["points"] for each in found] == [RIICHI_PER_DRAW * left]
    without = ValuePolicy(settings=ValueSettings(corrections=0.0))
    plain = without.decide(deal.state, deal.state.legal_actions(), Budget(nodes=3_000))
    assert all(each.kind is not GroundKind.CORRECTED for each in plain.grounds)


def test_nothing_is_added_to_riichi_against_a_riichi(table):
    deal = table("234m567p4567s11z5z", indicator="9m").draw(0, "5s").discard(0, "5z")
    deal.draw(1).riichi(1, "5s")
    deal.turn(2, "1m").turn(3, "8p").draw(0, "4z")
    points = added(deal)
    assert any(action.kind is ActionKind.RIICHI for action in points)
    assert set(points.values()) == {0.0}


@pytest.mark.parametrize(("left", "gain"), [(49, 0.0), (13, LATE_CALL)])
def test_calls_gain_late_in_the_hand(table, left, gain):
    deal = table("2334m5567p66s555z", indicator="9m").run_down(left)
    deal.turn(1, "6s")
    points = added(deal)
    call = next(action for action in points if action.kind is ActionKind.PON)
    assert points[call] == pytest.approx(gain, abs=1e-6)
    assert next(points[action] for action in points if action.kind is ActionKind.PASS) == 0.0
