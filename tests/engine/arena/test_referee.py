"""Games under our referee and under the independent one: the same events, furiten, questions and legal answers."""

from __future__ import annotations

import random

import pytest

from engine.arena import Referee
from engine.model.actions import PASS, ActionKind
from engine.model.events import StartGame
from engine.model.rules import HANCHAN, TONPU, Rules
from tests.engine.simulator.beside import plain
from tests.oracles.jansou_referee.referee import Referee as JansouReferee

RULES = (HANCHAN, TONPU, Rules(hanchan=False, red_fives=False), Rules(hanchan=False, open_tanyao=False))
WINS = (ActionKind.TSUMO, ActionKind.RON)


def chosen(rng, actions):
    """Any answer, but most wins, few calls, and every other riichi and kan."""
    for kinds, share in ((WINS, 0.8), ((ActionKind.RIICHI, ActionKind.ANKAN, ActionKind.KAKAN), 0.5)):
        wanted = [action for action in actions if action.kind in kinds]
        if wanted and rng.random() < share:
            return rng.choice(wanted)
    return PASS if PASS in actions and rng.random() < 0.7 else rng.choice(actions)


def play_under_both(rules, seed):
    """Play a game under both; the number of its steps."""
    rng = random.Random(seed)
    ours, theirs = Referee(rules, seed), JansouReferee(rules, seed)
    step, other = ours.start(), theirs.start()
    steps = 0
    while True:
        steps += 1
        found, expected = (
            [plain(event) for event in one.events if type(event) is not StartGame] for one in (step, other)
        )
        assert found == expected, (seed, steps)
        assert step.furiten == other.furiten, (seed, steps, step.events)
        assert {seat: set(actions) for seat, actions in step.prompts.items()} == {
            seat: set(actions) for seat, actions in other.prompts.items()
        }, (seed, steps)
        if step.over:
            assert ours.shuffle == theirs.shuffle
            return steps
        for seat in step.prompts:
            assert ours.tile_in_question(seat) == theirs.tile_in_question(seat)
        answers = {seat: chosen(rng, actions) for seat, actions in step.prompts.items()}
        step, other = ours.answer(answers), theirs.answer(answers)


@pytest.mark.parametrize("seed", range(4))
def test_a_game_is_that_of_the_independent_referee(seed):
    assert play_under_both(RULES[seed % len(RULES)], seed) > 100


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_many_games_are_those_of_the_independent_referee(part):
    for seed in range(1_000 + 20 * part, 1_020 + 20 * part):
        play_under_both(RULES[seed % len(RULES)], seed)
