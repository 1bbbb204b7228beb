"""Games at the simulator and under the independent referee: the same events, questions and legal answers."""

from __future__ import annotations

import pytest

from engine.arena import play_game
from engine.arena.match import play_games
from engine.model.rules import TONPU
from engine.policy.batches import PhoenixPlayers
from engine.policy.registry import BATCHED, make_policy
from tests.engine.simulator.beside import AT_ONCE, RULES, RandomWinners, plain, play_beside
from tests.tiers import mostly_slow


@mostly_slow("rules", RULES)
def test_games_of_random_players_are_those_of_the_referee(rules):
    assert min(play_beside(RandomWinners(0), rules, range(5))) > 10


def test_games_of_phoenix_are_those_of_the_referee():
    assert min(play_beside(PhoenixPlayers(), TONPU, range(5))) > 10


def test_thirteen_orphans_have_no_fu():
    play_beside(PhoenixPlayers(), RULES[2], [202_685])  # seat 0 wins with them


@pytest.mark.slow
@pytest.mark.parametrize("part", range(3 * len(RULES)))
def test_many_games_of_random_players_are_those_of_the_referee(part):
    first = 1_000 + AT_ONCE * part
    play_beside(RandomWinners(part), RULES[part % len(RULES)], range(first, first + AT_ONCE))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(len(RULES)))
def test_many_games_of_phoenix_are_those_of_the_referee(part):
    first = 1_000 + AT_ONCE * part
    play_beside(PhoenixPlayers(), RULES[part % len(RULES)], range(first, first + AT_ONCE))


MIXED = ["phoenix", "simple", "tsumogiri", "simple"]


@mostly_slow(
    ("players", "options"),
    [
        (["phoenix"] * 4, {}),
        (["simple"] * 4, {}),
        (MIXED, {}),
        (MIXED, {"phoenix": {"size": "large", "imitates": "program"}}),
    ],
)
def test_players_in_batches_play_the_games_that_their_policies_play_under_the_referee(players, options):
    batched = {name: BATCHED.make(name, options.get(name)) for name in players}
    seeds = range(3)
    found = dict(play_games([[batched[name] for name in players] for _ in seeds], seeds, TONPU))
    for number, seed in enumerate(seeds):
        expected = play_game([make_policy(name, 0, options.get(name)) for name in players], TONPU, seed)
        assert [plain(event) for event in found[number].events] == [plain(event) for event in expected.events]
        assert found[number].shuffle == expected.shuffle
