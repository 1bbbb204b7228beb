"""Time for thought: close actions are played on to the end of the hand, in worlds drawn from what was seen.

All of them are played on in the same worlds, by the network of ``selfplay`` on all seats. What comes out counts beside
the stated values by the errors of both: the more worlds, the more. The worlds are drawn by the state alone, a round of
them at a time, until one action is certainly the best, the number asked for is reached, or the budget has run out. So
the same state and budget always give the same answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from engine.imitation.network import shipped_weights
from engine.model.actions import Action, ActionKind
from engine.model.budget import Budget
from engine.model.seats import others
from engine.policy.batches import LearnedPlayers
from engine.policy.scene import Scene
from engine.policy.standing import StandingWorth, standing_of
from engine.state import GameState
from engine.worlds.network import shipped_hidden, shipped_hidden_weights
from engine.worlds.worlds import can_be_drawn, copies, draw_worlds, play_out

ROUND: Final = 16
"""Worlds of a round: some tenths of a second. A guess."""
NODES: Final = 3_000
"""Search nodes in the time of a world, in which two actions are played on. Counted: 8.4 ms on a core that does nothing
else (253 decisions); in play, 200,000 nodes a second are given out, half of what such a core reaches."""
MOST: Final = 3
"""Actions that are played on at most. A guess."""
WITHIN: Final = 300.0
"""Points behind the best within which an action is played on: what stated differences are off by, see ERROR."""
LATE: Final = 9
"""Own discards from which on a discard is played on. A guess: of 107 decisions between two earlier discards, what 64
worlds said had nothing to do with what came of them."""
ERROR: Final = 150.0
"""Error of the difference of two stated values, in points. A guess: 499 recorded decisions suggest 140 to 290, and with
300, decisions that playing on changed came out no better (docs/thought.md)."""
SPREAD: Final = 6_000.0
"""Points by which the results of two actions in one world differ, as far as one world says. A guess at the upper end of
what was counted: 4,300 in the mean, 1,500 to 7,600 in eight of ten decisions."""
CERTAIN: Final = 2.0
"""Errors by which the best action must lead for no more worlds to be drawn. A guess."""

Points = NDArray[np.float64]


class Played(NamedTuple):
    """What came of playing an action on, in points beside the best by stated values.

    Attributes:
        gain: what is added to its value for it.
        came: the mean over the worlds.
        error: the standard error of ``came``.
    """

    gain: float
    came: float
    error: float


@dataclass(frozen=True, slots=True)
class Thought:
    """What came of playing close actions on.

    Attributes:
        worlds: number of worlds.
        played: by action.
    """

    worlds: int
    played: Mapping[Action, Played]


def helps(scene: Scene) -> bool:
    """Whether playing on may help: against a riichi, about a riichi or a call, and late."""
    state = scene.state
    return (
        any(state.riichi[seat] for seat in others(state.seat))
        or scene.asked_to_call
        or ActionKind.RIICHI in scene.kinds
        or len(state.rivers[state.seat]) >= LATE
    )


class Thinking:
    """Plays close actions on."""

    def __init__(self, worlds: int) -> None:
        """Make ready.

        Args:
            worlds: most worlds for a decision.

        Raises:
            WeightsError: weights are missing.
        """
        self._worlds = worlds
        self._hidden = shipped_hidden()
        self._player = LearnedPlayers()

    def digests(self) -> dict[str, str]:
        """The weights that take part, by their digests."""
        return {"hidden": shipped_hidden_weights().digest(), "playing on": shipped_weights("selfplay").digest()}

    def think(
        self,
        scene: Scene,
        options: Sequence[tuple[Action, float]],
        worth: StandingWorth,
        per_point: float,
        budget: Budget,
    ) -> Thought | None:
        """Play the options on that are close to the best; None if there are not two of them, or it would not help.

        Args:
            scene: scene of the decision.
            options: the actions with the values by which they are ranked, in points; best first.
            worth: of the standing after the hand.
            per_point: worth of a point at the table.
            budget: asked before each round after the first whether time is up; its nodes bound the worlds, too.
        """
        state = scene.state
        values = {action: value - options[0][1] for action, value in options[:MOST] if options[0][1] - value <= WITHIN}
        if len(values) < 2 or not helps(scene) or not can_be_drawn(state):
            return None
        actions = list(values)
        stated = np.array([values[action] for action in actions])
        seed = crc32(state.digest().encode())
        results = np.empty((len(actions), 0))
        weighed: list[Played] = []
        for number in range(self._rounds(budget.nodes)):
            if weighed and budget.expired():
                break
            found = self._round(state, actions, worth, seed + number) / per_point
            results = np.concatenate([results, found], axis=1)
            if results.size:
                weighed = _weighed(stated, results)
                if _is_certain(stated, weighed):
                    break
        return Thought(results.shape[1], dict(zip(actions, weighed, strict=True))) if weighed else None

    def _rounds(self, nodes: int | None) -> int:
        """Rounds at most."""
        most = self._worlds if nodes is None else min(self._worlds, nodes // NODES)
        return max(1, most // ROUND)

    def _round(self, state: GameState, actions: Sequence[Action], worth: StandingWorth, seed: int) -> Points:
        """(actions, worlds): what the hand brought."""
        worlds = draw_worlds(state, self._hidden, ROUND, seed)
        if not len(worlds):
            return np.empty((len(actions), 0))
        tables = copies(worlds, len(actions))
        play_out(tables, [{state.seat: action} for action in actions for _ in range(len(worlds))], self._player)
        brought = [worth(standing_of(tables.games[at])) for at in range(len(tables))]
        return np.array(brought).reshape(len(actions), len(worlds))


def _weighed(stated: Points, results: Points) -> list[Played]:
    """What playing on says of each action.

    Args:
        stated: (n,), values beside the first action.
        results: (n, worlds), at least one world.
    """
    worlds = results.shape[1]
    beside = results - results[0]
    came = beside.mean(axis=1)
    errors = np.sqrt(beside.var(axis=1) + SPREAD**2 / worlds) / worlds**0.5
    gains = (came - stated) * ERROR**2 / (ERROR**2 + errors**2)
    gains[0] = errors[0] = 0.0
    return [Played(*each) for each in zip(gains.tolist(), came.tolist(), errors.tolist(), strict=True)]


def _is_certain(stated: Points, weighed: Sequence[Played]) -> bool:
    """Whether the best action leads each other by enough errors of their difference."""
    values = [value + one.gain for value, one in zip(stated.tolist(), weighed, strict=True)]
    left = [(1.0 / ERROR**2 + 1.0 / one.error**2) ** -0.5 if one.error else 0.0 for one in weighed]
    best = int(np.argmax(values))
    return all(
        values[best] - value > CERTAIN * max(error, left[best])
        for at, (value, error) in enumerate(zip(values, left, strict=True))
        if at != best
    )
