"""One-player mahjong: its walls, and what a network reaches on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.model.tiles import DORA_AFTER, KINDS, RED_FIVES
from engine.papers.neat import solo_kernels as kernels
from engine.papers.neat.network import Network, shape_tables, space_for

LEAST_SLOPE: Final = 1e-3
"""Least number of points of a unit of value, so that the order of discards is that of the network."""

Walls = NDArray[np.uint8]
"""(n, WALL) ``tile136``; see :mod:`engine.papers.neat.solo_kernels`."""


def make_walls(count: int, *seed: int) -> Walls:
    """``count`` random walls by seed."""
    tiles = np.tile(np.arange(kernels.TILES, dtype=np.uint8), (count, 1))
    return np.ascontiguousarray(np.random.default_rng(seed).permuted(tiles, axis=1)[:, : kernels.WALL])


@dataclass(frozen=True, slots=True)
class Played:
    """The results of some walls.

    Attributes:
        results: (n, RESULTS) float64, one row for each wall; see :mod:`engine.papers.neat.solo_kernels`.
        uses: (modules, LEADS, FAR) how often each module valued the hand that was kept.
        decisions: number of decisions.
    """

    results: NDArray[np.float64]
    uses: NDArray[np.int64]
    decisions: int

    @property
    def fitness(self) -> NDArray[np.float64]:
        """(n, 2): turns left at tenpai, and expected points at tenpai: the paper's objectives for each wall."""
        return np.stack(
            [kernels.DRAWS - self.results[:, kernels.TENPAI_TURN], self.results[:, kernels.EXPECTED]], axis=1
        )


def play(network: Network, walls: Walls, *, dora: bool = False) -> Played:
    """Play every wall, with dora and red fives or without."""
    net = network.net
    results = np.zeros((len(walls), kernels.RESULTS))
    uses = np.zeros((network.modules, kernels.LEADS, kernels.FAR), np.int64)
    decisions = kernels.play_walls(walls, dora, net, network.modules, shape_tables(), space_for(net), results, uses)
    return Played(results, uses, decisions)


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of the paper's Table 6 over some walls.

    Attributes:
        hands: number of hands.
        win_rate: share of hands won.
        points: mean points of a hand.
        points_per_win: mean points of a win; 0 without one.
        win_turn: mean turn of a win; 0 without one.
        tenpai_rate: share of hands that reached tenpai.
    """

    hands: int
    win_rate: float
    points: float
    points_per_win: float
    win_turn: float
    tenpai_rate: float


def summary(results: NDArray[np.float64]) -> Summary:
    """The figures of some results (n, RESULTS)."""
    won = results[:, kernels.WIN_TURN] > 0
    wins = max(int(won.sum()), 1)
    return Summary(
        len(results),
        float(won.mean()),
        float(results[:, kernels.POINTS].mean()),
        float(results[won, kernels.POINTS].sum() / wins),
        float(results[won, kernels.WIN_TURN].sum() / wins),
        float((results[:, kernels.EXPECTED] > 0).mean()),
    )


def scaled(network: Network, walls: Walls, results: NDArray[np.float64], *, dora: bool = False) -> Network:
    """The network with values in points: the line that fits the points of hands best, by the value of the deal."""
    net, space = network.net, space_for(network.net)
    values = np.empty(len(walls))
    for row, wall in enumerate(walls.tolist()):
        dealt = wall[: kernels.DEALT]
        space.counts[:] = np.bincount([tile >> 2 for tile in dealt], minlength=KINDS)
        bonus = 0
        if dora:
            kinds = [tile >> 2 for tile in dealt]
            bonus = kinds.count(DORA_AFTER[wall[-1] >> 2]) + sum(tile in RED_FIVES for tile in dealt)
        kernels.value_hand(net, network.modules, kernels.DEALT, bonus, 0, shape_tables(), space)
        values[row] = space.values[0]
    each, base = np.polyfit(values, results[:, kernels.EXPECTED], 1)
    return replace(network, scale=(float(base), max(float(each), LEAST_SLOPE)))
