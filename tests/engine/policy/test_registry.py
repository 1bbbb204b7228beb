"""Requirements on every policy, checked for each row of the registry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.model.budget import Budget
from engine.model.rules import HANCHAN, TONPU
from engine.model.standing import Standing
from engine.policy.decision import Decider
from engine.policy.registry import POLICIES, make_policy
from engine.settings import fields_of, known
from engine.state import GameState, visible_to
from tests.games import game_of

STANDING = Standing(1, 0, 0, (30_000, 20_000, 25_000, 25_000))


@pytest.fixture(params=POLICIES)
def name(request):
    return request.param


def test_its_settings_make_it_again(name):
    """The settings in a record are JSON and contain every setting of the schema under its own name."""
    settings = json.loads(json.dumps(make_policy(name).settings()))
    schema = POLICIES[name].settings
    assert fields_of(schema).keys() <= settings.keys()
    assert json.loads(json.dumps(make_policy(name, 0, known(schema, settings)).settings())) == settings
    assert all(len(digest) == 16 for digest in settings.get("weights", {}).values())


def test_it_bears_its_name_and_has_nothing_to_warn_of(name):
    player = make_policy(name)
    assert player.name == name
    assert player.warning is None


def test_it_says_what_a_standing_is_worth_or_that_it_cannot(name):
    player = make_policy(name)
    worth = player.standing(HANCHAN, 0)
    if worth is None:
        assert type(player).standing is Decider.standing
        return
    richer = Standing(1, 0, 0, (32_000, 18_000, 25_000, 25_000))
    assert worth(richer) > worth(STANDING)


def test_an_option_that_there_is_not_is_refused(name):
    with pytest.raises(ValueError, match="boldness: there is no such setting"):
        make_policy(name, 0, {"boldness": 3})


def test_the_same_state_and_settings_have_the_same_answer(name):
    game = game_of("tsumogiri", 4)
    state, asked = GameState(2, TONPU), 0
    one, other = make_policy(name, 1), make_policy(name, 1)
    for event in game.events:
        state.apply(visible_to(event, 2))
        legal = state.legal_actions()
        if len(legal) > 1 and asked < 3:
            asked += 1
            answers = [each.decide(state.copy(), legal, Budget(nodes=300)) for each in (one, other)]
            assert answers[0] == answers[1]
            assert answers[0].action in legal
    assert asked == 3


def test_the_kernels_that_a_policy_warms_up_depend_on_its_evaluator(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[3] / "docs" / "examples"))
    assert set(POLICIES.needs("value")) == {"danger", "placement", "prior", "dag"}
    assert set(POLICIES.needs("value", {"evaluator": "widest:Widest"})) == {"danger", "placement", "prior"}
    assert POLICIES.needs("simple") == ("quick",)
