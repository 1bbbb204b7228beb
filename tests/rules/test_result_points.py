"""Uma, oka and rounding at the end of a game. The games are recorded ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model.rules import HANCHAN
from engine.scoring import result_points


@pytest.mark.parametrize(
    ("scores", "whole", "points"),
    [
        ((85300, 31400, -55100, 38400), True, (96.0, -9.0, -105.0, 18.0)),  # 2019
        ((-9500, 46300, 38800, 24400), True, (-60.0, 57.0, 19.0, -16.0)),  # 2020: -9.5 becomes -10
        ((19200, 29500, 74800, -23500), False, (-20.8, 9.5, 84.8, -73.5)),  # 2023
        ((16000, 25000, -7000, 66000), False, (-24.0, 5.0, -57.0, 76.0)),
        ((25000, 25000, 25000, 25000), False, (35.0, 5.0, -15.0, -25.0)),  # ties by the first dealers
        ((24600, 25400, 24500, 25500), True, (-15.0, 5.0, -25.0, 35.0)),  # places are by the points as they are
    ],
)
def test_recorded(scores, whole, points):
    assert result_points(scores, HANCHAN, whole=whole) == points


def test_ties_go_round_from_the_first_dealer():
    assert result_points((25000,) * 4, HANCHAN, first_dealer=2) == (-15.0, -25.0, 35.0, 5.0)


def test_own_uma():
    """East-only games of early 2009."""
    rules = replace(HANCHAN, uma=(10, 5, -5, -10))
    assert result_points((10200, 23800, 61000, 5000), rules, whole=True) == (-25.0, -1.0, 61.0, -35.0)


def test_they_sum_to_zero():
    points = result_points((31300, 31200, 18700, 18800), HANCHAN)
    assert sum(points) == pytest.approx(0, abs=1e-9)
