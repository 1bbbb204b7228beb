"""Adam against its formula, step by step."""

from __future__ import annotations

import numpy as np
import pytest

from engine.train.fits import Adam


def test_steps_follow_the_formula():
    weights = np.array([1.0, -2.0], np.float32)
    adam = Adam(weights, rate=0.1, warm=2, least=0.2, decay=0.01)
    expected = weights.astype(np.float64)
    mean = square = np.zeros(2)
    for step, (gradient, progress) in enumerate((([0.5, -1.0], 0.0), ([0.25, 2.0], 0.5), ([-1.0, 0.1], 1.0)), 1):
        slope = np.array(gradient)
        mean = 0.9 * mean + 0.1 * slope
        square = 0.999 * square + 0.001 * slope**2
        rate = 0.1 * min(1.0, step / 2) * (0.2 + 0.8 * (1 + np.cos(np.pi * progress)) / 2)
        move = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
        expected = expected - rate * (move + 0.01 * expected)
        adam.step(slope.astype(np.float32), progress)
        assert weights == pytest.approx(expected, rel=1e-4)
