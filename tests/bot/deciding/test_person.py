"""A person in the place of a policy: the first answer counts, silence is answered safely."""

from __future__ import annotations

import asyncio

import pytest

from bot.deciding.ask import Outcome, Question
from bot.deciding.person import HUMAN, Person
from engine.arena import Referee
from engine.policy.forced import fallback
from engine.state import GameState, visible_to


class Says:
    """Answers with the action at a place, after some seconds; counts how often it was broken off."""

    def __init__(self, place, seconds=0.0):
        self.place, self.seconds = place, seconds
        self.broken_off = 0
        self.told = []

    def missed(self, question, action):
        self.told.append((question.seconds, action))

    async def ask(self, question):
        try:
            await asyncio.sleep(self.seconds)
        except asyncio.CancelledError:
            self.broken_off += 1
            raise
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


async def test_the_first_answer_counts(state):
    person, slow, quick = Person(), Says(0, 60), Says(2)
    person.askers += [slow, quick]
    legal = state.legal_actions()
    thought = await person.think(Question.of(state, legal, 30.0, 7))
    assert thought.decision.action == legal[2]
    assert thought.decision.mode == HUMAN
    assert (thought.outcome, thought.number, thought.digest) == (Outcome.DECIDED, 7, state.digest())
    assert slow.broken_off == 1


@pytest.mark.parametrize("askers", [0, 1])
async def test_silence_is_answered_safely_and_is_late(state, askers):
    person = Person()
    person.askers += [Says(0, 60)] * askers
    thought = await person.think(Question.of(state, state.legal_actions(), 0.02))
    assert thought.outcome is Outcome.LATE
    assert thought.decision.action == fallback(state, state.legal_actions()).action


async def test_what_is_forced_is_not_asked(state):
    person = Person()
    (only, *_) = state.legal_actions()
    thought = await person.think(Question.of(state, (only,), 30.0))
    assert thought.decision.action == only


async def test_a_person_plays_more_than_one_game(state):
    person = Person()
    person.askers.append(Says(0))
    person.close()
    person.start_kyoku()
    assert (await person.think(Question.of(state, state.legal_actions(), 30.0))).outcome is Outcome.DECIDED


async def test_whoever_was_asked_hears_what_the_clock_answered(state):
    person, asker = Person(), Says(0, 60.0)
    person.askers.append(asker)
    legal = state.legal_actions()
    thought = await person.think(Question.of(state, legal, 0.05))
    assert asker.told == [(0.05, thought.decision.action)]
    asker.told.clear()
    person.askers.append(Says(1))
    assert (await person.think(Question.of(state, legal, 30.0))).outcome is Outcome.DECIDED
    assert asker.told == []


class Fails:
    """A way to ask that is broken, such as a terminal that has gone."""

    def missed(self, question, action):
        """It hears of it too."""

    async def ask(self, question):
        raise OSError(f"no terminal for question {question.number}")


async def test_a_way_to_ask_that_fails_costs_no_answer(state):
    person = Person()
    legal = state.legal_actions()
    person.askers += [Fails(), Says(2, 0.05)]
    thought = await person.think(Question.of(state, legal, 30.0))
    assert (thought.outcome, thought.decision.action) == (Outcome.DECIDED, legal[2])
    person.askers[:] = [Fails()]
    thought = await person.think(Question.of(state, legal, 0.05))
    assert (thought.outcome, thought.decision.action) == (Outcome.LATE, fallback(state, legal).action)
