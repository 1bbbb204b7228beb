"""Forecast of danger, and of how often the others discard the tiles that a hand wants."""

import numpy as np
import pytest

from engine.policy.value.average import GROWTH, danger_forecast, discard_ratios, riichi_ratios


@pytest.mark.parametrize("riichi", [0, 1, 2, 3])
def test_danger_grows_turn_by_turn_and_never_beyond_its_cap(riichi):
    for now in (0.0, 0.003, 0.05):
        ahead = danger_forecast(now, 17, riichi)
        assert ahead[17] == now
        assert (np.diff(ahead) < 0).all()
        assert ahead[0] < GROWTH[min(riichi, 2)][1]


def test_danger_stays_low_for_half_of_the_wall_without_riichi():
    """As on recordings: below one percent with thirteen draws left, five to eight with three left."""
    ahead = danger_forecast(0.0001, 16, 0)
    assert ahead[14] < 0.01 < ahead[10] < 0.04
    assert 0.06 < ahead[3] < 0.1


def test_high_danger_grows_less():
    quiet, loud = danger_forecast(0.001, 10, 0), danger_forecast(0.1, 10, 0)
    assert quiet[4] - quiet[10] > loud[4] - loud[10] > 0


def test_danger_beyond_the_cap_stays():
    assert (danger_forecast(0.3, 8, 2) == 0.3).all()


def test_no_draws_left():
    assert danger_forecast(0.05, 0, 1).tolist() == [0.05]


def test_waits_are_discarded_less_often_as_the_wall_runs_out():
    silent, riichi = discard_ratios(16, 0, called=2, shanten=0)
    assert len(silent) == len(riichi) == 17
    assert (np.diff(silent) >= 0).all()
    assert (np.diff(riichi) >= 0).all()
    assert riichi[2] < 0.25
    assert 0.5 < riichi[12] < 1.0


def test_waits_of_a_silent_hand_are_discarded_more_often():
    """Nobody sees a closed tenpai hand with a yaku."""
    silent, riichi = discard_ratios(12, 0, called=0, shanten=0)
    open_hand = discard_ratios(12, 0, called=1, shanten=0)[0]
    assert (silent > 1.3 * riichi).all()
    assert (silent > 1.2 * open_hand).all()
    undecided = discard_ratios(12, 0, called=0, shanten=1)[0]
    assert (undecided < silent).all()
    assert (undecided > open_hand).all()


def test_waits_behind_three_melds_are_discarded_less_often():
    two, three = (discard_ratios(10, 0, called=called, shanten=0)[0] for called in (2, 3))
    assert (three < two).all()


def test_callable_tiles_are_discarded_more_often_than_waits():
    far, tenpai = (discard_ratios(10, 0, called=1, shanten=shanten)[0] for shanten in (2, 0))
    assert (far > tenpai).all()
    assert (discard_ratios(10, 0, called=1, shanten=5)[0] == far).all()


def test_waits_in_riichi_are_discarded_less_often_and_drawn_less_often_late_but_their_share_grows():
    discards, draws = riichi_ratios(14, 0, 120)
    assert len(discards) == len(draws) == 15
    assert discards[14] == pytest.approx(0.6)
    assert draws[14] == pytest.approx(0.82)
    assert riichi_ratios(2, 0, 60)[0][2] < 0.6 * discards[14]  # a late riichi
    few, many = (riichi_ratios(10, 0, unseen)[1] for unseen in (60, 120))
    assert few[10] == many[10]
    assert (few[:10] > many[:10]).all()  # four tiles are more of sixty


def test_waits_in_riichi_against_a_riichi_are_discarded_more_often():
    assert (riichi_ratios(12, 1, 90)[0] > riichi_ratios(12, 0, 90)[0]).all()
