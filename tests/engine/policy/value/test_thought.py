"""Time for thought: what is played on, what it weighs, and when it ends."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.actions import ActionKind
from engine.model.budget import Budget
from engine.policy.grounds import GroundKind
from engine.policy.registry import POLICIES
from engine.policy.scene import Scene
from engine.policy.settings import ValueSettings
from engine.policy.value import thought
from engine.policy.value.policy import ValuePolicy
from engine.policy.value.thought import ERROR, ROUND, Thinking

HAND = "1599m1478p258s36z"
NOTHING = thought.Played(0.0, 0.0, 0.0)


@pytest.fixture
def against_riichi(table):
    deal = table(HAND, indicator="2z")
    deal.turn(0, "9s")
    deal.draw(1)
    deal.riichi(1, "5s")
    deal.turn(2, "1m")
    deal.turn(3, "8p")
    return deal.draw(0, "4s").state


def decide(state, budget=None, **settings):
    policy = ValuePolicy(settings=ValueSettings(nodes=2_000, **settings))
    return policy.decide(state, state.legal_actions(), budget or Budget(2_000))


def think(state, number, values=(0.0, -50.0, -5_000.0), budget=None, worth=None):
    scene = Scene(state, state.legal_actions())
    discards = [action for action in scene.legal if action.kind is ActionKind.DISCARD]
    options = list(zip(discards, values, strict=False))
    worth = worth or (lambda standing: standing.scores[state.seat])
    return options, Thinking(number).think(scene, options, worth, 1.0, budget or Budget())


def test_close_actions_are_played_on_and_the_others_are_not(against_riichi):
    options, found = think(against_riichi, 32)
    assert found.worlds == 32
    assert list(found.played) == [options[0][0], options[1][0]]
    best, second = found.played.values()
    assert best == (0.0, 0.0, 0.0)
    assert second.error > 0
    share = ERROR**2 / (ERROR**2 + second.error**2)
    assert second.gain == pytest.approx(share * (second.came + 50.0))


def test_the_same_question_is_always_answered_alike(against_riichi):
    assert think(against_riichi, 16)[1] == think(against_riichi, 16)[1]


def test_it_ends_when_one_is_certain(against_riichi):
    """A worth that hardly depends on the hand is known after one round."""
    worths = iter([5_000.0] * ROUND + [0.0] * ROUND + [0.0] * 10_000)
    _, found = think(against_riichi, 2_000, worth=lambda _: next(worths))
    assert found.worlds < 200


def test_it_ends_when_time_is_up(against_riichi):
    asked = []
    _, found = think(against_riichi, 64, budget=Budget(expired=lambda: asked.append(0) or len(asked) > 1))
    assert found.worlds == 2 * ROUND
    assert len(asked) == 2


def test_nodes_bound_the_worlds(against_riichi):
    assert think(against_riichi, 64, budget=Budget(2 * ROUND * thought.NODES))[1].worlds == 2 * ROUND
    assert think(against_riichi, 64, budget=Budget(1))[1].worlds == ROUND


def test_one_action_alone_is_not_played_on(against_riichi):
    assert think(against_riichi, 16, values=(0.0, -5_000.0))[1] is None


def test_early_discards_are_not_played_on(table):
    assert think(table(HAND).draw(0, "4s").state, 16)[1] is None


def test_what_came_counts_in_the_decision_and_is_said(against_riichi, monkeypatch):
    stated = decide(against_riichi)
    second = stated.candidates[1]

    def turned(stated, _):
        return [NOTHING, thought.Played(10_000.0, 900.0, 100.0), *[NOTHING] * (len(stated) - 2)]

    monkeypatch.setattr(thought, "_weighed", turned)
    monkeypatch.setattr(thought, "WITHIN", 1e9)
    found = decide(against_riichi, worlds=16)
    assert found.action == second.action
    assert found.candidates[0].value == pytest.approx(second.value)
    said = next(one for one in found.grounds if one.kind is GroundKind.PLAYED_ON)
    assert said.figures["worlds"] == 16
    assert said.figures["gap"] == 900.0
    assert not [one for one in found.grounds if one.kind is GroundKind.PRIOR]


def test_weights_grow_with_the_worlds():
    few, many = (thought._weighed(np.zeros(2), np.tile([[0.0], [500.0]], number))[1] for number in (16, 1_600))
    assert few.came == many.came == 500.0
    assert 0 < few.gain < many.gain < 500.0


def test_it_is_off_unless_asked_for():
    assert ValueSettings().worlds == 0
    assert "worlds" not in POLICIES.needs("value")
    assert {"worlds", "simulator", "prior in batches"} <= set(POLICIES.needs("value", {"worlds": 16}))
    settings = ValuePolicy(settings=ValueSettings(worlds=16)).settings()
    assert settings["weights"]["hidden"]
