"""A view that one thread plays and others look at."""

from __future__ import annotations

import sys
import threading

import pytest

from engine.arena import play_game
from engine.model.rules import TONPU
from engine.policy.registry import make_policy
from engine.state import GameState, visible_to

ENOUGH = 20


@pytest.fixture
def restless():
    """Threads that take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("restless")
def test_other_threads_see_each_moment_whole():
    game = play_game([make_policy("tsumogiri") for _ in range(4)], TONPU, 3)
    events = [visible_to(event, 1) for event in game.events]
    stepped = GameState(1)
    moments = {stepped.digest()}
    for event in events:
        stepped.apply(event)
        moments.add(stepped.digest())
    state, over, seen = GameState(1), threading.Event(), []

    def look():
        while not over.is_set():
            seen.append(state.copy().digest())

    lookers = [threading.Thread(target=look) for _ in range(2)]
    for looker in lookers:
        looker.start()
    for _ in range(1_000):  # until the others, for whom a busy machine may have no time, have seen enough
        for event in events:
            state.apply(event)
        if len(set(seen)) >= ENOUGH:
            break
    over.set()
    for looker in lookers:
        looker.join()
    assert set(seen) <= moments
    assert len(set(seen)) >= ENOUGH
    assert state.digest() == stepped.digest()
