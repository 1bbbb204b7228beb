"""How good a critic is, on games that it was not fitted on: its log loss, and how much luck it takes out of results."""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.critic.luck import luck_of_hands
from engine.critic.network import Critic, inputs_of
from engine.critic.outcomes import ENDS, seen_from
from engine.critic.worths import ends_of, place_changes
from engine.rules.code_kernels import DRAW
from engine.rules.moments import moments, next_kinds
from engine.rules.recordings import KyokuColumn, Recordings

STAGES: Final = {"56 and more": 56, "42 to 55": 42, "28 to 41": 28, "14 to 27": 14, "fewer than 14": 0}
"""Tiles in the wall: at least so many."""


def measure(critic: Critic, recordings: Recordings, hands: NDArray[np.int64]) -> dict[str, Any]:
    """The figures of a critic on recorded hands, rows of ``recordings.kyoku``."""
    return {"hands": len(hands), "ends": _log_losses(critic, recordings, hands), **_spread(critic, recordings, hands)}


def _log_losses(critic: Critic, recordings: Recordings, hands: NDArray[np.int64]) -> dict[str, Any]:
    """Log loss of how the hand ends, after the draw, by the tiles left in the wall; and that of the bare shares."""
    ends = ends_of(recordings).ends
    walls, losses, relatives = [], [], []
    for drawn in moments(recordings, hands, before=(DRAW,)):
        inputs = inputs_of(drawn)
        end = ends[drawn["row"]]
        relative, kinds = seen_from(end, inputs.seats), next_kinds(drawn)
        rows = np.arange(len(drawn))
        losses.append(-np.log(np.maximum(critic.forecast(inputs).ends[rows, kinds, relative], 1e-6)))
        walls.append(drawn["wall"].copy())
        relatives.append(relative)
    wall, loss, relative = np.concatenate(walls), np.concatenate(losses), np.concatenate(relatives)
    shares = np.bincount(relative, minlength=ENDS) / len(relative)
    bare = -np.log(np.maximum(shares, 1e-6))[relative]
    found: dict[str, Any] = {}
    below = np.inf
    for name, least in STAGES.items():
        here = (wall >= least) & (wall < below)
        below = least
        if here.any():
            means = {"log_loss": loss[here].mean(), "bare": bare[here].mean()}
            found[name] = {"n": int(here.sum()), **{key: round(float(mean), 4) for key, mean in means.items()}}
    return found


def _spread(critic: Critic, recordings: Recordings, hands: NDArray[np.int64]) -> dict[str, Any]:
    """Standard deviation of what hands bring a player, with luck and without, and the mean luck with its error."""
    luck = luck_of_hands(recordings, hands, critic)
    places, known = place_changes(recordings)
    points = recordings.kyoku[:, KyokuColumn.DELTA : KyokuColumn.DELTA + 4]
    rows = known[hands]
    found: dict[str, Any] = {}
    brought: dict[str, tuple[NDArray[Any], int]] = {"points": (points, 0), "places": (places, 4)}
    for at, (name, (each, digits)) in enumerate(brought.items()):
        came, chance = each[hands][rows].ravel(), luck[rows, :, at].ravel()
        plain, without = float(came.std()), float((came - chance).std())
        found[name] = {
            "spread": round(plain, digits),
            "without_luck": round(without, digits),
            "width": round(without / plain, 4),
            "mean_luck": round(float(chance.mean()), digits + 1),
            "correlation": round(float(np.corrcoef(came, chance)[0, 1]), 4),
        }
    return found
