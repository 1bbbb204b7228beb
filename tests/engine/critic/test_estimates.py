"""The sequential test: how often it stops a match between equals, how soon one between players who differ."""

import math

import numpy as np
import pytest

from engine.critic.estimates import FIRST, Estimate, at_any_time, certain

ERROR = 0.05


def matches(seed, count, deals, edge=0.0):
    """Differences in mean place of one player to the three others, (count, deals); it wins a game more with ``edge``.

    In each of a deal's four games the places are a permutation, so the player's own place decides the difference.
    """
    chances = np.full(4, 0.25)
    chances[0] += edge
    chances[3] -= edge
    places = np.random.default_rng(seed).choice(np.arange(1, 5), size=(count, deals, 4), p=chances)
    own = places.mean(axis=2)
    return own - (10.0 - own) / 3.0


def sure_after(differences, width):
    """Whether the interval excludes zero, (matches, deals); ``width`` in standard deviations by number of deals."""
    counts = np.arange(1, differences.shape[1] + 1)
    means = np.cumsum(differences, axis=1) / counts
    variances = (np.cumsum(differences**2, axis=1) - counts * means**2) / np.maximum(counts - 1, 1)
    widths = np.array([width(count) if count >= FIRST else 0.0 for count in counts])
    return (np.abs(means) > np.sqrt(variances) * widths) & (counts >= FIRST)


def always_valid(count):
    """The half-width of the interval under test in standard deviations."""
    values = [0.0, 1.0] * (count // 2) + [0.5] * (count % 2)
    return at_any_time(values, ERROR).within / np.std(values, ddof=1)


def stops(differences):
    """The number of deals after which each match stops; 0 if it never does."""
    sure = sure_after(differences, always_valid)
    return np.where(sure.any(axis=1), sure.argmax(axis=1) + 1, 0)


@pytest.mark.slow
def test_equal_players_are_seldom_told_apart_however_often_one_looks():
    wrong = np.count_nonzero(stops(matches(1, 3000, 500)))
    assert 0 < wrong / 3000 <= ERROR


def test_an_ordinary_interval_would_err_far_more_often():
    """What the test is for: the same matches with 1.96 standard errors, looked at after every deal."""
    sure = sure_after(matches(1, 3000, 500), lambda count: 1.96 / math.sqrt(count))
    assert np.mean(sure.any(axis=1)) > 0.2


def test_a_clear_difference_stops_a_match_early():
    found = stops(matches(2, 500, 500, edge=0.08))
    assert np.mean(found > 0) > 0.95
    assert np.median(found[found > 0]) < 150


def test_the_interval_by_hand():
    values = [0.5, -0.5] * 50
    found = at_any_time(values, ERROR)
    rho2 = (-2 * math.log(ERROR) + math.log(-2 * math.log(ERROR)) + 1) / 100
    deviation = math.sqrt(25 / 99)
    width = math.sqrt(2 * (100 * rho2 + 1) / (100**2 * rho2) * math.log(math.sqrt(100 * rho2 + 1) / ERROR))
    assert found.mean == 0.0
    assert found.within == pytest.approx(deviation * width)


def test_nothing_is_certain_before_the_first_looks():
    assert at_any_time([-2.0] * (FIRST - 1), ERROR) == Estimate(-2.0, None)
    assert not certain(at_any_time([-2.0] * (FIRST - 1), ERROR))
    assert certain(at_any_time([-2.0] * FIRST, ERROR))
    assert not certain(at_any_time([0.0] * FIRST, ERROR))
    assert at_any_time([], ERROR) == Estimate(0.0, None)
