"""The figures that judge chances, on cases worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.train.scores import score


def test_log_loss_brier_and_auc_by_hand():
    found = score(np.array([0.8, 0.3, 0.3, 0.1]), np.array([1, 1, 0, 0]))
    assert found.n == 4
    assert found.events == 2
    assert found.log_loss == pytest.approx(-np.log([0.8, 0.3, 0.7, 0.9]).mean())
    assert found.brier == pytest.approx((0.04 + 0.49 + 0.09 + 0.01) / 4)
    assert found.auc == pytest.approx(3.5 / 4)  # four pairs, one tie


def test_chances_that_are_right_are_calibrated_and_others_are_not():
    random = np.random.default_rng(0)
    said = random.random(200_000)
    happened = random.random(200_000) < said
    right = score(said, happened)
    assert right.calibration_error < 0.005
    assert right.auc == pytest.approx(5 / 6, abs=0.005)
    assert score(said**2, happened).calibration_error == pytest.approx(1 / 6, abs=0.01)
    assert score(said**2, happened).auc == right.auc  # the order is the same


def test_equal_chances_share_a_bin():
    found = score(np.full(1000, 0.25), np.arange(1000) % 4 == 0)
    assert [(group.n, group.said, group.happened) for group in found.bins] == [(1000, 0.25, 0.25)]
    assert found.calibration_error == 0
    assert found.auc == 0.5


def test_rows_of_one_kind_have_no_auc_and_no_rows_no_figures():
    assert np.isnan(score(np.array([0.1, 0.2]), np.zeros(2)).auc)
    assert score(np.zeros(0), np.zeros(0)).n == 0
