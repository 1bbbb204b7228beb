"""Counting for :mod:`engine.opponents.danger_tables`: tenpai, waits by class of tile, points of a deal-in."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.model.events import Event
from engine.model.seats import relative
from engine.model.tiles import KINDS
from engine.opponents.danger_kernels import CLASSES, LAST_TURN, LIVE, loss_group, loss_row
from engine.opponents.danger_tables import SHAPES, suji_classes
from engine.opponents.facts import Opponent, kinds_of, suit_collected
from engine.rules.moments import next_kinds, unseen_by
from engine.train.fits import shares_in, shrunk, tally, zeros
from engine.train.yardstick import OPPONENTS, Won, discards_of, wins_on_discards

Floats = NDArray[np.float64]

PRIOR: Final = 50.0
"""Number of observations of its parent that each cell gets, so that rare cells stay reasonable."""


@dataclass
class SujiCounts:
    """Sums over all discards; along the last axis ``[..., 0]`` is the count and ``[..., 1]`` the total."""

    tenpai: Floats = field(default_factory=zeros(*SHAPES["tenpai"], 2))
    wait: Floats = field(default_factory=zeros(*SHAPES["wait"], 2))
    genbutsu_wait: Floats = field(default_factory=zeros(3, 2))
    ron: Floats = field(default_factory=zeros(3, 2))
    flush: Floats = field(default_factory=zeros(5, 2, 3, LIVE, CLASSES, 2))
    """Like ``wait``, for hands that seem to collect a suit: by called melds, and outside or inside the suit."""
    points: Floats = field(default_factory=zeros(*SHAPES["points"], 2))
    paid: list[tuple[tuple[int, int, int, int], int, float]] = field(default_factory=list)
    """Row of ``points``, group of the tile, and points of every ron."""
    discards: int = 0

    def observe(self, events: Sequence[Event]) -> None:
        """Add one game; all hands must be visible.

        Raises:
            HiddenTileError: a hand or a drawn tile is hidden.
        """
        moments, rows = discards_of(events)
        self.discards += len(moments)
        ready = rows["waits"] != 0
        tally(self.tenpai, (rows["stance"], rows["called"], np.minimum(rows["turn"], LAST_TURN)), ready)
        self._waits(moments, rows[ready])
        for at, won in enumerate(wins_on_discards(events)):
            for row in rows[OPPONENTS * at : OPPONENTS * (at + 1)]:
                if row["seat"] in won.by:
                    self._ron(moments[at], row, won)

    def _waits(self, moments: NDArray[Any], rows: NDArray[Any]) -> None:
        """Add what tenpai opponents wait on."""
        some = moments[rows["moment"]]
        unseen = unseen_by(some, some["turn"])
        known, held = kinds_of(rows["safe"]), kinds_of(rows["waits"])
        each = [
            suji_classes(mine, safe, yakuhai)
            for mine, safe, yakuhai in zip(unseen, rows["safe"].tolist(), rows["yakuhai"].tolist(), strict=True)
        ]
        classes = np.array([found for found, _ in each], np.intp).reshape(-1, KINDS)
        stance, live = (
            np.broadcast_to(column[:, None], held.shape)
            for column in (rows["stance"], np.array([one for _, one in each], np.intp))
        )
        tally(self.wait, (stance[~known], live[~known], classes[~known]), held[~known])
        for at in np.flatnonzero(some["melds"][np.arange(len(some)), rows["seat"]]).tolist():
            seat = rows["seat"][at]
            melds = some["meld_lows"][at, seat, : some["melds"][at, seat]].tolist()
            flush = suit_collected(melds, some["river_kinds"][at, seat, : some["lengths"][at, seat]].tolist())
            if flush is not None:
                inside = (flush == _SUITS) | (_SUITS == 3)
                here = self.flush[rows["called"][at]]
                for side, part in enumerate((~known[at] & ~inside, ~known[at] & inside)):
                    tally(here[side, stance[at, 0], live[at, 0]], (classes[at, part],), held[at, part])
        tally(self.genbutsu_wait, (stance[known],), held[known])
        rons = kinds_of(rows["rons"]).sum(axis=1)
        np.add.at(self.ron, rows["stance"], np.stack([rons, (held & ~known).sum(axis=1)], axis=1))

    def _ron(self, moment: Any, row: Any, won: Won) -> None:
        each = Opponent(*(row[name].item() for name in Opponent._fields))
        first = min(won.by, key=lambda seat: relative(seat, int(moment["turn"])))
        # only the first winner gets the honba
        points = won.paid[each.seat] - int(moment["honba"] * moment["honba_points"]) * (each.seat == first)
        if points > 0:  # nothing is paid for a third ron, nor by the discarder if another player is liable
            at = loss_row(each.stance, each.ippatsu, each.dealer, each.dora_seen, each.turn)
            self.points[at] += (points, 1)
            self.paid.append((at, loss_group(moment["dora"], each.yakuhai, next_kinds(moment)), points))

    def tables(self) -> dict[str, Any]:
        """The tables as plain values with four digits."""
        points = _points(self.points)
        wait = _waits_rates(self.wait)
        arrays = {
            "tenpai": _tenpai(self.tenpai),
            "wait": wait,
            "genbutsu_wait": shares_in(self.genbutsu_wait),
            "ron": shares_in(self.ron),
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


_SUITS: Final = np.arange(KINDS) // 9


def _towards(counted: Floats, parent: Floats) -> Floats:
    """Shares, each shrunk towards its parent's."""
    return shrunk(counted, parent, ((),), PRIOR)


def _tenpai(counted: Floats) -> Floats:
    """Tenpai by stance, melds and turn; cells never seen take the rate of their melds. Riichi is always tenpai."""
    by_melds = shares_in(counted.sum(axis=2, keepdims=True))
    pooled = counted.copy()  # each turn borrows from its neighbours
    pooled[:, :, 1:] += 0.5 * counted[:, :, :-1]
    pooled[:, :, :-1] += 0.5 * counted[:, :, 1:]
    result = _towards(pooled, np.broadcast_to(by_melds, counted.shape[:-1]))
    result[0] = 1.0
    return result


def _waits_rates(counted: Floats) -> Floats:
    """Waits by stance, open two-sided waits and class; each cell is shrunk towards class rate times row factor."""
    by_class = _towards(counted.sum(axis=1), shares_in(counted.sum(axis=(0, 1)))[None])[:, None]
    was = counted[..., 0].sum(axis=2, keepdims=True)
    expected = (counted[..., 1] * by_class).sum(axis=2, keepdims=True)
    more = (was + PRIOR) / (expected + PRIOR)
    return _towards(counted, np.minimum(by_class * more, 1.0))


def _points(counted: Floats) -> Floats:
    """Means, each shrunk towards that of its stance and seat, and those towards that of the stance."""
    mean = counted[..., 0].sum() / max(counted[..., 1].sum(), 1)
    return shrunk(counted, np.array(mean), ((1, 2, 3), (2, 3), (3,), ()), PRIOR)
