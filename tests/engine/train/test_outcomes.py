"""Fitting how hands end when we fold; needs torch, and is skipped, saying so, without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.model.events import Discard
from engine.model.rules import TONPU
from engine.opponents.facts import opponents
from engine.opponents.network import ModelEstimator
from engine.opponents.outcomes import WALLS, fold_outcomes, log_odds, outcome_tables, wall_step
from engine.rules.table_kernels import CLOSED, OPEN, RIICHI
from engine.state import FourViews
from tests.engine.critic.games import simple_games

torch = pytest.importorskip("torch", reason="torch is not installed: the extra train")
fitting = pytest.importorskip("engine.train.outcomes")


def scores_of(moments, tables):
    """What torch computes for the tables, as numbers."""
    fitted = (torch.tensor(each) for each in (tables.win, tables.tenpai, tables.rivals, tables.dealer))
    return fitting._scores(moments, *fitted)


def made_up(n, seed=1):
    """Moments whose ends are drawn from the shipped tables."""
    random = np.random.default_rng(seed)
    tables = outcome_tables()
    stance = random.choice([RIICHI, OPEN, CLOSED], (n, 3), p=[0.2, 0.3, 0.5])
    wall = random.integers(0, WALLS, n)
    sure = np.where(stance == RIICHI, 0.0, random.normal(-1.0, 1.5, (n, 3)))
    dealer = (random.integers(0, 4, n)[:, None] == np.arange(3)).astype(np.float64)
    worth = random.uniform(2_000, 8_000, (n, 3))
    nobody = np.zeros(n, np.int64)
    moments = fitting.Moments(
        stance, sure, dealer, wall, worth, nobody, nobody > 0, nobody - 1, nobody + 0.0, stance == RIICHI
    )
    chances = scores_of(moments, tables).softmax(1).numpy()
    winner = (random.random((n, 1)) > np.cumsum(chances, axis=1)).sum(axis=1).clip(max=3)
    who = stance[np.arange(n), winner.clip(max=2)]
    tsumo = (winner < 3) & (random.random(n) < tables.tsumo[who, wall])
    others = np.array([[1, 2], [0, 2], [0, 1], [0, 0]])[winner]
    weights = tables.pays[np.take_along_axis(stance, others, axis=1)]
    first = random.random(n) < weights[:, 0] / weights.sum(axis=1)
    payer = np.where((winner < 3) & ~tsumo, np.where(first, others[:, 0], others[:, 1]), -1)
    mean = worth[np.arange(n), winner.clip(max=2)] * tables.points[who, np.where(tsumo, 0, 1)]
    ready = random.random((n, 3)) < 1 / (
        1 + np.exp(-tables.end_tenpai[stance, wall[:, None]] - tables.end_slope[stance] * sure)
    )
    return moments._replace(
        winner=winner, tsumo=tsumo, payer=payer, points=np.where(winner < 3, mean, 0.0), ready=ready
    )


def test_who_wins_is_computed_as_the_product_does():
    tables, estimator = outcome_tables(), ModelEstimator()
    seen = set()
    for game in simple_games(2):
        views = FourViews(TONPU)
        for number, event in enumerate(game.events):
            views.apply(event)
            if not isinstance(event, Discard) or number % 5:
                continue
            state = views[number % 4]
            danger = estimator.estimate(state)
            found = opponents(state)
            stance = np.array([[each.stance for each in found]])
            odds = np.array([[log_odds(danger.p_tenpai)[each.seat] for each in found]])
            moment = fitting.Moments(
                stance,
                np.where(stance == RIICHI, 0.0, odds),
                np.array([[float(each.dealer) for each in found]]),
                np.array([wall_step(state.wall_left)]),
                *[np.zeros(1)] * 6,
            )
            shares = scores_of(moment, tables).softmax(1).numpy()[0]
            chances = fold_outcomes(state, danger).chances
            assert shares[:3] == pytest.approx(chances[:9].reshape(3, 3).sum(axis=1), abs=1e-6)
            assert shares[3] == pytest.approx(chances[9:].sum(), abs=1e-6)
            seen |= set(stance.ravel().tolist())
    assert seen == {RIICHI, OPEN, CLOSED}


def test_fitted_outcomes_are_those_that_the_moments_were_drawn_from():
    tables, known = fitting.fit_outcomes(made_up(40_000)), outcome_tables()
    assert tables.dealer == pytest.approx(known.dealer, abs=0.1)
    assert tables.tenpai[1:] == pytest.approx(known.tenpai[1:], abs=0.05)
    assert tables.rivals == pytest.approx(known.rivals, abs=0.15)
    assert tables.pays / tables.pays[0] == pytest.approx(known.pays / known.pays[0], rel=0.15)
    assert tables.points == pytest.approx(known.points, rel=0.02)
    assert tables.end_slope[1:] == pytest.approx(known.end_slope[1:], abs=0.1)
    assert np.abs(tables.tsumo - known.tsumo).mean() < 0.05
    assert np.abs(tables.win - known.win)[:, :7].mean() < 0.2
    moments = made_up(5_000, 2)
    found, best = (fitting.measure_outcomes(each, moments) for each in (tables, known))
    assert found["log_loss"] == pytest.approx(best["log_loss"], abs=0.01)
    assert found["log_loss"] < found["log_loss_of_the_mean"] - 0.05


def test_no_other_tables_fit_better_and_a_fit_is_the_same_again():
    moments = made_up(2_000)
    tables, again = fitting.fit_outcomes(moments), fitting.fit_outcomes(moments)
    assert np.array_equal(tables.win, again.win)
    best = fitting.measure_outcomes(tables, moments)["log_loss"]
    for change in ({"dealer": tables.dealer + 0.1}, {"rivals": tables.rivals - 0.1}, {"win": tables.win + 0.1}):
        assert fitting.measure_outcomes(replace(tables, **change), moments)["log_loss"] > best


def test_a_few_moments_leave_the_tables_finite():
    """No ron, no hand without a winner, most steps of the wall unseen."""
    few = made_up(30)
    few = fitting.Moments(*(array[few.tsumo] for array in few))
    tables = fitting.fit_outcomes(few)
    assert tables.pays == pytest.approx([1.0, 1.0, 1.0])
    assert tables.end_tenpai == pytest.approx(np.zeros((3, WALLS)))
    assert all(np.isfinite(value).all() for value in vars(tables).values())
