"""Counting how often hands in riichi get what they wait for: by their own draws, and by the others' discards.

Both are relative to what the search would expect without these counts: a draw to the share of the waits among all tiles
that the player does not see, a discard to that share times the fitted rates of :mod:`engine.search.discard_tables`. The
figures are in :mod:`engine.policy.worth.forecast`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.model.seats import SEATS, round_wind34
from engine.policy.worth.forecast import RIICHI_DRAWS, RIICHI_GROUPS, RIICHI_WAITS
from engine.rules import code_kernels as codes
from engine.search.discard_tables import DRAWS, discard_tables, kind_classes, safety
from engine.train.counted import Counted
from engine.train.truth import kinds_of


@dataclass
class WaitingCounts:
    """Sums over recorded games.

    Attributes:
        sums: ``[number, expected number, number of states]`` by name of the constant, whether somebody else is in
            riichi, and group of own draws left.
    """

    sums: dict[tuple[str, int, int], NDArray[np.float64]] = field(
        default_factory=lambda: defaultdict(lambda: np.zeros(3))
    )

    def observe(self, moments: NDArray[Any]) -> None:
        """Add the moments of a game before draws and discards."""
        acting = moments["code"] >> codes.SEAT_AT & 3
        draws = moments["code"] & codes.TYPE == codes.DRAW
        for seat in SEATS:
            for at in np.flatnonzero((moments["riichi"][:, seat] > 0) & (draws == (acting == seat))).tolist():
                self._count(moments[at], seat, draws[at])

    def rows(self) -> Iterator[Counted]:
        """Every figure beside the constant in use; figures never observed are left out."""
        for name, used in (("RIICHI_WAITS", RIICHI_WAITS), ("RIICHI_DRAWS", RIICHI_DRAWS)):
            for against, group in np.ndindex(2, len(RIICHI_GROUPS)):
                number, expected, states = self.sums.get((name, against, group), np.zeros(3))
                if expected:
                    at = f"forecast.{name}[{against * len(RIICHI_GROUPS) + group}]"
                    yield Counted(at, used[against][group], float(number / expected), round(states))

    def _count(self, moment: Any, seat: int, draws: bool) -> None:
        """A player in riichi is about to draw, or another to discard."""
        unseen = 4 - moment["counts"][seat].astype(np.int64) - moment["open_tiles"]
        (waits,) = kinds_of(moment["waits"][seat : seat + 1])
        left = int(moment["wall"]) // 4
        if draws:
            name, expected = "RIICHI_DRAWS", int(unseen[waits].sum()) / int(unseen.sum())
        else:
            classes, dora = kind_classes(round_wind34(int(moment["kyoku"]))), np.minimum(moment["dora"], 1)
            river = safety(int(moment["river_mask"][seat]))
            chances = discard_tables().riichi_rates[classes, dora, river, min(left, DRAWS - 1)] * unseen
            name, expected = "RIICHI_WAITS", float(chances[waits].sum() / chances.sum())
        against = int((moment["riichi"] > 0).sum() > 1)
        group = next(at for at, end in enumerate(RIICHI_GROUPS) if left < end)
        hit = waits[moment["code"] >> codes.FIRST_AT + 2 & 63]
        self.sums[name, against, group] += (hit, expected, 1.0)
