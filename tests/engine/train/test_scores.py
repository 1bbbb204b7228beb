"""The figures that judge chances, on cases worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.train.scores import score


def test_scores_by_hand():
    found = score(np.array([0.8, 0.4, 0.4, 0.1]), np.array([1, 1, 0, 0]), bins=2)
    losses = [math.log(0.8), math.log(0.4), math.log(0.6), math.log(0.9)]
    assert found.log_loss == pytest.approx(-sum(losses) / 4)
    assert found.brier == pytest.approx((0.04 + 0.36 + 0.16 + 0.01) / 4)
    assert found.auc == pytest.approx(3.5 / 4)  # of four pairs three are in order, one is a tie
    assert (found.n, found.events) == (4, 2)
    # equal chances stay together: 0.1 alone, then the rest
    assert [(each.n, each.happened) for each in found.bins] == [(1, 0.0), (3, 2 / 3)]
    assert found.calibration_error == pytest.approx((0.1 + 3 * abs(1.6 / 3 - 2 / 3)) / 4)


def test_an_auc_is_the_chance_of_the_right_order():
    chance = np.random.default_rng(0)
    said, true = chance.integers(0, 20, 200) / 20, chance.integers(0, 2, 200)
    pairs = [(a > b) + (a == b) / 2 for a in said[true == 1] for b in said[true == 0]]
    assert score(said, true).auc == pytest.approx(np.mean(pairs))


def test_chances_that_are_right_are_calibrated_and_others_are_not():
    random = np.random.default_rng(0)
    said = random.random(200_000)
    happened = random.random(200_000) < said
    right = score(said, happened)
    assert right.calibration_error < 0.005
    assert score(said**2, happened).calibration_error == pytest.approx(1 / 6, abs=0.01)
    assert score(said**2, happened).auc == right.auc  # the order is the same


def test_rows_of_one_kind_have_no_auc_and_no_rows_no_figures():
    assert np.isnan(score(np.array([0.1, 0.2]), np.zeros(2)).auc)
    assert score(np.zeros(0), np.zeros(0)).n == 0
