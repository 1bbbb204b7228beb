"""The policy ``phoenix`` does what strong players would, by the imitating network. It takes every win."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

import numpy as np

from engine.model.actions import Action
from engine.networks.imitation import Network, answer_chances, shipped_network, shipped_weights
from engine.networks.imitation_layout_kernels import WHO_OTHER, WHO_PHOENIX, WHO_PROGRAM, WHO_TOKUJOU
from engine.policy.decision import Budget, Candidate, Decider, Decision
from engine.policy.explaining import does
from engine.policy.forced import forced
from engine.policy.grounds import GroundKind, ground
from engine.policy.settings import PhoenixSettings
from engine.rules.answer_kernels import NUMBER
from engine.rules.answers import number_of, words_of
from engine.settings import JSON
from engine.state import GameState

UNIT: Final = "chance"
"""Unit of a candidate's value: the chance, 0-1, that the imitated players choose the action."""
NOISE: Final = 0.01
"""Difference of chances below which two actions count as equal. A guess; it changes no decision."""
WORTH_SAYING: Final = 0.05
"""Lowest chance at which another action is mentioned in the grounds. A guess; it changes no decision."""
PLAYERS: Final = {
    "phoenix": WHO_PHOENIX,
    "program": WHO_PROGRAM,
    "upper": WHO_TOKUJOU,
    "other": WHO_OTHER,
}
"""The setting ``imitates`` as an input of the network. Derived: the number in the training data."""


class PhoenixPolicy(Decider):
    """See the module."""

    name = "phoenix"

    def __init__(self, seed: int = 0, settings: PhoenixSettings | None = None) -> None:
        del seed  # nothing here is random
        self._settings = settings or PhoenixSettings()
        self._weights = shipped_weights(self._settings.network)
        self._network = shipped_network(self._settings.network)

    def settings(self) -> Mapping[str, JSON]:
        """The imitated players, and the hash of the weights."""
        return {**asdict(self._settings), "weights": {self.name: self._weights.digest()}}

    def decide(self, state: GameState, legal: Sequence[Action], budget: Budget) -> Decision:  # noqa: ARG002
        """Choose; see :class:`~engine.policy.decision.Decider`. Far quicker than any budget."""
        settled = forced(legal)
        if settled is not None:
            return settled
        ranked = imitate(self._network, state, legal, PLAYERS[self._settings.imitates])
        grounds = [ground(GroundKind.IMITATES, does=does(state, ranked[0].action), chance=ranked[0].value)]
        grounds += [
            ground(GroundKind.OR_ELSE, does=does(state, other.action), chance=other.value)
            for other in ranked[1:3]
            if other.value >= WORTH_SAYING
        ]
        return Decision(ranked[0].action, tuple(ranked), grounds=tuple(grounds), unit=UNIT, noise=NOISE)


def imitate(network: Network, state: GameState, legal: Sequence[Action], who: int) -> list[Candidate]:
    """The chance of each distinguishable action, likeliest first.

    Args:
        network: the network.
        state: the view of the seat to move.
        legal: the legal actions, without a win.
        who: whom to imitate, a WHO_ number.
    """
    red_fives = state.rules.red_fives
    numbers = [number_of(action, state.drawn, red_fives) & NUMBER for action in legal]
    logs, reds = network.of_state(state, legal, who)
    asked = np.array([words_of(numbers)]), np.array([-1 if state.drawn is None else state.drawn]), np.array([red_fives])
    (chances,) = answer_chances(logs[None], reds[None], *asked).tolist()
    found = [
        Candidate(action, chances[number])
        for action, number in zip(legal, numbers, strict=True)
        if chances[number] >= 0.0
    ]
    return sorted(found, key=lambda candidate: -candidate.value)
