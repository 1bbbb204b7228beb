"""What the choices of strong programs add to the values of actions."""

from __future__ import annotations

from math import log

import pytest

from engine.model.actions import DISCARDS, PASS, ActionKind
from engine.model.budget import Budget
from engine.networks.imitation import shipped_network
from engine.policy.decision import Candidate
from engine.policy.grounds import GroundKind, Note
from engine.policy.phoenix import PhoenixPolicy
from engine.policy.scene import Scene
from engine.policy.settings import LEARNED, PhoenixSettings, ValueSettings
from engine.policy.value.policy import ValuePolicy
from engine.policy.value.strong_play import RAREST, chances, lean_by_tile
from tests.engine.policy.asked import FAR, against_riichi


def scene(table):
    return Scene(table.state, table.state.legal_actions())


def decide(table, **settings):
    policy = ValuePolicy(settings=ValueSettings(**settings))
    return policy.decide(table.state, table.state.legal_actions(), Budget(3_000))


def test_chances_are_those_of_the_network(table):
    at = scene(table(FAR).draw(0, "4s"))
    found = chances(shipped_network(LEARNED), at, at.legal)
    assert set(found) == set(at.legal)
    by_kind = {action.tile >> 2: chance for action, chance in found.items() if action.kind is ActionKind.DISCARD}
    assert sum(by_kind.values()) == pytest.approx(1.0, abs=1e-4)


def test_learned_chances_count_by_tile(table):
    at = scene(table("123456789m1134p").draw(0, "9s"))
    riichi = next(action for action in at.legal if action.kind is ActionKind.RIICHI)
    silent = next(action for action in at.legal if action.kind is ActionKind.DISCARD and action.tile == riichi.tile)
    other = next(action for action in at.legal if action.kind is ActionKind.DISCARD and action.tile != riichi.tile)
    added = lean_by_tile({riichi: 0.6, silent: 0.2, other: 0.001}, 50.0)
    assert added[riichi] == added[silent] == pytest.approx(50.0 * log(0.8))
    assert added[other] == pytest.approx(50.0 * log(RAREST))


def test_a_plain_and_a_red_five_are_one_answer(table):
    at = scene(table("0556m1478p258s36z").draw(0, "4s"))
    fives = [action for action in at.legal if action.kind is ActionKind.DISCARD and action.tile >> 2 == 4]
    assert len(fives) > 1
    added = lean_by_tile(dict.fromkeys(fives, 0.3), 50.0)
    assert list(added.values()) == pytest.approx([50.0 * log(0.3)] * len(fives))


def test_learned_chances_decide_where_they_weigh_most_also_against_a_riichi(table):
    for at in (against_riichi(table), table(FAR).draw(0, "4s")):
        legal = at.state.legal_actions()
        learned = PhoenixPolicy(settings=PhoenixSettings(size="large", imitates="program")).decide(
            at.state, legal, Budget(3_000)
        )
        leaning = decide(at, learned=1e6)
        assert leaning.action.tile >> 2 == learned.action.tile >> 2
        plain = decide(at, learned=0.0)
        assert {one.action: one.value for one in plain.candidates} == {
            one.action: one.value for one in leaning.candidates
        }
        assert all(one.prior is None and one.lean is None for one in plain.candidates)
        kinds = [each.kind for each in leaning.grounds]
        assert (GroundKind.PRIOR in kinds) is (plain.candidates[0].action != leaning.action)
        assert leaning.candidates[0].prior == pytest.approx(learned.candidates[0].value, abs=1e-5)


def weight_of_log_p(decision):
    """How many points a unit of log p counts, from the favourite and the candidate that loses most."""
    least = min(decision.candidates, key=lambda one: one.lean or 0.0)
    chances = {}  # riichi and silent tenpai share the chance of their tile
    for one in decision.candidates:
        answer = one.action.tile if one.action.kind in DISCARDS else one.action
        chances[answer] = chances.get(answer, 0.0) + one.prior
    favourite = max(chances.values())
    return -least.lean / decision.per_point / log(favourite / max(least.prior, RAREST))


def test_the_network_counts_more_where_the_course_is_decided(table):
    call = table("405m567p23488s11z", kyoku=3).draw(3).discard(3, "3m")
    tile = table(FAR).draw(0, "4s")
    all_fold, either, may_riichi = (
        against_riichi(table, hand) for hand in (FAR, "2346m45678p347s5z", "234m456p33s5677s4z")
    )
    for at, counts in ((call, 30.0), (tile, 10.0), (all_fold, 10.0), (either, 30.0), (may_riichi, 10.0)):
        decision = decide(at, learned=10.0, learned_course=3.0)
        assert weight_of_log_p(decision) == pytest.approx(counts, rel=1e-3)
    assert {one.note is Note.FOLD for one in decide(either).candidates} == {True, False}


def test_weights_are_named_where_they_are_used():
    assert LEARNED in ValuePolicy().settings()["weights"]
    assert LEARNED not in ValuePolicy(settings=ValueSettings(learned=0.0)).settings()["weights"]


def test_a_lead_is_the_difference_of_the_values_with_their_lean():
    best, other = Candidate(PASS, 10.0, lean=-5.0), Candidate(PASS, 8.0, lean=0.0)
    assert (best.lead(other), other.lead(best)) == (-3.0, 3.0)
    assert Candidate(PASS, 10.0).lead(Candidate(PASS, 8.0, lean=-4.0)) == 6.0


def test_the_favourite_of_the_network_loses_nothing(table):
    decision = decide(table(FAR).draw(0, "4s"), learned=80.0)
    leans_of = [one.lean or 0.0 for one in decision.candidates]
    assert max(leans_of) == 0.0 > min(leans_of)
    assert max(decision.candidates, key=lambda one: one.prior).lean is None
