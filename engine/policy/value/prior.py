"""The choices of strong play, beside what the search knows.

The search knows the worth of an action only within an error, which is large far from a win. A network of
:mod:`engine.imitation` estimates the chance p that strong play chooses the action. With that of ``selfplay``, which
learned in games of its own, the actions are ranked by ``value + learned * log p`` (:func:`lean_by_tile`), in every
decision. With that of ``phoenix``, of people (:func:`leans`), by::

    value + factor * error * log p

The errors below stand for what no depth of the search corrects, such as yaku that it cannot see. Between discards they
are small, so that the prior decides only where the search hardly distinguishes them. Nothing is added against a riichi
or when the best action is to fold, because the danger of a tile is left to the danger estimator.
"""

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Final, NamedTuple

from engine.imitation.network import Network, answer_of
from engine.model.actions import DISCARDS, Action, ActionKind
from engine.policy.scene import Scene

DISCARD_ERROR: Final = (5.0, 5.0, 5.0, 15.0, 25.0, 25.0, 25.0)
"""By shanten, the error in points of the difference between two discards: the weight of log p with which playouts went
best, on 2,860 decisions (``bench decisions --policy value:learned=0,riichi_bonus=0 --validation --matter discard
--disputed --within 300``)."""
CALL_ERROR: Final = (100.0, 150.0, 200.0, 250.0, 250.0, 250.0, 250.0)
"""By shanten, the error in points of the difference between a call and passing. A guess."""
RIICHI_ERROR: Final = 1_000.0
"""The error in points of the difference between riichi and silent tenpai, so large that strong players decide. A guess;
games and playouts show no gain."""
LEAST: Final = 0.005
"""Lowest chance; smaller ones are raised to it, because the network cannot distinguish rare actions. A guess."""

Chances = Mapping[Action, float]


class Factors(NamedTuple):
    """Factors on the error of the search: between discards or kans, riichi and silent tenpai, a call and passing."""

    discards: float
    riichi: float
    calls: float

    def concern(self, scene: Scene) -> bool:
        """Whether any of them plays a part in this decision."""
        if scene.asked_to_call:
            return bool(self.calls)
        return bool(self.discards or (self.riichi and ActionKind.RIICHI in scene.kinds))


def chances(network: Network, scene: Scene, actions: Sequence[Action], who: int) -> dict[Action, float]:
    """The chance that a strong player chooses each of these actions.

    Args:
        network: the imitating network.
        scene: scene of the decision.
        actions: legal actions, one of those that look the same.
        who: whom to imitate, a WHO_ number of :mod:`engine.imitation.layout_kernels`.
    """
    logs, _ = network.of_state(scene.state, scene.legal, who)
    row = logs.tolist()
    return {action: exp(row[answer_of(action)]) for action in actions}


def lean_by_tile(found: Chances, unit: float) -> dict[Action, float]:
    """The amount that is added to the value of each action if a unit of log p counts ``unit``; at most 0.

    Riichi and silent tenpai share the chance of their tile: between them values decide.
    """
    by_tile: dict[int, dict[ActionKind, float]] = {}
    for action, chance in found.items():
        if action.kind in DISCARDS:  # a red and a plain five are the same answer
            by_tile.setdefault(action.tile >> 2, {})[action.kind] = chance
    return {
        action: unit * log(max(sum(by_tile[action.tile >> 2].values()) if action.kind in DISCARDS else chance, LEAST))
        for action, chance in found.items()
    }


def leans(found: Chances, scene: Scene, factors: Factors) -> dict[Action, float]:
    """The amount that the prior adds to the value of each action, in points; at most 0.

    Args:
        found: chance of each action.
        scene: scene of the decision.
        factors: factors on the error of the search.
    """
    step = min(max(scene.shanten, 0), len(DISCARD_ERROR) - 1)
    if scene.asked_to_call:
        return {action: factors.calls * CALL_ERROR[step] * log(max(chance, LEAST)) for action, chance in found.items()}
    by_tile: dict[int, list[float]] = {}
    for action, chance in found.items():
        if action.kind in DISCARDS:
            by_tile.setdefault(action.tile >> 2, []).append(chance)
    added = {}
    for action, chance in found.items():
        of_tile = by_tile[action.tile >> 2] if action.kind in DISCARDS else [chance]
        added[action] = factors.discards * DISCARD_ERROR[step] * log(max(sum(of_tile), LEAST))
        if chance < max(of_tile):  # the likelier of riichi and silent tenpai keeps its value, however close they are
            added[action] += factors.riichi * RIICHI_ERROR * log(max(chance / max(of_tile), LEAST))
    return added
