"""The environment of PettingZoo, held to PettingZoo's own tests; CI installs it with the engines of others."""

from __future__ import annotations

import numpy as np
import pytest

from bot.api.simulator import DISCARD, PASS, PLANES, THE_DRAWN, WIN
from bot.machine.errors import InputError
from engine.arena import Referee
from engine.model.events import EndGame
from engine.model.rules import TONPU

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed; `make peers` installs it")

import oshihiki
from pettingzoo.test import api_test, seed_test

from bot.api.zoo import AGENTS, Mahjong

pytestmark = [
    # PettingZoo knows its own card games by name, and warns of dictionaries and empty masks in all others
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def test_the_project_offers_it():
    assert oshihiki.zoo.Mahjong is Mahjong
    assert not hasattr(oshihiki, "aquarium")


@pytest.mark.parametrize(("rules", "episode"), [("tonpu", "game"), ("hanchan", "hand")])
def test_it_passes_the_tests_of_pettingzoo(rules, episode, capsys):
    api_test(Mahjong(rules, episode), num_cycles=400)
    assert "Passed API test" in capsys.readouterr().out


def test_a_seed_repeats_a_game():
    seed_test(Mahjong, num_cycles=200)


def tsumogiri(env):
    """Everybody discards what was drawn and passes; the rewards of the game by seat."""
    total = dict.fromkeys(AGENTS, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        assert not truncated
        mask = observation["action_mask"]
        env.step(None if terminated else DISCARD + THE_DRAWN if mask[DISCARD + THE_DRAWN] else PASS)
    return list(total.values())


def test_a_game_is_that_of_the_referee_and_its_rewards_are_its_result():
    env = Mahjong()
    env.reset(seed=5)
    referee = Referee(TONPU, 5)
    step = referee.start()
    while not step.over:
        step = referee.answer(
            {
                seat: next(
                    action
                    for action in legal
                    if str(action) == "pass" or (not action.kind and action.tile == referee.tile_in_question(seat))
                )
                for seat, legal in step.prompts.items()
            }
        )
    end = step.events[-1]
    assert isinstance(end, EndGame)
    assert tsumogiri(env) == pytest.approx(end.results, abs=1e-9)


def test_nobody_sees_another_hand_and_only_who_is_asked_has_answers():
    env = Mahjong()
    env.reset(seed=3)
    held = [env.observe(agent)["observation"][: 34 * len(PLANES) : len(PLANES)] for agent in AGENTS]
    assert [int(hand.sum()) for hand in held] == [14, 13, 13, 13]
    assert [env.observe(agent)["action_mask"].any() for agent in AGENTS] == [True, False, False, False]


def test_it_is_shown_as_text():
    env = Mahjong()
    env.reset(seed=3)
    env.step(DISCARD + THE_DRAWN)
    lines = env.render().splitlines()
    assert lines[0].startswith("E1, 68 tiles left, dora indicator ")
    assert {line.split()[0]: line.split()[2:3] for line in lines[1:-1]} == {agent: ["25,000"] for agent in AGENTS}
    assert [line.split()[3:] for line in lines if line.startswith("player_0")] != [[]]
    assert lines[-1].startswith("hand ")
    tsumogiri(env)
    assert env.render() == "the game is over"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda _: Mahjong("sanma"), "rules 'sanma'"),
        (lambda _: Mahjong(episode=3), "episode 3: it is one of game, hand"),
        (lambda _: Mahjong().step(0), "reset the environment before the first step"),
        (lambda _: Mahjong().observe("player_0"), "reset the environment before the first step"),
        (lambda game: game.observe("player_9"), "agent 'player_9': it is one of player_0"),
        (lambda game: game.observe(None), "agent None"),
        (lambda game: game.reset(seed="x"), "seed 'x': it is a whole number from 0"),
        (lambda game: game.reset(seed=-1), "seed -1"),
        (lambda game: game.step("x"), "player_0: answer 'x' is not legal here; legal are"),
        (lambda game: game.step(WIN), "is not legal here"),
        (lambda game: game.step(-1), "is not legal here"),
        (lambda game: game.step(122), "is not legal here"),
        (lambda game: game.step(float("nan")), "answer nan is not legal here"),
        (lambda game: game.step(1.0), "answer 1.0 is not legal here"),
        (lambda game: game.step(2**70), "is not legal here"),
        (lambda game: game.step(None), "answer None is not legal here"),
    ],
)
def test_what_cannot_be_used_is_refused_and_the_game_goes_on_as_it_was(wrong, words):
    game = Mahjong("tonpu")
    game.reset(seed=3)
    before = game.observe("player_0")["observation"]
    with pytest.raises(InputError) as refused:
        wrong(game)
    assert words in str(refused.value)
    assert game.agent_selection == "player_0"
    seen = game.observe("player_0")
    assert (seen["observation"] == before).all()
    game.step(np.int64(np.flatnonzero(seen["action_mask"])[0]))
    game.reset()
