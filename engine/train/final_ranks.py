"""Tables between the hands of recorded games with the final ranks, and how well chances of the ranks come true.

There is one row for every hand and player: the table before the hand, and the player's final rank. A tenth of all games
is held back (:mod:`engine.rules.recordings`) for evaluation.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.model.events import EndGame, Event, StartGame, StartKyoku
from engine.model.seats import SEATS, by_score
from engine.worth.placement import RANKS, features

Floats = NDArray[np.float32]
Numbers = NDArray[np.int64]


TABLE: Final = np.dtype(
    [
        *((name, np.int64) for name in ("game", "kyoku", "honba", "sticks", "last_kyoku")),
        ("scores", np.int64, 4),
        ("ranks", np.int64, 4),  # final rank by seat, 0 the first
    ]
)
"""A table between hands."""
Tables = Any
"""A record array of such tables."""


@dataclass
class Collector:
    """Collects the tables of games."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)
    games: int = 0

    def observe(self, events: Iterable[Event]) -> bool:
        """Add one game; returns False if the game has no end."""
        starts: list[StartKyoku] = []
        last = 7
        for event in events:
            if isinstance(event, StartGame):
                last = event.rules.last_kyoku
            elif isinstance(event, StartKyoku):
                starts.append(event)
            elif isinstance(event, EndGame) and starts:
                order = by_score(event.scores)
                ranks = [order.index(seat) for seat in SEATS]
                for start in starts:
                    facts = (start.kyoku, start.honba, start.riichi_sticks, last)
                    self.rows.append((self.games, *facts, start.scores, ranks))
                self.games += 1
                return True
        return False

    def tables(self) -> Tables:
        """The collected tables."""
        return np.array(self.rows, TABLE).view(np.recarray)


def inputs_of(tables: Tables) -> tuple[Floats, Numbers]:
    """(rows of features, final rank), four for each table, one for each player."""
    parts = []
    ranks = []
    for seat in SEATS:
        viewer = np.full(len(tables.kyoku), seat)
        parts.append(features(tables.scores, tables.kyoku, tables.honba, tables.sticks, viewer, tables.last_kyoku))
        ranks.append(tables.ranks[:, seat])
    return np.concatenate(parts), np.concatenate(ranks)


def log_loss(chances: Floats, ranks: Numbers) -> float:
    """Mean negative logarithm of the chance given to the outcome."""
    return float(-np.log(np.maximum(chances[np.arange(len(ranks)), ranks], 1e-9)).mean())


def calibration_error(chances: Floats, ranks: Numbers, bins: int = 15) -> float:
    """Expected calibration error over all four ranks, 0-1, with equal numbers of rows in each bin."""
    given = chances.ravel()
    was = (np.arange(RANKS) == ranks[:, None]).ravel()
    parts = np.array_split(np.argsort(given, kind="stable"), bins)
    return float(sum(abs(given[part].mean() - was[part].mean()) * len(part) for part in parts) / len(given))


def baseline(train: Tables, tables: Tables) -> Floats:
    """The naive prediction: how often a player in n-th place, with that many hands to go, ended in each rank.

    Rows are ordered as by :func:`inputs_of`.
    """
    counts = np.ones((2, 9, 4, RANKS))
    for seat in SEATS:
        np.add.at(counts, (*_standing(train, seat), train.ranks[:, seat]), 1.0)
    shares = counts / counts.sum(axis=-1, keepdims=True)
    result: Floats = np.concatenate([shares[_standing(tables, seat)] for seat in SEATS]).astype(np.float32)
    return result


def _standing(tables: Tables, seat: int) -> tuple[Numbers, Numbers, Numbers]:
    mine = tables.scores[:, [seat]]
    earlier = np.arange(4) < seat
    ahead = ((tables.scores > mine) | ((tables.scores == mine) & earlier)).sum(axis=1)
    left = np.clip(tables.last_kyoku - tables.kyoku, -1, 7) + 1
    return (tables.last_kyoku == 7).astype(np.int64), left, ahead
