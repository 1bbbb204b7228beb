"""Estimates over deals with their intervals, and an interval that holds whenever one looks.

An ordinary 95% interval (:class:`Estimate`) is right at one moment that was chosen beforehand. Whoever looks after each
deal, and stops as soon as the interval excludes zero, stops wrongly far more often than in 5% of the matches. The
interval of :func:`at_any_time` contains the mean at *all* times together, except with the stated probability, so that a
match may be stopped at any of them for any reason. It is Robbins' normal mixture with the estimated variance, which is
an asymptotic confidence sequence (I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas: Time-uniform central
limit theory and asymptotic confidence sequences, Annals of Statistics 52, 2024, theorem 2.2): after ``t`` deals with
standard deviation ``s`` it reaches

    s * sqrt(2 * (t * rho^2 + 1) / (t * rho)^2 * log(sqrt(t * rho^2 + 1) / error))

to either side of the mean. ``rho`` decides at which number of deals it is tightest; it is set for :data:`TIGHTEST`, and
from a quarter to ten times that number the interval is at most 8% wider than one set for the number itself. The
estimate of the variance needs some deals, so there is no interval before :data:`FIRST`. In simulated matches of 500
deals between equal players an error of 5% stopped 3.5% to 4.0%; an ordinary interval, looked at as often, 38%.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

NORMAL_95: Final = 1.96
"""Number of standard errors to either side that contain 95% of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and the half-width of its interval (95% unless stated); None if there was only one deal."""

    mean: float
    within: float | None

    @property
    def low(self) -> float:
        """Lower end of the interval; the mean itself if the interval is unknown."""
        return self.mean - (self.within or 0.0)

    @property
    def high(self) -> float:
        """Upper end of the interval; the mean itself if the interval is unknown."""
        return self.mean + (self.within or 0.0)

    @property
    def p_value(self) -> float | None:
        """Probability of a mean at least as far from 0 if the true one is 0, from a 95% interval; None without one."""
        if self.within is None:
            return None
        if not self.within:
            return 0.0 if self.mean else 1.0
        return math.erfc(NORMAL_95 * abs(self.mean) / self.within / math.sqrt(2.0))


Parts = Sequence[tuple[float, float]]
"""One pair of numbers for each deal, whose ratio is of interest: places and games, wins and hands."""


def ratio(parts: Parts) -> Estimate:
    """Sum of the first numbers over sum of the second, with the interval over deals.

    The variance is that of ``first - mean * second``, which is right for rates whose base (hands, games) varies too.
    The normal approximation holds from about thirty deals on.
    """
    mean, influence = _influence(parts)
    return Estimate(mean, _half_width(influence))


def difference(first: Parts, second: Parts) -> Estimate:
    """How much the ratio of the first exceeds that of the second, with the interval over deals.

    Both are of the same deals, so that whatever a deal gives to both cancels out: the test is paired.
    """
    mine, of_mine = _influence(first)
    theirs, of_theirs = _influence(second)
    return Estimate(mine - theirs, _half_width([one - other for one, other in zip(of_mine, of_theirs, strict=True)]))


def _influence(parts: Parts) -> tuple[float, list[float]]:
    """The ratio, and by how much each deal moves it (in sum 0); by nothing if the base is 0."""
    top = math.fsum(first for first, _ in parts)
    base = math.fsum(second for _, second in parts)
    if not base:
        return 0.0, [0.0] * len(parts)
    mean = top / base
    return mean, [(first - mean * second) / base for first, second in parts]


def _half_width(influence: Sequence[float]) -> float | None:
    count = len(influence)
    if count < 2:
        return None
    return NORMAL_95 * math.sqrt(math.fsum(one**2 for one in influence) * count / (count - 1))


FIRST: Final = 25
"""Number of deals before which nothing is decided."""
TIGHTEST: Final = 100
"""Number of deals, 400 games, at which the interval is tightest."""


def at_any_time(values: Sequence[float], error: float) -> Estimate:
    """The mean with an interval that holds at all times at once.

    Args:
        values: one number for each deal, in the order played.
        error: probability that the interval ever excludes the true mean, above 0 and below 1.

    Returns:
        the estimate; its half-width is None before :data:`FIRST` deals.
    """
    count = len(values)
    mean = math.fsum(values) / count if count else 0.0
    if count < FIRST:
        return Estimate(mean, None)
    variance = math.fsum((value - mean) ** 2 for value in values) / (count - 1)
    return Estimate(mean, math.sqrt(variance) * _width(count, error))


def certain(estimate: Estimate) -> bool:
    """Whether the interval excludes zero. Values that never differ from zero are no evidence of a difference."""
    return estimate.within is not None and abs(estimate.mean) > estimate.within


def _width(count: int, error: float) -> float:
    """Half-width in standard deviations after ``count`` deals."""
    spread = -2.0 * math.log(error)
    rho2 = (spread + math.log(spread) + 1.0) / TIGHTEST
    grown = count * rho2 + 1.0
    return math.sqrt(2.0 * grown / (count * count * rho2) * math.log(math.sqrt(grown) / error))
