"""A whole game of four deciders in one process, without sockets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.arena.referee import Referee, Step
from engine.model.budget import Budget
from engine.model.events import Event, StartKyoku
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import SEATS
from engine.policy.decision import Decider, Decision, Listener
from engine.state import GameState, visible_to

Watch = Callable[[Step, Sequence[GameState]], None]


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game.

    Attributes:
        events: all events, with full information.
        decisions: the decisions of each seat, in order.
        shuffle: the seed of the walls, as a log states it.
    """

    events: tuple[Event, ...]
    decisions: tuple[tuple[Decision, ...], ...]
    shuffle: str


def play_game(
    deciders: Sequence[Decider],
    rules: Rules = HANCHAN,
    seed: int = 0,
    budget: Budget | None = None,
    watch: Watch | None = None,
) -> Game:
    """Play one game. Each decider sees only what its seat may see.

    Args:
        deciders: four deciders; seat 0 is the first dealer.
        rules: rules of the table.
        seed: seed of the walls.
        budget: budget of every decision.
        watch: called with each step and the four states after it, before anyone answers.

    Raises:
        IllegalAnswerError: a decider chose an action that the referee does not allow.
    """
    budget = budget or Budget()
    referee = Referee(rules, seed, names=(deciders[0].name, deciders[1].name, deciders[2].name, deciders[3].name))
    states = [GameState(seat, rules) for seat in SEATS]
    listeners = [one if isinstance(one, Listener) else None for one in deciders]
    decisions: tuple[list[Decision], ...] = ([], [], [], [])
    step = referee.start()
    while True:
        for event in step.events:
            for seat, state in enumerate(states):
                seen = visible_to(event, seat)
                state.apply(seen)
                listener = listeners[seat]
                if listener is not None:
                    listener.hear(seen, seat)
            if isinstance(event, StartKyoku):
                for each in deciders:
                    each.start_kyoku()
        if watch is not None:
            watch(step, states)
        if step.over:
            return Game(tuple(referee.events), tuple(map(tuple, decisions)), referee.shuffle)
        answers = {}
        for seat in step.prompts:
            decision = deciders[seat].decide(states[seat], states[seat].legal_actions(), budget)
            decisions[seat].append(decision)
            answers[seat] = decision.action
        step = referee.answer(answers)
