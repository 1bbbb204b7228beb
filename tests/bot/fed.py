"""A game fed by hand to those who watch a seat."""

from __future__ import annotations

from bot.deciding.ask import Outcome
from engine.arena import Referee
from engine.model.events import StartKyoku
from engine.policy.decision import Budget
from engine.policy.registry import make_policy
from engine.state import GameState, visible_to

NAMES = ("Anna", "Boris", "Clara", "Dmitri")


def feed_game(watcher, decisions=None, names=NAMES, seed=3):
    """Show a watcher a game of ``simple`` as seat 0 sees it, up to a number of its decisions.

    Returns the state of seat 0, and its last decision.
    """
    referee = Referee(seed=seed, names=names)
    states = [GameState(seat) for seat in range(4)]
    deciders = [make_policy("simple") for _ in range(4)]
    step, decision = referee.start(), None
    while True:
        for event in step.events:
            for seat, state in enumerate(states):
                state.apply(visible_to(event, seat))
            watcher.happened(states[0], visible_to(event, 0))
            if isinstance(event, StartKyoku):
                for decider in deciders:
                    decider.start_kyoku()
        if step.over:
            return states[0], decision
        answers = {}
        for seat in step.prompts:
            answer = deciders[seat].decide(states[seat], states[seat].legal_actions(), Budget())
            answers[seat] = answer.action
            if seat == 0:
                decision = answer
                watcher.decided(states[0], decision, Outcome.DECIDED)
                decisions = None if decisions is None else decisions - 1
        if decisions == 0:
            return states[0], decision
        step = referee.answer(answers)
