"""The worth of the ends of a hand to the player who asks, and the risk of its discards.

Without stakes an evaluator values actions by the change of its own points. With stakes it values them by what follows
at the table: the standing, the dealer, the other players' wins and the danger of discards are then part of each value,
in whatever unit the caller uses.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from operator import ge
from typing import Final

import numpy as np
from numpy.typing import NDArray

LOWEST, HIGHEST, STEP = -100_000, 200_000, 100
"""Range of the changes of points that a utility is tabulated for, and the distance between two entries.
Derived: no change is beyond it, and points are hundreds."""

IN_POINTS: Final = "points"
"""The unit of values without stakes: the change of the player's own points."""


@dataclass(frozen=True, slots=True)
class Utility:
    """The worth of a change of one's own points: linear between knots, constant beyond the outermost.

    Attributes:
        points: changes of points, ascending.
        values: the worth of each.
        unit: what the values count.
    """

    points: tuple[float, ...] = (LOWEST, HIGHEST)
    values: tuple[float, ...] = (LOWEST, HIGHEST)
    unit: str = IN_POINTS

    def __post_init__(self) -> None:
        if len(self.points) != len(self.values) or len(self.points) < 2:
            raise ValueError("a utility needs as many values as points, and at least two")
        if any(map(ge, self.points, self.points[1:])):
            raise ValueError(f"the points of a utility must ascend, unlike {self.points}")

    def of(self, change: float) -> float:
        """The worth of one change."""
        above = bisect_right(self.points, change)
        if above in {0, len(self.points)}:
            return float(self.values[min(above, len(self.points) - 1)])
        low, high = self.points[above - 1], self.points[above]
        share = (change - low) / (high - low)
        return float(self.values[above - 1] + share * (self.values[above] - self.values[above - 1]))

    def table(self) -> NDArray[np.float64]:
        """float64, shape (3001,): the worth of ``LOWEST + STEP * i``."""
        changes = np.arange(LOWEST, HIGHEST + STEP, STEP, dtype=np.float64)
        return np.interp(changes, self.points, self.values)


POINTS: Final = Utility()


@dataclass(frozen=True, slots=True)
class Stakes:
    """The worth of every end of the hand to its player, and the risk of its discards, all in one unit.

    In each pair the first figure holds without, the second with a riichi that the player declares later or has
    declared. ``d`` counts own draws still to come.

    Attributes:
        tsumo, ron: worth of an own win, by the change of own points.
        ended: worth of a hand that another player ends without a loss for this one.
        terminal: worth of the exhaustive draw: noten, tenpai, tenpai in riichi.
        toll: for each ``tile34``, cost of discarding it from the present hand; empty: nothing.
        hazard: ``[own riichi][d]``: chance in a go-around that the drawn tile deals in when it is discarded; the last
            figure of a row holds beyond its end.
        hazard_worth: worth of the hand's end if it does.
        discard_ratios: ``[own riichi][d]``: how often others discard a tile that the hand waits for or could call,
            relative to the fitted rates; the last figure of a row holds beyond its end.
        wait_draws: ``[d]``: how often a hand in riichi draws a tile it waits for, relative to the tile's share of the
            unseen tiles; likewise.
        survive: ``[own riichi][d]``: chance that no other player ends the hand in the go-around; empty: the fitted one.
        fold: ``[d]``: worth of folding with ``d`` own draws left; empty: the hand never folds.
        kan_toll: cost of each kan made later; a kan made now is not charged.
        kans: the stakes that apply once a kan is made now, by its ``tile34``.
    """

    tsumo: Utility
    ron: Utility
    ended: tuple[float, float]
    terminal: tuple[float, float, float]
    toll: tuple[float, ...] = ()
    hazard: tuple[tuple[float, ...], tuple[float, ...]] = ((0.0,), (0.0,))
    hazard_worth: tuple[float, float] = (0.0, 0.0)
    discard_ratios: tuple[tuple[float, ...], tuple[float, ...]] = ((1.0,), (1.0,))
    wait_draws: tuple[float, ...] = (1.0,)
    survive: tuple[tuple[float, ...], ...] = ()
    fold: tuple[float, ...] = ()
    kan_toll: float = 0.0
    kans: tuple[tuple[int, Stakes], ...] = ()

    def __post_init__(self) -> None:
        if self.tsumo.unit != self.ron.unit:
            raise ValueError(
                f"self-draws are valued in {self.tsumo.unit} and rons in {self.ron.unit}; use one unit for both"
            )

    @property
    def unit(self) -> str:
        """What all values count."""
        return self.tsumo.unit

    def after_kan(self, tile34: int) -> Stakes:
        """The stakes once a kan of the kind has been made."""
        return dict(self.kans).get(tile34, self)

    def win_worth(self, change: float, tsumo: bool) -> float:
        """The worth of a win that changes the own points by so much."""
        return (self.tsumo if tsumo else self.ron).of(change)
