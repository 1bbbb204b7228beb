"""The currency of a hand: the worth of every way it can end to the viewer.

An ending changes the scores, decides who deals next and whether there is a next hand. Its worth is that of the
objective if the game is over, and otherwise the mean over the final ranks that :mod:`engine.worth.placement`
predicts. All endings of a position, some five hundred, are computed at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.events import RyuukyokuKind
from engine.model.rules import RIICHI_STICK, Rules
from engine.model.seats import SEATS, by_score, dealer_of, four, others
from engine.model.standing import Standing, StandingWorth
from engine.rules.course import final_scores, next_hands
from engine.rules.course_kernels import OVER
from engine.scoring.payments import deltas_of, ryuukyoku_deltas
from engine.scoring.wins import total_points
from engine.state import GameState
from engine.worth.objective import Objective
from engine.worth.placement import features, placement_model

Floats = NDArray[np.float64]

LIMITS: Final = (2_000, 3_000, 4_000, 6_000, 8_000, 16_000, 24_000)
"""Base points of the limit hands, including double and triple yakuman. From the rules."""
FU: Final = (20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 110)
"""Every number of fu that a win can have. From the rules."""
OTHERS_BASE: Final = (240, 480, 960, 1_300, 2_000, 3_000, 4_000, 8_000)
"""Base points assumed for an opponent's win: a non-dealer's ron of 1,000, 2,000, 3,900, 5,200, 8,000, 12,000, 16,000
or 32,000 points. Derived: the commonest values of wins."""
OTHERS_SHARES: Final = (0.17, 0.2, 0.19, 0.12, 0.2, 0.08, 0.03, 0.01)
"""Share of each of :data:`OTHERS_BASE` before the shares are tilted towards the expected mean of that opponent. A
guess; the count has more low wins and fewer high ones (``train constants``)."""


@cache
def bases() -> tuple[int, ...]:
    """The base points that a win can have, in ascending order."""
    below = {fu << (2 + han) for fu in FU for han in range(1, 5)}
    return tuple(sorted({base for base in below if base < LIMITS[0]} | set(LIMITS)))


class _Ending(NamedTuple):
    """One way in which the hand can end."""

    scores: tuple[int, ...]
    sticks: int
    dealer_stays: bool
    drawn: bool
    aborted: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """The situation in which a hand is played.

    Attributes:
        rules: rules of the table.
        viewer: absolute seat for which the worth is computed.
        kyoku, honba, sticks: as in :class:`~engine.state.GameState`.
        scores: points by absolute seat; riichi sticks are paid.
    """

    rules: Rules
    viewer: int
    kyoku: int
    honba: int
    sticks: int
    scores: tuple[int, int, int, int]

    @classmethod
    def of(cls, state: GameState) -> "Situation":
        """The situation of the viewer of a state."""
        return cls(state.rules, state.seat, state.kyoku, state.honba, state.riichi_sticks, four(state.scores))

    @property
    def dealer(self) -> int:
        """Absolute seat of the dealer."""
        return dealer_of(self.kyoku)

    def with_riichi(self) -> "Situation":
        """The situation after the viewer has paid for a riichi."""
        scores = four(_shifted(self, -RIICHI_STICK))
        return Situation(self.rules, self.viewer, self.kyoku, self.honba, self.sticks + 1, scores)

    def win(self, winner: int, base: int, loser: int) -> _Ending:
        """The ending by a win of ``base`` base points; for a self-draw ``loser`` is the winner."""
        dealer = self.dealer
        deltas = deltas_of(base, winner, loser, dealer, self.honba, self.sticks, honba_points=self.rules.honba_points)
        scores = tuple(score + change for score, change in zip(self.scores, deltas, strict=True))
        return _Ending(scores, 0, winner == dealer, drawn=False)

    def exhausted(self, tenpai: Sequence[bool]) -> _Ending:
        """The ending by an exhaustive draw."""
        paid = ryuukyoku_deltas(RyuukyokuKind.EXHAUSTIVE, [seat for seat in SEATS if tenpai[seat]])
        scores = tuple(score + change for score, change in zip(self.scores, paid, strict=True))
        return _Ending(scores, self.sticks, tenpai[self.dealer], drawn=True)

    def aborted(self) -> _Ending:
        """The ending by an aborted hand, which is dealt again even in the last round with the dealer in the lead."""
        return _Ending(self.scores, self.sticks, dealer_stays=True, drawn=True, aborted=True)


def worth_of(situation: Situation, endings: Sequence[_Ending], objective: Objective) -> Floats:
    """float64[n]: the worth of each ending of a hand to the viewer of the situation."""
    rules = situation.rules
    count = len(endings)
    scores = np.array([ending.scores for ending in endings], np.int64)
    sticks = np.array([ending.sticks for ending in endings], np.int64)
    stays, drawn, aborted = np.array([ending[2:] for ending in endings], np.bool_).T.copy()
    last, kyoku, honba = (np.full(count, each) for each in (rules.last_kyoku, situation.kyoku, situation.honba))
    kyoku, honba = next_hands(
        last, rules.return_points, kyoku, honba, scores, dealer_stays=stays, drawn=drawn, aborted=aborted
    )
    result = np.empty(count)
    for at in np.flatnonzero(kyoku == OVER).tolist():
        result[at] = final_worth(final_scores(endings[at].scores, endings[at].sticks), situation.viewer, objective)
    goes_on = kyoku != OVER
    if goes_on.any():
        result[goes_on] = expected_worth(
            scores[goes_on], kyoku[goes_on], honba[goes_on], sticks[goes_on], situation.viewer, rules, objective
        )
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
    """float64[n]: the worth of situations before a hand is dealt; riichi sticks count only by way of the ranks."""
    count = len(kyoku)
    worth = objective.per_point * scores[:, viewer].astype(np.float64)
    if objective.ranked:
        rows = features(scores, kyoku, honba, sticks, np.full(count, viewer), np.full(count, rules.last_kyoku))
        worth += placement_model().ranks(rows).astype(np.float64) @ np.array(objective.by_rank)
    return np.asarray(worth)


def final_worth(scores: Sequence[int], viewer: int, objective: Objective) -> float:
    """The worth of the final scores of a game."""
    rank = by_score(scores).index(viewer)
    return objective.by_rank[rank] + objective.per_point * scores[viewer]


@dataclass(frozen=True, slots=True)
class Currency:
    """The worth of every ending. An axis of size 2 in front: without and with a riichi of the viewer to be paid.

    Attributes:
        situation: the situation in which the hand is played.
        objective: the objective.
        gains_tsumo: float64[b], own gain in points by a self-draw of each of :func:`bases`, ascending, including honba
            and riichi sticks on the table.
        tsumo: float64[2, b], worth of each of these self-draws.
        gains_ron: float64[b], own gain by ron likewise.
        ron: float64[2, 4, b], worth of each ron by the seat that deals in.
        others_tsumo: float64[2, 4, v], worth of a self-draw by each seat, of each of :data:`OTHERS_BASE`.
        others_ron: float64[2, 4, 4, v], worth of a ron, ``[winner, loser]``; the viewer may be the loser.
        exhausted: float64[2, 16], worth of the exhaustive draw by the bit set of the tenpai seats.
        now: worth of an aborted hand, relative to which other worths are stated.
        per_point: worth of one point more, all else equal.
    """

    situation: Situation
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
def currency(situation: Situation, objective: Objective) -> Currency:
    """The worth of every ending of a hand in this situation."""
    endings: list[_Ending] = []
    viewer = situation.viewer
    opponents = list(others(viewer))
    situations = (situation, situation.with_riichi())
    for one in situations:
        endings += [one.win(viewer, base, viewer) for base in bases()]
        endings += [one.win(viewer, base, loser) for loser in opponents for base in bases()]
        endings += [one.win(winner, base, loser) for winner in opponents for loser in SEATS for base in OTHERS_BASE]
        endings += [one.exhausted([bool(mask >> seat & 1) for seat in SEATS]) for mask in range(16)]
    steady = [situation.aborted(), situation.aborted()._replace(scores=_shifted(situation, 1_000))]
    worth = worth_of(situation, endings + steady, objective)
    count, values = len(bases()), len(OTHERS_BASE)
    half = len(endings) // 2
    parts = worth[: 2 * half].reshape(2, half)
    ron = np.zeros((2, 4, count))
    ron[:, opponents] = parts[:, count : 4 * count].reshape(2, 3, count)
    won = np.zeros((2, 4, 4, values))
    won[:, opponents] = parts[:, 4 * count : half - 16].reshape(2, 3, 4, values)
    own = RIICHI_STICK * situation.sticks + situation.rules.honba_points * situation.honba
    dealer = viewer == situation.dealer
    drawn = [total_points(base, dealer=dealer, tsumo=True) for base in bases()]
    return Currency(
        situation=situation,
        objective=objective,
        gains_tsumo=np.array(drawn, np.float64) + own,
        tsumo=parts[:, :count],
        gains_ron=np.array([total_points(base, dealer=dealer, tsumo=False) for base in bases()], np.float64) + own,
        ron=ron,
        others_tsumo=np.stack([won[:, seat, seat] for seat in SEATS], axis=1),
        others_ron=won,
        exhausted=parts[:, half - 16 :],
        now=float(worth[-2]),
        # in a game that is decided the network of placements may say that points cost something
        per_point=max(float(worth[-1] - worth[-2]), 0.0) / 1_000,
    )


def _shifted(situation: Situation, points: int) -> tuple[int, ...]:
    return tuple(score + points * (seat == situation.viewer) for seat, score in enumerate(situation.scores))


def others_points(dealer: bool) -> Floats:
    """float64[v]: points of a ron of each of :data:`OTHERS_BASE`; ``dealer`` says whether the winner is the dealer."""
    return np.array([total_points(base, dealer=dealer, tsumo=False) for base in OTHERS_BASE], np.float64)


@cache
def _tilted(dealer: bool) -> tuple[Floats, Floats]:
    """(means, shares[mean, v]): the usual shares, tilted exponentially to means on a grid."""
    points = others_points(dealer)
    scaled = points / points.max()
    tilts = np.linspace(-60.0, 30.0, 181)
    shares = np.array(OTHERS_SHARES) * np.exp(tilts[:, None] * scaled)
    shares /= shares.sum(axis=1, keepdims=True)
    return shares @ points, shares


def spread(mean: float | Floats, dealer: bool) -> Floats:
    """float64[…, v]: chance of each of :data:`OTHERS_BASE` if a ron costs ``mean`` points on average."""
    means, shares = _tilted(dealer)
    at = np.clip(np.searchsorted(means, mean), 1, len(means) - 1)
    low, high = means[at - 1], means[at]
    part = np.clip((mean - low) / (high - low), 0.0, 1.0)[..., None]
    return np.asarray((1.0 - part) * shares[at - 1] + part * shares[at])


def standing_worth(objective: Objective, rules: Rules, seat: int) -> StandingWorth:
    """A function that returns the worth of a standing to a seat at a table with these rules."""

    def worth(standing: Standing) -> float:
        if standing.over:
            return final_worth(standing.scores, seat, objective)
        scores, kyoku, honba, sticks = (
            np.array([each], np.int64) for each in (standing.scores, standing.kyoku, standing.honba, standing.sticks)
        )
        return float(expected_worth(scores, kyoku, honba, sticks, seat, rules, objective)[0])

    return worth
