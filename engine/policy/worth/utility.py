"""The currency of a hand: what every way it can end is worth to the viewer, before it has ended.

A way to end changes the scores, decides who deals next and whether there is a next hand. The worth of what follows is
the objective's at the end of the game, and before that its mean over the final ranks that
:mod:`engine.policy.worth.placement` expects. Everything is worked out at once for a position: some five hundred
endings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.rules import RIICHI_STICK, Rules
from engine.model.seats import SEATS, by_score, dealer_of, four, others
from engine.policy.worth.objective import Objective
from engine.policy.worth.placement import features, placement_model
from engine.scoring.payments import noten_payment
from engine.state import GameState
from engine.state.progress import final_scores, next_hand

Floats = NDArray[np.float64]

LIMITS: Final = (2_000, 3_000, 4_000, 6_000, 8_000, 16_000, 24_000)
"""Base points of the limit hands, two and three yakuman with them."""
FU: Final = (20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
OTHERS_BASE: Final = (240, 480, 960, 1_300, 2_000, 3_000, 4_000, 8_000)
"""Base points that an opponent's win is taken to have: 1 000, 2 000, 3 900, 5 200, 8 000, 12 000, 16 000, 32 000."""
OTHERS_SHARES: Final = (0.17, 0.2, 0.19, 0.12, 0.2, 0.08, 0.03, 0.01)
"""How often, before the shares are tilted towards the mean that is expected of that opponent."""


@cache
def bases() -> tuple[int, ...]:
    """Every base value that a win can have, ascending."""
    below = {fu << (2 + han) for fu in FU for han in range(1, 5)}
    return tuple(sorted({base for base in below if base < LIMITS[0]} | set(LIMITS)))


def payment(base: int, times: int) -> int:
    """A share of a win: base points so many times, rounded up to hundreds."""
    return (base * times + 99) // 100 * 100


class _Ending(NamedTuple):
    """One way the hand can end."""

    scores: tuple[int, ...]
    sticks: int
    dealer_stays: bool
    drawn: bool
    aborted: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """What a hand is played on.

    Attributes:
        rules: of the table.
        viewer: absolute seat whose worth is asked for.
        kyoku, honba, sticks: as in :class:`~engine.state.GameState`.
        scores: points by absolute seat, riichi paid.
    """

    rules: Rules
    viewer: int
    kyoku: int
    honba: int
    sticks: int
    scores: tuple[int, int, int, int]

    @classmethod
    def of(cls, state: GameState) -> Table:
        """The table of a state's viewer."""
        return cls(state.rules, state.seat, state.kyoku, state.honba, state.riichi_sticks, four(state.scores))

    @property
    def dealer(self) -> int:
        """Absolute seat."""
        return dealer_of(self.kyoku)

    def with_riichi(self) -> Table:
        """The same once the viewer has paid for a riichi."""
        scores = four(_shifted(self, -RIICHI_STICK))
        return Table(self.rules, self.viewer, self.kyoku, self.honba, self.sticks + 1, scores)

    def win(self, winner: int, base: int, loser: int) -> _Ending:
        """A win of ``base`` points; ``loser`` is the winner for a self-draw."""
        scores = list(self.scores)
        honba = self.rules.honba_points * self.honba
        paid = 0
        for seat in SEATS:
            if seat == winner or loser not in (winner, seat):
                continue
            if loser == winner:
                cost = payment(base, 2 if self.dealer in (seat, winner) else 1) + honba // 3
            else:
                cost = payment(base, 6 if winner == self.dealer else 4) + honba
            scores[seat] -= cost
            paid += cost
        scores[winner] += paid + RIICHI_STICK * self.sticks
        return _Ending(tuple(scores), 0, winner == self.dealer, drawn=False)

    def exhausted(self, tenpai: Sequence[bool]) -> _Ending:
        """An exhaustive draw."""
        number = sum(tenpai)
        paid = [noten_payment(number, tenpai=each) for each in tenpai]
        scores = tuple(score + change for score, change in zip(self.scores, paid, strict=True))
        return _Ending(scores, self.sticks, tenpai[self.dealer], drawn=True)

    def aborted(self) -> _Ending:
        """An aborted hand: it is dealt again, even in the last round with the dealer in the lead."""
        return _Ending(self.scores, self.sticks, dealer_stays=True, drawn=True, aborted=True)


def worth_of(table: Table, endings: Sequence[_Ending], objective: Objective) -> Floats:
    """float64[n]: the worth of each ending of a hand on this table to its viewer."""
    rules = table.rules
    result = np.empty(len(endings))
    open_at: list[int] = []
    nexts: list[tuple[int, int]] = []
    for at, ending in enumerate(endings):
        after = next_hand(
            rules, table.kyoku, table.honba, ending.scores,
            dealer_stays=ending.dealer_stays, drawn=ending.drawn, aborted=ending.aborted,
        )  # fmt: skip
        if after is None:
            result[at] = final_worth(final_scores(ending.scores, ending.sticks), table.viewer, objective)
        else:
            open_at.append(at)
            nexts.append(after)
    if open_at:
        scores = np.array([endings[at].scores for at in open_at], np.int64)
        sticks = np.array([endings[at].sticks for at in open_at], np.int64)
        kyoku, honba = np.array(nexts, np.int64).T
        result[open_at] = expected_worth(scores, kyoku, honba, sticks, table.viewer, rules, objective)
    return result


def expected_worth(
    scores: NDArray[np.int64],
    kyoku: NDArray[np.int64],
    honba: NDArray[np.int64],
    sticks: NDArray[np.int64],
    viewer: int,
    rules: Rules,
    objective: Objective,
) -> Floats:
    """float64[n]: the worth of tables before a hand is dealt; sticks on them are counted by the ranks alone."""
    count = len(kyoku)
    worth = objective.per_point * scores[:, viewer].astype(np.float64)
    if objective.ranked:
        rows = features(scores, kyoku, honba, sticks, np.full(count, viewer), np.full(count, rules.last_kyoku))
        worth += placement_model().ranks(rows).astype(np.float64) @ np.array(objective.by_rank)
    return np.asarray(worth)


def final_worth(scores: Sequence[int], viewer: int, objective: Objective) -> float:
    """The worth of a game's end."""
    rank = by_score(scores).index(viewer)
    return objective.by_rank[rank] + objective.per_point * scores[viewer]


@dataclass(frozen=True, slots=True)
class Currency:
    """The worth of every ending. The first axis of each array: without, with a riichi of the viewer still to be paid.

    Attributes:
        table: what it is of.
        objective: what is played for.
        gains_tsumo: float64[b], own gain of points by a self-draw of each of :func:`bases`, ascending, honba and
            sticks on the table included.
        tsumo: float64[2, b], its worth.
        gains_ron: float64[b], likewise by ron.
        ron: float64[2, 4, b], its worth by who deals in.
        others_tsumo: float64[2, 4, v], worth of a self-draw by each seat, of each of :data:`OTHERS_BASE`.
        others_ron: float64[2, 4, 4, v], worth of a ron, ``[winner, loser]``; the viewer may be the loser.
        exhausted: float64[2, 16], worth of the exhaustive draw by who is tenpai (bit ``seat``).
        now: worth of the table if this hand is aborted: what other worths are measured from.
        per_point: worth of one point more, all else equal.
    """

    table: Table
    objective: Objective
    gains_tsumo: Floats
    tsumo: Floats
    gains_ron: Floats
    ron: Floats
    others_tsumo: Floats
    others_ron: Floats
    exhausted: Floats
    now: float
    per_point: float


@lru_cache(maxsize=32)
def currency(table: Table, objective: Objective) -> Currency:
    """The worth of every ending of a hand on this table."""
    endings: list[_Ending] = []
    viewer = table.viewer
    opponents = list(others(viewer))
    tables = (table, table.with_riichi())
    for one in tables:
        endings += [one.win(viewer, base, viewer) for base in bases()]
        endings += [one.win(viewer, base, loser) for loser in opponents for base in bases()]
        endings += [one.win(winner, base, loser) for winner in opponents for loser in SEATS for base in OTHERS_BASE]
        endings += [one.exhausted([bool(mask >> seat & 1) for seat in SEATS]) for mask in range(16)]
    steady = [table.aborted(), table.aborted()._replace(scores=_shifted(table, 1_000))]
    worth = worth_of(table, endings + steady, objective)
    count, values = len(bases()), len(OTHERS_BASE)
    half = len(endings) // 2
    parts = worth[: 2 * half].reshape(2, half)
    ron = np.zeros((2, 4, count))
    ron[:, opponents] = parts[:, count : 4 * count].reshape(2, 3, count)
    won = np.zeros((2, 4, 4, values))
    won[:, opponents] = parts[:, 4 * count : half - 16].reshape(2, 3, 4, values)
    own = RIICHI_STICK * table.sticks + table.rules.honba_points * table.honba
    dealer = viewer == table.dealer
    drawn = [payment(base, 2) * 3 if dealer else payment(base, 2) + 2 * payment(base, 1) for base in bases()]
    return Currency(
        table=table,
        objective=objective,
        gains_tsumo=np.array(drawn, np.float64) + own,
        tsumo=parts[:, :count],
        gains_ron=np.array([payment(base, 6 if dealer else 4) for base in bases()], np.float64) + own,
        ron=ron,
        others_tsumo=np.stack([won[:, seat, seat] for seat in SEATS], axis=1),
        others_ron=won,
        exhausted=parts[:, half - 16 :],
        now=float(worth[-2]),
        per_point=float(worth[-1] - worth[-2]) / 1_000,
    )


def _shifted(table: Table, points: int) -> tuple[int, ...]:
    return tuple(score + points * (seat == table.viewer) for seat, score in enumerate(table.scores))


def others_points(dealer: bool) -> Floats:
    """float64[v]: what a ron of each of :data:`OTHERS_BASE` costs, by whether the winner deals."""
    return np.array([payment(base, 6 if dealer else 4) for base in OTHERS_BASE], np.float64)


@cache
def _tilted(dealer: bool) -> tuple[Floats, Floats]:
    """(means, shares[mean, v]): the usual shares tilted so far that the mean takes each of these values."""
    points = others_points(dealer)
    scaled = points / points.max()
    tilts = np.linspace(-60.0, 30.0, 181)
    shares = np.array(OTHERS_SHARES) * np.exp(tilts[:, None] * scaled)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares @ points, shares


def spread(mean: float, dealer: bool) -> Floats:
    """float64[v]: how likely each of :data:`OTHERS_BASE` is when a ron is expected to cost ``mean`` points."""
    means, shares = _tilted(dealer)
    at = int(np.clip(np.searchsorted(means, mean), 1, len(means) - 1))
    low, high = means[at - 1], means[at]
    part = min(max((mean - low) / (high - low), 0.0), 1.0)
    return np.asarray((1.0 - part) * shares[at - 1] + part * shares[at])
