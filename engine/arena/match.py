"""A whole game of four deciders in one process, without sockets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.arena.referee import Referee, Step
from engine.model.budget import Budget
from engine.model.events import Event
from engine.model.rules import HANCHAN, Rules
from engine.model.seats import four
from engine.policy.decision import Decider, Decision
from engine.policy.seated import Seated
from engine.state import GameState

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
    referee = Referee(rules, seed, names=four(each.name for each in deciders))
    seats = [Seated(number, rules, decider) for number, decider in enumerate(deciders)]
    decisions: tuple[list[Decision], ...] = ([], [], [], [])
    step = referee.start()
    while True:
        for event in step.events:
            for seat in seats:
                seat.apply(event)
        if watch is not None:
            watch(step, [seat.state for seat in seats])
        if step.over:
            return Game(tuple(referee.events), tuple(map(tuple, decisions)), referee.shuffle)
        answers = {}
        for number in step.prompts:
            state = seats[number].state
            decision = seats[number].player.decide(state, state.legal_actions(), budget)
            decisions[number].append(decision)
            answers[number] = decision.action
        step = referee.answer(answers)
