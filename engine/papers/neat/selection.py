"""NSGA-II: who survives and who breeds, with the sorting and the crowding of pymoo."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pymoo.operators.survival.rank_and_crowding.metrics import calc_crowding_distance
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Order:
    """The order of some individuals.

    Attributes:
        ranks: (n,) number of the front of each, 0 for those that nobody dominates.
        crowding: (n,) how far apart its neighbours on the front are.
    """

    ranks: NDArray[np.int64]
    crowding: Floats

    def best(self, count: int) -> NDArray[np.int64]:
        """The ``count`` best individuals: by front, then by crowding."""
        return np.lexsort((-self.crowding, self.ranks))[:count]

    def better(self, first: int, second: int) -> bool:
        """Whether the first is better than the second."""
        return (self.ranks[first], -self.crowding[first]) < (self.ranks[second], -self.crowding[second])


def ordered(fitness: Floats) -> Order:
    """The order of individuals with these objectives (n, 2), both of which are to be high."""
    ranks = np.zeros(len(fitness), np.int64)
    crowding = np.zeros(len(fitness))
    scaled = fitness / np.maximum(np.ptp(fitness, axis=0), 1e-9)
    for rank, front in enumerate(NonDominatedSorting().do(-scaled)):
        ranks[front] = rank
        crowding[front] = calc_crowding_distance(-scaled[front])
    return Order(ranks, crowding)


def tournament(order: Order, random: np.random.Generator) -> int:
    """The better of two random individuals."""
    first, second = random.integers(len(order.ranks), size=2).tolist()
    return int(first if order.better(first, second) else second)
