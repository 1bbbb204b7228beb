"""The rating of an audit: one number for a hand, a game or many, comparable with each other.

``R = 100 * (1 - sum(loss) / sum(stake))`` over all judged decisions: ``loss`` is the value lost relative to the
policy's choice (0 within the noise), ``stake`` the same for an action chosen at random among those evaluated. 100:
always the policy's choice or its equal. 0: as costly as choosing at random; below 0: worse. Decisions with nothing at
stake do not count, those with much at stake count for much, and the unit of the policy's values cancels out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt

from bot.audit.measure import Grade
from bot.audit.verdicts import JUDGED, Judgement, Verdict


@dataclass(frozen=True, slots=True)
class Score:
    """The sums over a set of decisions; scores can be added.

    Attributes:
        decisions: number of decisions.
        judged: number of decisions that could be compared.
        same: number of the policy's own choices.
        equal: number of other actions of equal worth.
        lost: value lost, in the unit of :mod:`bot.audit.measure`.
        stake: value that choosing at random would have lost.
        mistakes: number of differences graded as mistakes; blunders do not count here.
        blunders: number of those graded as blunders.
    """

    decisions: int = 0
    judged: int = 0
    same: int = 0
    equal: int = 0
    lost: float = 0.0
    stake: float = 0.0
    mistakes: int = 0
    blunders: int = 0

    @property
    def rating(self) -> float | None:
        """The rating, see the module; None if nothing was at stake."""
        return 100.0 * (1.0 - self.lost / self.stake) if self.stake > 0.0 else None

    @property
    def agreement(self) -> float | None:
        """Share of the judged answers that are the policy's choice or its equal, 0-1."""
        return (self.same + self.equal) / self.judged if self.judged else None

    @property
    def inaccuracies(self) -> int:
        """Number of differences that are neither mistakes nor blunders."""
        return self.differences - self.mistakes - self.blunders

    @property
    def differences(self) -> int:
        """Number of answers worth less than the policy's."""
        return self.judged - self.same - self.equal

    def __add__(self, other: Score) -> Score:
        return Score(
            self.decisions + other.decisions,
            self.judged + other.judged,
            self.same + other.same,
            self.equal + other.equal,
            self.lost + other.lost,
            self.stake + other.stake,
            self.mistakes + other.mistakes,
            self.blunders + other.blunders,
        )


def score(judgements: Iterable[Judgement]) -> Score:
    """Add up judgements."""
    total = Score()
    for each in judgements:
        counts = each.verdict in JUDGED
        total += Score(
            1,
            int(counts),
            int(each.verdict is Verdict.SAME),
            int(each.verdict is Verdict.EQUAL),
            each.loss or 0.0,
            each.stake if counts else 0.0,
            int(each.grade is Grade.MISTAKE),
            int(each.grade is Grade.BLUNDER),
        )
    return total


def total(scores: Iterable[Score]) -> Score:
    """The sum of scores."""
    return sum(scores, Score())


def standard_error(parts: Sequence[Score]) -> float | None:
    """Standard error of the rating of all ``parts`` together (hands of a game, games of a player), by the jackknife.

    Each part is left out once. Parts differ in what is at stake, so the rating is a ratio and not a plain mean.
    """
    whole = total(parts)
    weighty = [part for part in parts if part.stake > 0.0]
    if len(weighty) < 2 or whole.rating is None:
        return None
    without = []
    for part in weighty:
        stake = whole.stake - part.stake
        without.append(100.0 * (1.0 - (whole.lost - part.lost) / stake))
    mean = sum(without) / len(without)
    count = len(without)
    return sqrt((count - 1) / count * sum((one - mean) ** 2 for one in without))
