"""A policy behind its guard: what gets through can be played, shown and recorded; everything else is a fault."""

# ruff: noqa: ARG001, ARG002, T201 - policies need not use what they are given, and may print

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.deciding.ask import GuardedListener, GuardedPolicy, Outcome, Question, ask, guarded
from bot.deciding.fields import decision_fields, read_decision
from bot.deciding.thinker import Thinker
from bot.machine.outside import FAULTS, OutsideError
from bot.play.clock import ClockTracker
from bot.play.player import Player
from bot.play.record import dump
from bot.play.tally import Tally
from bot.wording.grounds import words
from engine.model.actions import WINS, Action, ActionKind
from engine.model.budget import Budget
from engine.model.rules import TONPU
from engine.policy.decision import Candidate, Decision, Seated
from engine.policy.forced import fallback
from engine.policy.grounds import FIGURES, Ground, GroundKind
from engine.policy.registry import POLICIES, make_policy
from engine.policy.simple.policy import SimplePolicy
from engine.state import GameState, visible_to
from engine.state.game import FACTS
from tests.games import game_of
from tests.oracles.naive_view import validate


@pytest.fixture(scope="module")
def states():
    """Every state of a game in which a seat is asked, some of them with a win."""
    found = []
    events = game_of("simple", 2).events
    views = [GameState(seat, TONPU) for seat in range(4)]
    for event in events:
        for seat, view in enumerate(views):
            view.apply(visible_to(event, seat))
            if view.legal_actions():
                found.append(view.copy())
    return found


@pytest.fixture(scope="module")
def some_states(states):
    """A twentieth of the states, and all with a win."""
    winning = [state for state in states if any(action.kind in WINS for action in state.legal_actions())]
    return [*states[::20], *winning]


@pytest.fixture(autouse=True)
def _no_faults_before():
    FAULTS.take()
    yield
    FAULTS.take()


def policy(answer):
    class Answers(SimplePolicy):
        def decide(self, state, legal, budget):
            return answer(state, legal, budget)

    return Answers()


def raising(error):
    def answer(state, legal, budget):
        raise error

    return policy(answer)


class Sly(Exception):  # noqa: N818 - a name is a name
    """Cannot be printed."""

    def __str__(self):
        raise RuntimeError

    __repr__ = __str__


def kinds():
    return [str(kind) for kind in FAULTS.take()]


ERRORS = [ValueError("x"), StopIteration(), GeneratorExit(), SystemExit(0), MemoryError(), RecursionError(), Sly()]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_whatever_it_raises_the_fallback_answers_and_takes_wins(some_states, capsys, error):
    guard = guarded(raising(error), "bad:Policy")
    wins = 0
    for state in some_states:
        legal = state.legal_actions()
        thought = ask(guard, state, legal, Budget())
        assert thought.outcome is Outcome.FAILED
        assert thought.decision == fallback(state, legal)
        wins += thought.decision.action.kind in WINS
    assert wins > 0
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith(f"oshihiki: policy bad:Policy: decide raised {type(error).__name__}")
    assert FAULTS.lines() == [f"policy bad:Policy: decide raised {type(error).__name__} ({len(some_states)} times)"]


def test_a_request_to_stop_is_not_the_policys(states):
    state = states[0]
    with pytest.raises(KeyboardInterrupt):
        ask(raising(KeyboardInterrupt()), state, state.legal_actions(), Budget())
    assert kinds() == []


async def test_in_its_own_thread_a_policy_cannot_stop_us(states):
    thinker = Thinker(raising(KeyboardInterrupt()))
    thought = await thinker.think(Question.of(states[0], states[0].legal_actions(), 30.0))
    thinker.close()
    assert thought.outcome is Outcome.FAILED
    assert kinds() == ["policy Answers: decide raised KeyboardInterrupt"]


FIRST = Action(ActionKind.DISCARD, 0)
NAN = float("nan")
ODD = [
    None,
    "discard 1m",
    Decision("discard 1m"),
    Decision(FIRST, nodes="x"),
    Decision(FIRST, per_point=NAN),
    Decision(FIRST, (FIRST,)),
    Decision(FIRST, (Candidate(FIRST, NAN),)),
    Decision(FIRST, (Candidate(FIRST, 1.0, p_win="often"),)),
    Decision(FIRST, (Candidate("x", 1.0),)),
    Decision(FIRST, grounds=("because",)),
    Decision(FIRST, grounds=(Ground(GroundKind.DISCARD),)),
    Decision(FIRST, grounds=(Ground(GroundKind.REMARK, None),)),
]


def test_a_ground_of_a_kind_that_nobody_can_word_is_left_out(states):
    state = states[0]
    answer = Decision(state.legal_actions()[0], grounds=(Ground("remark of mine", {}),))
    thought = ask(policy(lambda *_: answer), state, state.legal_actions(), Budget())
    assert (thought.outcome, thought.decision.grounds) == (Outcome.DECIDED, ())


@pytest.mark.parametrize("answer", ODD, ids=repr)
def test_a_value_that_is_no_decision_does_not_get_through(states, answer):
    """The tile of an action that would be legal is put in, so that nothing but the oddity is at fault."""
    state = states[0]
    legal = state.legal_actions()
    if isinstance(answer, Decision) and answer.action == FIRST:
        answer = replace(answer, action=legal[0])
    thought = ask(policy(lambda *_: answer), state, legal, Budget())
    assert thought.outcome in {Outcome.FAILED, Outcome.ILLEGAL}
    assert thought.decision == fallback(state, legal)


@pytest.mark.parametrize("tile", [-7, 136, 999, 1 << 70])
@pytest.mark.parametrize("kind", ActionKind)
def test_an_action_that_is_not_legal_is_named(states, kind, tile):
    state = states[0]
    thought = ask(policy(lambda *_: Decision(Action(kind, tile))), state, state.legal_actions(), Budget())
    assert thought.outcome is (Outcome.DECIDED if Action(kind, tile) in state.legal_actions() else Outcome.ILLEGAL)


numbers = st.one_of(
    st.none(), st.floats(), st.integers(), st.text(max_size=3), st.just(np.float32(1.5)), st.binary(max_size=2)
)
actions = st.builds(
    Action, st.sampled_from([*ActionKind, 99, "x"]), st.integers(-3, 140) | numbers, st.just(()) | st.tuples(numbers)
)
grounds = st.builds(
    Ground,
    st.sampled_from([*GroundKind, "x", None]),
    st.sampled_from([tuple(figures) for figures in FIGURES.values()]).flatmap(
        lambda names: st.fixed_dictionaries(dict.fromkeys(names, numbers))
    )
    | st.none(),
)
candidates = st.builds(
    Candidate, actions | st.none(), *[numbers] * 6, note=st.none() | st.text(max_size=3), prior=numbers
)
decisions = st.builds(
    Decision,
    st.just(FIRST) | actions | st.none(),
    st.lists(candidates, max_size=2).map(tuple) | st.none(),
    st.sampled_from(["attack", None, 3]),
    st.lists(grounds, max_size=2).map(tuple) | st.none(),
    st.sampled_from(["points", "", None]),
    numbers,
    numbers,
    numbers,
    numbers,
)


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(answer=decisions | st.none() | numbers)
def test_a_decision_that_gets_through_can_be_shown_recorded_and_read_back(states, answer):
    state = states[0]
    legal = state.legal_actions()
    if isinstance(answer, Decision) and answer.action == FIRST:
        answer = replace(answer, action=legal[0])
    try:
        decision = GuardedPolicy(policy(lambda *_: answer)).decide(state, legal, Budget())
    except OutsideError:
        return
    assert all(isinstance(each, str) for each in words(decision))
    fields = json.loads(dump(decision_fields(decision)))
    assert dump(decision_fields(read_decision(fields))) == dump(fields)


@pytest.mark.parametrize("name", POLICIES)
def test_our_own_policies_commit_no_fault_and_leave_the_view_as_it_is(states, name):
    guard = guarded(make_policy(name), name)
    for state in states[::25]:
        before = state.digest()
        guard.decide(state, state.legal_actions(), Budget(nodes=500))
        assert state.digest() == before  # they get the view itself, which whoever asks them still needs
        validate(state)
    assert guard.settings() == make_policy(name).settings()
    assert kinds() == []


class Broken(SimplePolicy):
    """Fails wherever it can, except where it decides."""

    @property
    def name(self):
        raise ValueError("name")

    @property
    def warning(self):
        return 5

    def settings(self):
        return {"a": NAN}

    def start_kyoku(self):
        raise OSError("start")

    def standing(self, rules, seat):
        raise KeyError("standing")

    def hear(self, event, seat):
        sys.exit(3)

    def close(self):
        raise MemoryError


def test_its_other_methods_fail_without_harm(states):
    guard = guarded(Broken(), "bad:Broken")
    assert isinstance(guard, GuardedListener)
    assert (guard.name, guard.warning, guard.settings(), guard.standing(TONPU, 0)) == ("Broken", "5", {}, None)
    guard.start_kyoku()
    guard.hear(None, 0)
    guard.close()
    assert ask(guard, states[0], states[0].legal_actions(), Budget()).outcome is Outcome.DECIDED
    assert kinds() == [
        "policy bad:Broken: name raised ValueError",
        "policy bad:Broken: settings raised ValueError",
        "policy bad:Broken: standing raised KeyError",
        "policy bad:Broken: start_kyoku raised OSError",
        "policy bad:Broken: hear raised SystemExit",
        "policy bad:Broken: close raised MemoryError",
    ]


def test_it_gets_a_state_of_its_own(states):
    def spoil(state, legal, budget):
        decision = SimplePolicy().decide(state, legal, budget)
        for name, value in [(name, getattr(state, name)) for name in FACTS]:
            if isinstance(value, list):
                value.clear()
            elif isinstance(value, bytearray):
                value[:] = bytes(len(value))
            else:
                setattr(state, name, None)
        return decision

    for state in states[::20]:
        before = state.digest()
        assert ask(policy(spoil), state, state.legal_actions(), Budget()).outcome is Outcome.DECIDED
        assert state.digest() == before
        validate(state)


class _Seen(SimplePolicy):
    def decide(self, state, legal, budget):
        self.saw = state
        return fallback(state, legal)


class _Estimator:
    """One from outside, which a policy of ours holds."""


def test_a_policy_of_ours_that_holds_a_class_from_outside_gets_a_copy_too(states, monkeypatch):
    monkeypatch.setattr(_Seen, "__module__", "engine.policy.seen")
    inner = _Seen()
    guarded(inner).decide(states[0], states[0].legal_actions(), Budget())
    assert inner.saw is states[0]
    inner.estimator = _Estimator()
    guarded(inner).decide(states[0], states[0].legal_actions(), Budget())
    assert inner.saw is not states[0]


def test_an_action_that_was_not_offered_is_not_allowed(states):
    """The server does not accept what it did not offer, also where our own rules would."""
    state = states[0]
    first, *rest = state.legal_actions()
    assert ask(policy(lambda *_: Decision(first)), state, rest, Budget()).outcome is Outcome.ILLEGAL
    assert Question.of(state, rest).allows(rest[0])
    assert not Question.of(state, rest).allows(Action(ActionKind.DISCARD, 999))


def test_text_that_a_policy_prints_goes_to_standard_error(states, capsys):
    def talk(state, legal, budget):
        print("from its method")
        thread = threading.Thread(target=print, args=("from its thread",))
        thread.start()
        thread.join()
        return fallback(state, legal)

    ask(policy(talk), states[0], states[0].legal_actions(), Budget())
    print("from us")
    said = capsys.readouterr()
    assert said.out == "from us\n"
    assert said.err == "from its method\nfrom its thread\n"


async def test_a_decision_without_end_is_abandoned_with_its_game(states):
    running, ended = threading.Event(), threading.Event()

    def loop(state, legal, budget):
        running.set()
        while not ended.is_set():
            time.sleep(0.001)
        return fallback(state, legal)

    thinker = Thinker(policy(loop))
    legal = states[0].legal_actions()
    for _ in range(2):
        thought = await thinker.think(Question.of(states[0], legal, 0.05))
        assert (thought.outcome, replace(thought.decision, elapsed=0.0)) == (Outcome.LATE, fallback(states[0], legal))
        assert await asyncio.to_thread(running.wait, 60.0)
    thinker.close()
    assert thinker._thread._thread.is_alive()  # it was not waited for
    assert thinker._thread._thread.daemon  # nor does the process wait for it
    ended.set()
    await asyncio.to_thread(thinker._thread._thread.join, 30.0)
    assert not thinker._thread._thread.is_alive()
    assert kinds() == ["policy Answers: decide was late"]


async def test_the_budget_of_a_decision_ends_with_its_game(states):
    ended, running = [], threading.Event()

    def loop(state, legal, budget):
        running.set()
        while not budget.expired():
            time.sleep(0.001)
        ended.append("by itself")
        return fallback(state, legal)

    thinker = Thinker(policy(loop))
    work = asyncio.ensure_future(thinker.think(Question.of(states[0], states[0].legal_actions(), 60.0)))
    assert await asyncio.to_thread(running.wait, 30.0)
    work.cancel()
    thinker.close()
    await asyncio.to_thread(thinker._thread._thread.join, 30.0)
    assert ended == ["by itself"]


async def test_a_failure_beside_the_policy_does_not_cost_a_win(states, monkeypatch):
    """Where answering itself fails, the answer is still the fallback's, not the blind one."""
    state = next(each for each in states if any(action.kind in WINS for action in each.legal_actions()))
    player = Player(Thinker(SimplePolicy()), ClockTracker(), Tally())
    player._seat = Seated(state.seat, state.rules, Thinker(SimplePolicy()))
    player._seat.state = state
    prompt = type("Prompt", (), {"flags": (1 << 8) - 1, "asked": None, "number": 1})()
    monkeypatch.setattr("bot.play.player.offered", lambda legal, _: legal)
    action, thought = player.answer_safely(prompt, player.question(prompt))
    assert action.kind in WINS
    assert thought.outcome is Outcome.FAILED
    assert player.tally.failed == 1
