"""The policy ``phoenix`` does what strong players would, by the imitating network. It takes every win."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final

import numpy as np

from engine.model.actions import DISCARDS, Action
from engine.model.tiles import RED_FIVES
from engine.networks.imitation import Network, answer_of, shipped_network, shipped_weights
from engine.networks.imitation_layout_kernels import WHO_OTHER, WHO_PHOENIX, WHO_PROGRAM, WHO_TOKUJOU
from engine.networks.trunk import Floats
from engine.policy.decision import Budget, Candidate, Decider, Decision
from engine.policy.explaining import does
from engine.policy.forced import forced
from engine.policy.grounds import GroundKind, ground
from engine.policy.settings import PhoenixSettings
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
    return by_chance(state, legal, *network.of_state(state, legal, who))


def by_chance(state: GameState, legal: Sequence[Action], logs: Floats, reds: Floats) -> list[Candidate]:
    """The actions by chance, from one row of each output of :meth:`Network.log_chances`."""
    alike: dict[int, list[Action]] = {}
    for action in legal:
        alike.setdefault(answer_of(action), []).append(action)
    found = [
        Candidate(action, float(np.exp(logs[answer])) * share)
        for answer, actions in alike.items()
        for action, share in _shares(state, actions, float(reds[answer % 34]))
    ]
    return sorted(found, key=lambda candidate: -candidate.value)


def _shares(state: GameState, actions: list[Action], red: float) -> list[tuple[Action, float]]:
    """The distinguishable actions behind one output of the network, each with its share of the chance.

    The discards of a plain and of a red five share it by the log-odds ``red``; of copies that look the same the drawn
    one is discarded; a call uses the red five.
    """
    if actions[0].kind not in DISCARDS:
        return [(max(actions, key=lambda action: sum(tile in RED_FIVES for tile in action.own)), 1.0)]
    by_look: dict[bool, Action] = {}
    for action in actions:
        is_red = state.rules.red_fives and action.tile in RED_FIVES
        if is_red not in by_look or action.tile == state.drawn:
            by_look[is_red] = action
    if len(by_look) == 1:
        return [(action, 1.0) for action in by_look.values()]
    share = float(1.0 / (1.0 + np.exp(-red)))
    return [(by_look[True], share), (by_look[False], 1.0 - share)]
