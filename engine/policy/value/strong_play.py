"""The choices of strong play: what they add to the values of actions.

The search knows the worth of an action only within an error, which is large far from a win. The network that imitates
strong programs estimates the chance p that they choose the action, and the actions are ranked by
``value + learned * log p``, in every decision. The factor is higher where the course of the hand is decided, in calls
and between pushing and folding against a riichi.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp, log
from typing import Final

from engine.model.actions import DISCARDS, Action, ActionKind
from engine.networks.imitation import Network, answer_of
from engine.networks.imitation_layout_kernels import WHO_PROGRAM
from engine.policy.scene import Scene
from engine.policy.value.ways import Way

RAREST: Final = 0.005
"""Lowest chance; smaller ones are raised to it, because the network cannot distinguish rare actions. A guess."""


def lean(ways: Sequence[Way], network: Network, scene: Scene, unit: float) -> list[Way]:
    """The ways with the chances that strong play chooses them, and what these add; its favourite loses nothing.

    Args:
        ways: the ways to answer.
        network: the imitating network.
        scene: scene of the decision.
        unit: what a unit of log p counts.
    """
    found = chances(network, scene, [way.action for way in ways])
    added = lean_by_tile(found, unit)
    most = max(added.values())
    return [replace(way, prior=found[way.action], lean=added[way.action] - most) for way in ways]


def decides_the_course(scene: Scene, ways: Sequence[Way]) -> bool:
    """Whether the hand calls or passes, or chooses between pushing and folding against a riichi.

    A hand that may declare riichi itself does not choose between pushing and folding.
    """
    if scene.asked_to_call:
        return True
    if not scene.position.riichi_against or ActionKind.RIICHI in scene.kinds:
        return False
    return {way.folds for way in ways if way.action.kind in DISCARDS} == {True, False}


def chances(network: Network, scene: Scene, actions: Sequence[Action]) -> dict[Action, float]:
    """The chance that the strongest program chooses each of these actions.

    Args:
        network: the imitating network.
        scene: scene of the decision.
        actions: legal actions, one of those that look the same.
    """
    logs, _ = network.of_state(scene.state, scene.legal, WHO_PROGRAM)
    row = logs.tolist()
    return {action: exp(row[answer_of(action)]) for action in actions}


def lean_by_tile(found: Mapping[Action, float], unit: float) -> dict[Action, float]:
    """The amount that is added to the value of each action if a unit of log p counts ``unit``; at most 0.

    Riichi and silent tenpai share the chance of their tile: between them values decide.
    """
    by_tile: dict[int, dict[ActionKind, float]] = {}
    for action, chance in found.items():
        if action.kind in DISCARDS:  # a red and a plain five are the same answer
            by_tile.setdefault(action.tile >> 2, {})[action.kind] = chance
    return {
        action: unit * log(max(sum(by_tile[action.tile >> 2].values()) if action.kind in DISCARDS else chance, RAREST))
        for action, chance in found.items()
    }
