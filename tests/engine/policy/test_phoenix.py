"""The decisions of the policy ``phoenix``, given the outputs of the network."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.actions import PASS, ActionKind
from engine.model.tiles import format_tile
from engine.networks.imitation import ImitationWeights, Shape, shipped_weights
from engine.policy.decision import Budget
from engine.policy.grounds import GroundKind
from engine.policy.phoenix import PhoenixPolicy
from engine.policy.registry import make_policy


def decide(table):
    legal = table.state.legal_actions()
    decision = PhoenixPolicy().decide(table.state, legal, Budget())
    assert decision.action in legal
    return decision


def test_chances_sum_to_one_and_are_best_first(table):
    decision = decide(table("1234m2345p3578s1z").draw(0, "9m"))
    values = [candidate.value for candidate in decision.candidates]
    assert sum(values) == pytest.approx(1.0, abs=1e-4)
    assert values == sorted(values, reverse=True)
    assert decision.action == decision.candidates[0].action
    assert decision.unit == "chance"
    assert decision.grounds[0].kind is GroundKind.IMITATES
    assert decision.grounds[0].figures["chance"] == values[0]


def test_both_fives_are_weighed(table):
    decision = decide(table("05m2345p3578s112z").draw(0, "9m"))
    fives = {format_tile(one.action.tile): one.value for one in decision.candidates if one.action.tile >> 2 == 4}
    assert set(fives) == {"0m", "5m"}
    assert all(0.0 < value < 1.0 for value in fives.values())


def test_a_drawn_tile_and_its_like_are_one_answer(table):
    state = table("1234m2345p3578s1z").draw(0, "1z").state
    decision = PhoenixPolicy().decide(state, state.legal_actions(), Budget())
    honours = [one.action.tile for one in decision.candidates if one.action.tile >> 2 == 27]
    assert honours == [state.drawn]


def test_a_win_is_taken(table):
    decision = decide(table("123456789m1122p").draw(0, "1p"))
    assert decision.action.kind is ActionKind.TSUMO
    assert decision.mode == "forced"


def test_a_call_takes_the_red_five(table):
    decision = decide(table("405m567p23488s11z", kyoku=3).draw(3).discard(3, "3m"))
    chis = [one.action for one in decision.candidates if one.action.kind is ActionKind.CHI]
    assert len(chis) == 1
    assert PASS in [one.action for one in decision.candidates]


def test_it_can_imitate_others_and_refuses_what_there_is_not():
    assert make_policy("phoenix", 0, {"imitates": "program"}).settings()["imitates"] == "program"
    with pytest.raises(ValueError, match="program"):
        make_policy("phoenix", 0, {"imitates": "nobody"})


def test_its_network_is_a_setting(table, monkeypatch):
    shape, random = Shape(8, 1, 8), np.random.default_rng(1)
    made = {name: random.normal(0, 0.3, dims).astype(np.float32) for name, dims in shape.parameters().items()}
    other = {name: random.normal(0, 0.3, weights.shape).astype(np.float32) for name, weights in made.items()}
    by_name = {"phoenix": shipped_weights(), "phoenix-large": ImitationWeights.of(shape, made)}
    by_name["programs-large"] = ImitationWeights.of(shape, other)
    monkeypatch.setattr("engine.policy.phoenix.shipped_weights", by_name.__getitem__)
    monkeypatch.setattr("engine.policy.phoenix.shipped_network", lambda name: by_name[name].network())
    state = table("1234m2345p3578s1z").draw(0, "9m").state

    def chances(name="phoenix", **options):
        policy = make_policy("phoenix", 0, options)
        assert policy.settings() == {"imitates": "phoenix", "size": "small", **options} | {
            "weights": {"phoenix": by_name[name].digest()}
        }
        found = policy.decide(state, state.legal_actions(), Budget()).candidates
        assert sum(one.value for one in found) == pytest.approx(1.0, abs=1e-4)
        return {one.action: one.value for one in found}

    plain = chances()
    assert plain == chances(size="small")
    assert chances("phoenix-large", size="large") != pytest.approx(plain, abs=0.1)
    assert chances("phoenix-large", size="large", imitates="upper")
    assert chances(size="small", imitates="program")
    for programs in ("program", "other"):
        assert chances("programs-large", size="large", imitates=programs) != pytest.approx(plain, abs=0.1)
    with pytest.raises(ValueError, match="small, large"):
        make_policy("phoenix", 0, {"size": "huge"})


def test_the_large_network_answers_nearly_as_the_small_one(table):
    state = table("1234m2345p3578s1z").draw(0, "9m").state
    small, large = (make_policy("phoenix", 0, {"size": size}) for size in ("small", "large"))
    assert large.settings()["weights"] != small.settings()["weights"]
    first, second = (
        {one.action: one.value for one in policy.decide(state, state.legal_actions(), Budget()).candidates}
        for policy in (small, large)
    )
    assert second != first
    assert second == pytest.approx(first, abs=0.1)
