"""Danger: bar 200 000 random tables a second for MJ1, 0.3 ms an estimate for what plays."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.tiles import KINDS
from engine.opponents.registry import ESTIMATORS, make_estimator
from engine.papers.mj1 import wait_shares
from engine.state import GameState

WORLDS = 20_000


def test_random_tables(benchmark):
    unseen = np.full(KINDS, 3)
    sets, safe, bias = np.array([4, 4, 3]), [1 << 4 | 1 << 13, 1 << 20, 0], np.ones((3, KINDS))
    _, hands = benchmark(wait_shares, unseen, sets, safe, bias, WORLDS, 1)
    assert hands.min() > WORLDS / 2
    if benchmark.stats:  # none where benchmarks run as tests
        benchmark.extra_info["worlds_per_s"] = round(WORLDS / benchmark.stats["min"])


@pytest.mark.parametrize("name", ESTIMATORS)
def test_one_estimate(benchmark, name):
    estimator = make_estimator(name)
    state = GameState(0)
    estimator.estimate(state)
    benchmark(estimator.estimate, state)
