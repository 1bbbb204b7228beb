"""Differences of an audit played on: whether the judge's choice brings more than what the player chose, by grade.

Every decision of a seat is judged as ``oshihiki audit`` does it. Where the judge would answer otherwise, the hand is
played to its end after either answer, by the network ``phoenix`` on all seats, with the hands that the others really
held and the tiles not yet drawn shuffled, the same way for both answers. Neither player nor judge saw those hands, so
that they favour neither answer over many decisions; hands drawn at random would forget what the others' discards tell.
The luck of the draws is taken out of each result (:mod:`engine.critic.luck`), which does not change its mean.
"""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from math import sqrt
from typing import Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import PlainSerializer, PlainValidator

from bot.lab.seats import Seat
from bot.review.measure import Grade, worth_of_one
from bot.review.verdicts import Judge, Judgement, Score, Side, Verdict, score
from engine.arena.playout import PlayoutError, Playouts, RecordedHand
from engine.critic.luck import luck_of_hands
from engine.critic.network import shipped_critic
from engine.critic.outcomes import PLACE, POINTS
from engine.policy.batches import PhoenixPlayers
from engine.policy.decision import Decider
from engine.train.played import recordings_of
from engine.worth.objective import make_objective
from protocol.logs.game_log import GameLog

RANKS: Final = np.arange(4.0)
CONFIDENT: Final = 1.96
"""Standard errors on either side of a mean that make a 95% interval."""


KeptScore = Annotated[
    Score,
    PlainValidator(lambda parts: parts if isinstance(parts, Score) else Score(*parts)),
    PlainSerializer(astuple),
]
"""A score, which a journal keeps as its parts in their order."""


class Compared(NamedTuple):
    """A difference, and what came of it. Amounts are in points at the table."""

    event: int  # position of the question in the log
    grade: Grade  # EQUAL for an answer within the noise
    disputed: Side | None  # whose opinion alone it rests on
    category: str  # what the decision was about
    loss: float  # what the judge states that the player's answer cost
    came: float  # what the judge's choice brought more, over all walls
    spread: float  # standard error of ``came``
    weight: float  # how many decisions it stands for, as one of a sample

    @property
    def group(self) -> str:
        """The grade, or ``disputed`` with whose opinion the judge's choice rests on alone."""
        return self.grade.value if self.disputed is None else f"disputed: {self.disputed.value}"


@dataclass(frozen=True, slots=True)
class GradedSeat:
    """One seat of a game, judged, and its differences played on."""

    log: str  # id of the log
    side: str  # whose seat it is: a player, a room
    score: KeptScore  # of all its decisions
    compared: tuple[Compared, ...]
    left_out: int  # differences whose hands the referee could not follow to that point


def grade_seat(seat: Seat, decider: Decider, walls: int, share: float, nodes: int | None = None) -> GradedSeat:
    """Judge every decision of a seat, and play a sample of its differences on; a hash of their places selects them.

    Args:
        seat: the seat.
        decider: the judge; its values must be worths of standings.
        walls: shuffled walls for each difference; 0: nothing is played on.
        share: share of the many differences that only strong play sees, and of equal answers, that is played on; of the
            rest all are.
        nodes: bound on the judge's search for each decision; None: its own.
    """
    judge, judgements = Judge(), list[Judgement]()
    compared: list[Compared] = []
    left_out = 0
    for point, decision in seat.decisions(decider, nodes):
        judged = judge.judge(point, decision)
        judgements.append(judged)
        many = judged.disputed is Side.NETWORK or judged.verdict is Verdict.EQUAL
        drawn = seat.drawn(point.place.event, share if many else 1.0)
        if judged.verdict not in {Verdict.DIFFERS, Verdict.EQUAL} or not drawn or not walls:
            continue
        came = _play_on(seat.log, seat.number, point.place.event, judged, decider, walls)
        if came is None or judged.grade is None:
            left_out += 1
            continue
        came /= worth_of_one(decision)
        spread = float(came.std(ddof=1) / sqrt(len(came)))
        mean, lost = float(came.mean()), judged.loss or 0.0
        what = point.place.event, judged.grade, judged.disputed, judged.category.value
        compared.append(Compared(*what, lost, mean, spread, 1.0 / share if many else 1.0))
    name = seat.log.info.log_id or seat.log.source
    return GradedSeat(name, seat.side, score(judgements), tuple(compared), left_out)


def _play_on(
    game: GameLog, seat: int, event: int, judged: Judgement, decider: Decider, walls: int
) -> NDArray[np.float64] | None:
    """Play a hand on after both answers; (walls,) what the judge's choice brought more, in the unit of its values.

    None if the referee cannot follow the hand, or the judge does not value standings.
    """
    rules, worth = game.start.rules, decider.standing(game.start.rules, seat)
    if worth is None or judged.played is None:
        return None
    answers = judged.chosen.action, judged.played.action
    try:
        playouts = Playouts(RecordedHand.until(rules, game.events, event), [*range(walls), *range(walls)])
        asked = int(playouts.tables.games[0].logged)
        first = [{seat: answer} for answer in answers for _ in range(walls)]
        brought = np.array([worth(after) for after in playouts.play_out(first, PhoenixPlayers())])
    except PlayoutError:
        return None
    ended = recordings_of(np.asarray(playouts.tables.games))
    luck = luck_of_hands(ended, np.arange(2 * walls), shipped_critic(), rules, since=asked)[:, seat]
    objective = make_objective("placement", rules)  # whatever the luck counts, the mean stays as it is
    place = float(np.polyfit(RANKS, objective.by_rank, 1)[0])
    brought -= place * luck[:, PLACE] + objective.per_point * luck[:, POINTS]
    difference: NDArray[np.float64] = brought[:walls] - brought[walls:]
    return difference


class Mean(NamedTuple):
    """A mean over decisions or games, and half the width of its 95% interval; None where there are too few."""

    mean: float | None
    either_side: float | None


def mean_of(values: Iterable[float]) -> Mean:
    """The mean of independent values."""
    found = np.array(list(values))
    if not len(found):
        return Mean(None, None)
    spread = CONFIDENT * float(found.std(ddof=1)) / sqrt(len(found)) if len(found) > 1 else None
    return Mean(float(found.mean()), spread)


def gain_of(seats: Sequence[GradedSeat], group: str | None = None) -> tuple[Mean, float | None]:
    """Mean gain of the judge's choice for each decision, and the gain that the judge stated; of one group or of all.

    Decisions of one game depend on each other, so that games are what is drawn: the error is that of a ratio of sums.
    """
    chosen = [[one for one in seat.compared if group in {None, one.group}] for seat in seats]
    weights = np.array([sum(one.weight for one in some) for some in chosen])
    sums = np.array([sum(one.weight * one.came for one in some) for some in chosen])
    stated = sum(one.weight * one.loss for some in chosen for one in some)
    whole = float(weights.sum())
    if not whole:
        return Mean(None, None), None
    mean = float(sums.sum()) / whole
    games = len(seats)
    off = sums - mean * weights
    spread = CONFIDENT * sqrt(float((off**2).sum()) * games / (games - 1)) / whole if games > 1 else None
    return Mean(mean, spread), stated / whole


def gain_per_point(seats: Sequence[GradedSeat], *, disputed: bool) -> Mean:
    """Gain for each point that the judge stated: the slope through zero, 1 if losses are worth what they say.

    Args:
        seats: the seats.
        disputed: whether the differences on which search and network disagree count too.
    """
    chosen = [[one for one in seat.compared if one.loss and (disputed or one.disputed is None)] for seat in seats]
    whole = sum(one.weight * one.loss**2 for some in chosen for one in some)
    if not whole or len(seats) < 2:
        return Mean(None, None)
    slope = sum(one.weight * one.loss * one.came for some in chosen for one in some) / whole
    off = np.array([sum(one.weight * one.loss * (one.came - slope * one.loss) for one in some) for some in chosen])
    return Mean(slope, CONFIDENT * sqrt(float((off**2).sum()) * len(seats) / (len(seats) - 1)) / whole)


def gain_per_game(seats: Sequence[GradedSeat]) -> Mean:
    """Mean gain of the judge's choices in a game, each played on by itself."""
    return mean_of(sum(one.weight * one.came for one in seat.compared) for seat in seats)
