"""Counting for :mod:`engine.opponents.danger_tables`: tenpai, waits by class of tile, points of a deal-in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.model.events import Event
from engine.model.seats import relative
from engine.model.tiles import KINDS
from engine.opponents.danger_tables import LIVE, SHAPES, loss_groups, loss_row, suji_classes
from engine.opponents.facts import Opponent, flush_suit, mask_array, opponents, unseen34
from engine.opponents.genbutsu import genbutsu_masks
from engine.opponents.suji_kernels import CLASSES
from engine.train.truth import DiscardPoint, Held, discard_points, held_by

Floats = NDArray[np.float64]

PRIOR: Final = 50.0
"""Number of observations of its parent that each cell gets, so that rare cells stay reasonable."""


def _zeros(*shape: int) -> Callable[[], Floats]:
    return lambda: np.zeros(shape)


@dataclass
class SujiCounts:
    """Sums over all discards; along the last axis ``[..., 0]`` is the count and ``[..., 1]`` the total."""

    tenpai: Floats = field(default_factory=_zeros(*SHAPES["tenpai"], 2))
    wait: Floats = field(default_factory=_zeros(*SHAPES["wait"], 2))
    genbutsu_wait: Floats = field(default_factory=_zeros(3, 2))
    ron: Floats = field(default_factory=_zeros(3, 2))
    flush: Floats = field(default_factory=_zeros(5, 2, 3, LIVE, CLASSES, 2))
    """Like ``wait``, for hands that seem to collect a suit: by called melds, and outside or inside the suit."""
    points: Floats = field(default_factory=_zeros(*SHAPES["points"], 2))
    paid: list[tuple[tuple[int, int, int, int], int, float]] = field(default_factory=list)
    """Row of ``points``, group of the tile, and points of every ron."""
    discards: int = 0

    def observe(self, events: Sequence[Event]) -> None:
        """Add one game; all hands must be visible."""
        for point in discard_points(events):
            self.discards += 1
            state = point.state
            unseen = unseen34(state)
            safe = genbutsu_masks(state)
            for each in opponents(state):
                held = held_by(point.views[each.seat], state)
                self.tenpai[each.stance, each.called, each.turn] += (bool(held.waits), 1)
                if held.waits:
                    self._waits(each, unseen, safe[each.seat], held, flush_suit(state, each.seat))
                if each.seat in point.won_by:
                    self._ron(point, each)

    def _waits(
        self,
        each: Opponent,
        unseen: NDArray[np.int64],
        safe: int,
        opponent: Held,
        flush: int | None,
    ) -> None:
        classes, live = suji_classes(unseen, safe, each.yakuhai)
        known = mask_array(safe)
        held = np.zeros(KINDS)
        held[list(opponent.waits)] = 1.0
        _add(self.wait[each.stance, live], classes[~known], held[~known])
        if flush is not None:
            inside = (flush == _SUITS) | (_SUITS == 3)
            for side, part in enumerate((~known & ~inside, ~known & inside)):
                _add(self.flush[each.called, side, each.stance, live], classes[part], held[part])
        self.genbutsu_wait[each.stance] += (held[known].sum(), known.sum())
        self.ron[each.stance] += (len(opponent.rons), held[~known].sum())

    def _ron(self, point: DiscardPoint, each: Opponent) -> None:
        state = point.state
        first = min(point.won_by, key=lambda seat: relative(seat, point.seat))
        honba = (
            state.honba * state.rules.honba_points if each.seat == first else 0
        )  # only the first winner gets the honba
        points = point.paid[each.seat] - honba
        if points > 0:  # nothing is paid for a third ron, nor by the discarder if another player is liable
            row = loss_row(each)
            self.points[row] += (points, 1)
            self.paid.append((row, int(loss_groups(state, each)[point.tile >> 2]), points))

    def tables(self) -> dict[str, Any]:
        """The tables as plain values with four digits."""
        points = _points(self.points)
        wait = _waits_rates(self.wait)
        arrays = {
            "tenpai": _tenpai(self.tenpai),
            "wait": wait,
            "genbutsu_wait": _share(self.genbutsu_wait),
            "ron": _share(self.ron),
            "flush": self._flush(wait),
            "points": points.round(0),
            "points_factor": self._factors(points),
        }
        return {name: array.round(4).tolist() for name, array in arrays.items()}

    def _flush(self, wait: Floats) -> Floats:
        """Observed over expected waits outside the suit, relative to those inside; 1 where there are hardly any."""
        was = self.flush[..., 0].sum(axis=(2, 3, 4)) + PRIOR
        expected = (self.flush[..., 1] * wait).sum(axis=(2, 3, 4)) + PRIOR
        more = was / expected
        result: Floats = more[:, 0] / more[:, 1]
        return result

    def _factors(self, points: Floats) -> Floats:
        was, expected = np.zeros(SHAPES["points_factor"]), np.zeros(SHAPES["points_factor"])
        for row, group, paid in self.paid:
            was[row[0], group] += paid
            expected[row[0], group] += points[row]
        prior = PRIOR * 5_000.0
        result: Floats = (was + prior) / (expected + prior)
        return result


def _add(rows: Floats, classes: NDArray[np.intp], held: Floats) -> None:
    rows[:, 0] += np.bincount(classes, held, minlength=CLASSES)
    rows[:, 1] += np.bincount(classes, minlength=CLASSES)


_SUITS: Final = np.arange(KINDS) // 9


def _share(counted: Floats) -> Floats:
    result: Floats = counted[..., 0] / np.maximum(counted[..., 1], 1)
    return result


def _towards(counted: Floats, parent: Floats) -> Floats:
    """Shares, each shrunk towards its parent's."""
    result: Floats = (counted[..., 0] + PRIOR * parent) / (counted[..., 1] + PRIOR)
    return result


def _tenpai(counted: Floats) -> Floats:
    """Tenpai by stance, melds and turn; cells never seen take the rate of their melds. Riichi is always tenpai."""
    by_melds = _share(counted.sum(axis=2, keepdims=True))
    pooled = counted.copy()  # each turn borrows from its neighbours
    pooled[:, :, 1:] += 0.5 * counted[:, :, :-1]
    pooled[:, :, :-1] += 0.5 * counted[:, :, 1:]
    result = _towards(pooled, np.broadcast_to(by_melds, counted.shape[:-1]))
    result[0] = 1.0
    return result


def _waits_rates(counted: Floats) -> Floats:
    """Waits by stance, open two-sided waits and class; each cell is shrunk towards class rate times row factor."""
    by_class = _towards(counted.sum(axis=1), _share(counted.sum(axis=(0, 1)))[None])[:, None]
    was = counted[..., 0].sum(axis=2, keepdims=True)
    expected = (counted[..., 1] * by_class).sum(axis=2, keepdims=True)
    more = (was + PRIOR) / (expected + PRIOR)
    return _towards(counted, np.minimum(by_class * more, 1.0))


def _points(counted: Floats) -> Floats:
    """Means, each shrunk towards that of its stance and seat, and those towards that of the stance."""
    mean = counted[..., 0].sum() / max(counted[..., 1].sum(), 1)
    base = np.full(counted.shape[:1], mean)[:, None, None, None]
    for axes in ((1, 2, 3), (2, 3), (3,), ()):
        inner = counted.sum(axis=axes, keepdims=True) if axes else counted
        base = _towards(inner, base)
    return base
