"""Settings of the policies, in a module of their own so that reading a configuration loads no policy."""

from dataclasses import dataclass
from typing import Annotated, Final

from engine.opponents.registry import NamesEstimator
from engine.search.registry import NamesEvaluator
from engine.settings import Among, Bounds
from engine.worth.objective import OBJECTIVES, ROOMS

_POINTS: Final = Bounds(0.0, 1_000_000.0)
_WEIGHT: Final = Bounds(0.0, 100.0)
_NODES: Final = Bounds(1, 10_000_000)

LEARNED: Final = "programs-large"
"""The network whose choices ``value`` weighs, by the name under which its weights are shipped."""

CALL_NODES: Final = 15_000
"""Default bound of a search that answers a discard, in which passing and each call are roots of their own. A guess:
the time of a decision depends on it."""


@dataclass(frozen=True, slots=True)
class DagPolicySettings:
    """Settings of the policy ``dag``."""

    # evaluator of an attack, as :func:`~engine.search.registry.make_evaluator` takes it
    evaluator: Annotated[str, NamesEvaluator()] = "dag:model=full"
    # bound of its work if the budget has none; the default takes well under a second
    nodes: Annotated[int, _NODES] = 100_000


@dataclass(frozen=True, slots=True)
class PhoenixSettings:
    """Settings of the policy ``phoenix``."""

    # whom to imitate: players of the phoenix room, the strongest program in the recordings, players of the upper-dan
    # room, or others
    imitates: Annotated[str, Among(("phoenix", "program", "upper", "other"))] = "phoenix"
    # small: one quick network for all players; large: one network for people, and one for programs
    size: Annotated[str, Among(("small", "large"))] = "small"

    @property
    def network(self) -> str:
        """The name under which the weights are shipped. Programs have large weights that were fitted to them last."""
        if self.size == "small":
            return "phoenix"
        return "programs-large" if self.imitates in ("program", "other") else "phoenix-large"


@dataclass(frozen=True, slots=True)
class ValueSettings:
    """Settings of the policy ``value``; amounts in points are converted at the worth of a point at the table."""

    # name of the objective; see :func:`~engine.worth.objective.make_objective`
    utility: Annotated[str, Among(OBJECTIVES)] = "placement"
    # dan, room: the player's own rank and room, for the objective ``dan``
    dan: Annotated[int, Bounds(0, 20)] = 16
    room: Annotated[str, Among(tuple(ROOMS))] = "phoenix"
    # danger estimator, as :func:`~engine.opponents.registry.make_estimator` takes it
    danger: Annotated[str, NamesEstimator()] = "model"
    # points by which attacking must be better than folding. The default is a guess.
    fold_within: Annotated[float, _POINTS] = 50.0
    # the same once the hand has folded, so that it does not go back and forth near the threshold. The default is a
    # guess.
    stay_folded: Annotated[float, _POINTS] = 300.0
    # points below which two actions count as equal. The default is a guess and changes no decision.
    noise: Annotated[float, _POINTS] = 30.0
    # highest shanten at which a call is considered. The default is a guess.
    calls_from: Annotated[int, Bounds(-1, 8)] = 3
    # points that a unit of the logarithm of an action's chance is worth, by the large network that imitates strong
    # programs; see :mod:`engine.policy.value.strong_play`. 0 turns it off; the higher, the more the policy plays like
    # the network. The default was fitted on playouts.
    learned: Annotated[float, _POINTS] = 20.0
    # factor on ``learned`` where the course of the hand is decided: a call or passing, pushing or folding against a
    # riichi. The default was fitted on playouts.
    learned_course: Annotated[float, _WEIGHT] = 4.0
    # evaluator of an attack, as :func:`~engine.search.registry.make_evaluator` takes it
    evaluator: Annotated[str, NamesEvaluator()] = "dag"
    # nodes, call_nodes: bounds of its work if the budget has none, ``call_nodes`` when a discard is answered; the
    # defaults take a third of a second, so that the fast clock suffices
    nodes: Annotated[int, _NODES] = 40_000
    call_nodes: Annotated[int, _NODES] = CALL_NODES
