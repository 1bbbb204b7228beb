"""The weights that results give to stated values and to strong players' choices."""

from __future__ import annotations

import numpy as np
import pytest

from bot.lab.judging import FEWEST, Judged, Matter, fitted


def decision(stated, prior, came, spread=300.0):
    return Judged(Matter.CALL, True, 2, 5, False, stated, came, spread, prior, ("pon", "pass"))


def decisions(number, noise):
    random = np.random.default_rng(3)
    for _ in range(number):
        stated, prior, spread = random.normal(0, 400), random.normal(0, 1.5), random.uniform(100, 1_000)
        came = 0.8 * stated + 60.0 * prior + noise * random.normal(0, spread)
        yield decision(stated, prior, came, spread)


def test_exact_results_are_recovered_exactly():
    fit = fitted(list(decisions(30, 0.0)))
    assert fit.stated == pytest.approx((0.8, 0.0), abs=1e-6)
    assert fit.prior == pytest.approx((60.0, 0.0), abs=1e-6)


def test_the_errors_are_those_of_repeated_samples():
    fits = []
    for at in range(60):
        random = np.random.default_rng(at)
        sample = [
            decision(stated, prior, 0.8 * stated + 60.0 * prior + random.normal(0, 700), 500.0)
            for stated, prior in zip(random.normal(0, 400, 80), random.normal(0, 1.5, 80), strict=True)
        ]
        fits.append(fitted(sample))
    assert np.std([fit.prior[0] for fit in fits]) == pytest.approx(np.mean([fit.prior[1] for fit in fits]), rel=0.25)


def test_too_few_or_too_like_decisions_are_not_fitted():
    assert fitted(list(decisions(FEWEST - 1, 1.0))) is None
    assert fitted([decision(100.0, 0.0, 50.0)] * FEWEST) is None
