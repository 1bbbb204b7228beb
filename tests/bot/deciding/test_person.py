"""A person in the place of a policy: an answer in time counts, silence is answered safely."""

from __future__ import annotations

import asyncio

import pytest

from bot.deciding.ask import Outcome, Question
from bot.deciding.person import HUMAN, Person
from engine.arena import Referee
from engine.policy.forced import fallback
from engine.state import GameState, visible_to


class Says:
    """Answers with the action at a place, after some seconds."""

    def __init__(self, place, seconds=0.0):
        self.place, self.seconds = place, seconds
        self.told = []

    def missed(self, question, action):
        self.told.append((question.seconds, action))

    async def ask(self, question):
        await asyncio.sleep(self.seconds)
        return question.legal[self.place]


@pytest.fixture
def state():
    """The first own turn of a game."""
    step = Referee(seed=1).start()
    (seat,) = step.prompts
    state = GameState(seat)
    for event in step.events:
        state.apply(visible_to(event, seat))
    return state


async def test_an_answer_counts(state):
    person = Person()
    person.asker = Says(2)
    legal = state.legal_actions()
    thought = await person.think(Question.of(state, legal, 30.0, 7))
    assert thought.decision.action == legal[2]
    assert thought.decision.mode == HUMAN
    assert (thought.outcome, thought.number, thought.digest) == (Outcome.DECIDED, 7, state.digest())


@pytest.mark.parametrize("asker", [None, Says(0, 60)])
async def test_silence_is_answered_safely_and_is_late(state, asker):
    person = Person()
    person.asker = asker
    thought = await person.think(Question.of(state, state.legal_actions(), 0.02))
    assert thought.outcome is Outcome.LATE
    assert thought.decision.action == fallback(state, state.legal_actions()).action


async def test_a_forced_answer_is_not_asked(state):
    person = Person()
    (only, *_) = state.legal_actions()
    thought = await person.think(Question.of(state, (only,), 30.0))
    assert thought.decision.action == only


async def test_a_person_plays_more_than_one_game(state):
    person = Person()
    person.asker = Says(0)
    person.close()
    person.start_kyoku()
    assert (await person.think(Question.of(state, state.legal_actions(), 30.0))).outcome is Outcome.DECIDED


async def test_whoever_was_asked_hears_what_the_clock_answered(state):
    person, asker = Person(), Says(0, 60.0)
    person.asker = asker
    legal = state.legal_actions()
    thought = await person.think(Question.of(state, legal, 0.05))
    assert asker.told == [(0.05, thought.decision.action)]
    asker.told.clear()
    asker.seconds = 0.0
    assert (await person.think(Question.of(state, legal, 30.0))).outcome is Outcome.DECIDED
    assert asker.told == []
