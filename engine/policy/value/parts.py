"""The parts of an action's worth, by name: own wins, deal-ins, the exhausted wall, the others' wins, the places.

The search states the worth of an action as one number, and beside it the chance and the mean points of a win and the
chance of tenpai at an exhausted wall. How the hand ends otherwise is followed here from go-around to go-around: it
wins, with the chance by which the stated chance to win falls from one draw to the next; or it is given up, where the
search gives it up or with the chance that players do; or the drawn tile is discarded and deals in; or another player
ends the hand. The worths of these ends times their chances add up to the search's worth but for what a course turn by
turn cannot see. That is shared out among the parts that were followed, by their sizes, so that the sum is the search's
own. The worth of folding is a sum of these ends, and is taken apart exactly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.model.actions import CALLS, KANS
from engine.policy.decision import Parts
from engine.policy.value.risks import FoldEnds
from engine.search.evaluator import AS_IT_STANDS, CALLING, Stakes, TileChances, Worth

Floats = NDArray[np.float64]

CLOSED_DEALS_IN: Final = 1.3
"""Factor on the chance that each later discard of a closed hand deals in, which is stated of the hand as it stands: by
then it may be in riichi, and then it is not given up. With it 7,175 closed hands of recordings that were not held back
are stated to deal in as often as they did, in 13.5%, without it in 11.4%."""


class Course(NamedTuple):
    """How a hand goes on: what its ends bring in sum, each relative to an aborted hand, and two chances.

    Attributes:
        later: by deal-ins with later discards.
        others: by the others' wins.
        draw: by the exhausted wall.
        p_later: chance of such a deal-in, 0-1.
    """

    later: float
    others: float
    draw: float
    p_later: float

    def plus(self, other: "Course", chance: float) -> "Course":
        """This and another course that is taken with a chance."""
        return Course(*(own + chance * each for own, each in zip(self, other, strict=True)))


def fold_course(ends: FoldEnds, at: int, draws: int) -> Course:
    """The course of a hand that folds.

    Args:
        ends: the ends of folding.
        at: row of the hand in it.
        draws: own draws left.
    """
    later, others, draw = ends.worths[:, at, draws].tolist()
    return Course(later, others, draw, float(ends.deal_in[at, draws]))


@dataclass(frozen=True, slots=True)
class Paths:
    """Values that all courses of one decision share.

    Attributes:
        ends: the ends of folding, the last row with all tiles kept.
        tiles: chances of the tiles to come.
        by_draws: a chance to win by the own draws left, whose shape stands for that of actions without their own.
        tail: number of opponents who discard after the player's last discard.
        closed: whether the hand is closed.
    """

    ends: FoldEnds
    tiles: TileChances
    by_draws: tuple[float, ...]
    tail: int
    closed: bool

    def attacking(self, worth: Worth, stakes: Stakes, *, riichi: bool) -> Course | None:
        """The course of a hand that is played for a win; None if it is not known.

        Args:
            worth: the worth of the action, with its chance to win by the draws left.
            stakes: the stakes that it was evaluated with.
            riichi: whether the hand is in riichi from then on.
        """
        chances, own = self._chances(worth), int(riichi)
        if not chances:
            return None
        hazard, survive = stakes.hazard[own], stakes.survive[own]
        gives_up: Sequence[float] = (0.0,)
        if not riichi:
            kind = worth.choice.kind
            how = CALLING if kind in CALLS else AS_IT_STANDS
            draws = len(chances) - 1
            survive, gives_up = (
                self.tiles.by_draws(each[how], draws).tolist() for each in (self.tiles.survive, self.tiles.give_up)
            )
            if self.closed and kind not in CALLS and kind not in KANS:
                hazard = tuple([CLOSED_DEALS_IN * chance for chance in hazard])
        alive, dealt_in, ended = 1.0, 0.0, 0.0
        gave_up = Course(0.0, 0.0, 0.0, 0.0)
        for left in range(len(chances) - 1, 0, -1):
            if not riichi and chances[left] <= 0.0 and left < min(len(stakes.fold), self.ends.worths.shape[2]):
                gave_up = gave_up.plus(fold_course(self.ends, -1, left), alive)
                alive = 0.0
                break
            lasts, danger, gives = (each[min(left, len(each) - 1)] for each in (survive, hazard, gives_up))
            rest = (1.0 - danger) * lasts * (1.0 - gives) * chances[left - 1]
            wins = min(max((chances[left] - rest) / (1.0 - rest), 0.0), 1.0) if rest < 1.0 else 1.0
            alive *= 1.0 - wins
            dealt_in += alive * danger
            ended += alive * (1.0 - danger) * (1.0 - lasts)
            alive *= (1.0 - danger) * lasts
            if gives:
                at = min(left, self.ends.worths.shape[2] - 1)
                gave_up = gave_up.plus(fold_course(self.ends, -1, at), alive * gives)
                alive *= 1.0 - gives
        alive *= 1.0 - chances[0]
        lasts = survive[0] ** (self.tail / 3.0)  # those who discard after the last own discard may end it as well
        ended += alive * (1.0 - lasts)
        alive *= lasts
        noten, *tenpai = stakes.terminal
        ready = worth.p_tenpai or 0.0
        return Course(
            dealt_in * stakes.hazard_worth[own] + gave_up.later,
            ended * stakes.ended[own] + gave_up.others,
            ready * tenpai[own] + max(alive - ready, 0.0) * noten + gave_up.draw,
            dealt_in + gave_up.p_later,
        )

    def _chances(self, worth: Worth) -> Sequence[float]:
        """The chance to win by the draws left; of a kan, which has none, in the shape of another action's."""
        found = worth.p_win_by_draws
        if len(found) < len(self.by_draws) and worth.p_win is not None:
            share = worth.p_win / self.by_draws[-1] if self.by_draws[-1] > 0.0 else 0.0
            found = tuple(min(chance * share, 1.0) for chance in self.by_draws)
        return [0.0 if isnan(chance) else chance for chance in found]


def attack_parts(worth: Worth, course: Course, stakes: Stakes, rate: float) -> Parts:
    """The parts of an attack, which add up to ``worth.value``.

    Args:
        worth: the worth of the action.
        course: how the hand goes on.
        stakes: the stakes that it was evaluated with.
        rate: worth of one point.
    """
    chance, points = worth.p_win or 0.0, worth.win_points or 0.0
    win = chance * points * rate
    places = chance * (stakes.ron.of(points) + stakes.tsumo.of(points)) / 2.0 - win if chance else 0.0
    followed = {"places": places, "later": course.later, "others": course.others, "draw": course.draw}
    missing = worth.value - win - sum(followed.values())
    size = sum(abs(each) for each in followed.values())
    shared = {name: each + (missing * abs(each) / size if size else 0.0) for name, each in followed.items()}
    shared["places"] += 0.0 if size else missing
    return Parts(win=win, **shared)


def fold_parts(course: Course) -> Parts:
    """The parts of a fold."""
    return Parts(later=course.later, others=course.others, draw=course.draw)
