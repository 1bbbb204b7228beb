"""Players as people name them."""

from __future__ import annotations

import pickle

import pytest

from bot.deciding.players import PlayerSpec, make_player, needs_of
from bot.machine.errors import InputError


def test_a_policy_with_settings():
    player = PlayerSpec.parse("value:fold_within=0,nodes=8000,utility=points")
    assert (player.name, player.program) == ("value", False)
    assert player.options == {"fold_within": 0.0, "nodes": 8_000, "utility": "points"}
    assert player.make(0).settings()["nodes"] == 8_000
    assert pickle.loads(pickle.dumps(player)) == player  # noqa: S301 - our own


def test_further_settings_count_where_the_policy_has_them_and_the_text_is_silent():
    more = {"nodes": 500, "danger": "suji", "dan": 12}
    assert PlayerSpec.parse("flow:nodes=700", more).options == {"nodes": 700, "danger": "suji"}
    assert PlayerSpec.parse("simple", more).options == {}


def test_settings_of_an_evaluator_are_distinguished_from_those_of_the_policy():
    player = PlayerSpec.parse("value:evaluator=dag:exchanges=1;calls=0,nodes=900")
    assert player.options == {"evaluator": "dag:exchanges=1;calls=0", "nodes": 900}
    assert player.make(0).settings()["evaluator"] == "dag:exchanges=1;calls=0"


def test_a_program_is_none_of_our_policies():
    player = PlayerSpec.parse("mjai:true --quiet")
    assert player.program
    assert player.needs == ()


def test_players_need_the_kernels_of_each_together():
    assert needs_of(map(PlayerSpec.parse, ("simple", "dag", "flow"))) == {"dag", "danger", "push or fold", "quick"}


@pytest.mark.parametrize(
    ("text", "options", "says"),
    [
        (
            "mortal",
            {},
            "no policy is named 'mortal'; there are: che, dag, flow,",
        ),
        ("value:noise", {}, "value:noise: 'noise' is not a setting; write NAME:KEY=VALUE"),
        ("value:nose=1", {}, "nose: there is no such setting; did you mean 'noise'?"),
        ("value", {"noise": "30"}, "noise: '30' is not allowed; it must be a number"),
    ],
)
def test_a_text_that_is_no_player_is_reported(text, options, says):
    with pytest.raises(InputError) as caught:
        PlayerSpec.parse(text, options)
    assert says in str(caught.value)


def test_a_player_is_made_from_its_text():
    assert make_player("tsumogiri").name == "tsumogiri"
    with pytest.raises(InputError, match="cannot be started"):
        make_player("mjai:no-such-program-anywhere")
