"""``oshihiki bench decisions``: which decisions are judged, and the weights that results give to stated values."""

from __future__ import annotations

import numpy as np
import pytest

from bot.lab.bench.decisions import FEWEST, Decisions, Judged, Matter, Strong, fitted
from bot.lab.experiment import rows_of
from bot.lab.seats import Seat
from protocol.logs.game_log import GameLog
from tests.games import game_of


@pytest.fixture(scope="module")
def seat():
    return Seat(GameLog(game_of("phoenix", 21).events, source="game"), 0)


def judged(seat, **settings):
    return Decisions(policy="value:learned=0", nodes=500, walls=2, share=0.06, **settings).measure(seat).tolist()


@pytest.fixture(scope="module")
def once(seat):
    return [Judged._make(one) for one in judged(seat)]


def test_the_same_decisions_are_judged_the_same_way_twice(seat, once):
    assert len(once) > 3
    assert once == judged(seat)
    for one in once:
        assert one.spread >= 0.0
        if one.matter in {"discard", "against_riichi"}:
            assert one.stated >= 0.0
        if one.matter == "call":
            assert one.answers[1] == "pass"


def test_only_disputed_decisions_are_judged_on_request(seat, once):
    disputed = [one for one in once if one.stated * one.prior < 0]
    assert 0 < len(disputed) < len(once)
    assert judged(seat, only=[Matter.DISPUTED]) == disputed


def test_kinds_of_decision_can_be_selected(seat, once):
    wanted = [one for one in once if one.matter == "discard"]
    assert 0 < len(wanted) < len(once)
    assert judged(seat, only=[Matter.DISCARD]) == wanted


def test_strong_play_may_be_the_network_that_value_weighs(seat, once):
    by_programs = [Judged._make(one) for one in judged(seat, strong=Strong.PROGRAMS_LARGE)]
    assert len(by_programs) > 3
    assert [one.prior for one in by_programs] != [one.prior for one in once]
    called = [(one.matter, one.stated, one.came) for one in once if one.matter == "call"]
    assert called
    assert [(one.matter, one.stated, one.came) for one in by_programs if one.matter == "call"] == called


def decision(stated, prior, came, spread=300.0):
    return Judged("call", True, 2, 5, False, stated, came, spread, prior, ("pon", "pass"))


def decisions(number, noise):
    random = np.random.default_rng(3)
    for _ in range(number):
        stated, prior, spread = random.normal(0, 400), random.normal(0, 1.5), random.uniform(100, 1_000)
        came = 0.8 * stated + 60.0 * prior + noise * random.normal(0, spread)
        yield decision(stated, prior, came, spread)


def fit_of(decisions):
    return fitted(rows_of(Judged, decisions))


def test_exact_results_are_recovered_exactly():
    fit = fit_of(decisions(30, 0.0))
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
        fits.append(fit_of(sample))
    assert np.std([fit.prior[0] for fit in fits]) == pytest.approx(np.mean([fit.prior[1] for fit in fits]), rel=0.25)


def test_too_few_or_too_like_decisions_are_not_fitted():
    assert fit_of(decisions(FEWEST - 1, 1.0)) is None
    assert fit_of([decision(100.0, 0.0, 50.0)] * FEWEST) is None
