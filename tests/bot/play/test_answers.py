"""What a person types at the terminal."""

from __future__ import annotations

import pytest

from bot.play.screen import answers, choices, parse_answer
from bot.replay.decisions import appearance
from engine.arena import Referee
from engine.model.actions import PASS, Action, ActionKind
from engine.policy.decision import Budget
from engine.policy.registry import make_policy
from engine.state import GameState, visible_to

EAST = [Action(ActionKind.DISCARD, tile) for tile in range(108, 112)]


@pytest.fixture(scope="module")
def questions():
    """What the seats of a game were asked: state and legal actions."""
    referee = Referee(seed=5)
    states = [GameState(seat) for seat in range(4)]
    deciders = [make_policy("simple") for _ in range(4)]
    step, found = referee.start(), []
    while not step.over and len(found) < 400:
        for event in step.events:
            for seat, state in enumerate(states):
                state.apply(visible_to(event, seat))
        replies = {}
        for seat in step.prompts:
            legal = states[seat].legal_actions()
            found.append((states[seat].copy(), legal))
            replies[seat] = deciders[seat].decide(states[seat], legal, Budget()).action
        step = referee.answer(replies)
    return found


def test_every_action_can_be_typed(questions):
    kinds = set()
    for state, legal in questions:
        found = answers(state, legal)
        typed = {appearance(parse_answer(text, state, legal)) for text in found}
        assert typed == {appearance(action) for action in legal}
        kinds |= {action.kind for action in legal}
        if any(action.kind is ActionKind.DISCARD for action in legal):
            assert "type a tile" in choices(state, legal)
    assert {ActionKind.DISCARD, ActionKind.RIICHI, ActionKind.CHI, ActionKind.PON, ActionKind.PASS} <= kinds


def test_the_drawn_tile_and_passing_are_short(questions):
    own = next((state, legal) for state, legal in questions if state.drawn is not None)
    assert parse_answer("d\n", *own) == Action(ActionKind.DISCARD, own[0].drawn)
    call = next((state, legal) for state, legal in questions if PASS in legal)
    assert parse_answer("\n", *call) == PASS
    assert "Enter: pass" in choices(*call)


def test_honours_have_several_spellings(questions):
    east = [(state, legal) for state, legal in questions if any(each in legal for each in EAST)]
    state, legal = east[0]
    assert {parse_answer(text, state, legal).tile >> 2 for text in ("1z", "E", "e", "東")} == {27}


@pytest.mark.parametrize("typed", ["x", "10m", "\x1b[A", "rr", "é" * 50])
def test_anything_else_is_refused_in_words(questions, typed):
    state, legal = questions[0]
    assert "not possible here" in parse_answer(typed, state, legal)
