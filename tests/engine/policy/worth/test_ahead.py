"""How dangerous a table will be."""

import numpy as np
import pytest

from engine.policy.worth.ahead import GROWTH, dangers_ahead, feeds_ahead


@pytest.mark.parametrize("riichi", [0, 1, 2, 3])
def test_danger_grows_turn_by_turn_and_never_beyond_its_cap(riichi):
    for now in (0.0, 0.003, 0.05):
        ahead = dangers_ahead(now, 17, riichi)
        assert ahead[17] == now
        assert (np.diff(ahead) < 0).all()
        assert ahead[0] < GROWTH[min(riichi, 2)][1]


def test_a_quiet_table_is_quiet_for_half_of_the_wall():
    """As on recordings: below one percent with thirteen draws left, five to eight with three left."""
    ahead = dangers_ahead(0.0001, 16, 0)
    assert ahead[14] < 0.01 < ahead[10] < 0.04
    assert 0.06 < ahead[3] < 0.1


def test_what_is_dangerous_already_grows_less():
    quiet, loud = dangers_ahead(0.001, 10, 0), dangers_ahead(0.1, 10, 0)
    assert quiet[4] - quiet[10] > loud[4] - loud[10] > 0


def test_beyond_the_cap_it_stays():
    assert (dangers_ahead(0.3, 8, 2) == 0.3).all()


def test_no_draws_left():
    assert dangers_ahead(0.05, 0, 1).tolist() == [0.05]


def test_waits_are_fed_less_as_the_wall_runs_out():
    silent, riichi = feeds_ahead(16, 0, called=2, shanten=0)
    assert len(silent) == len(riichi) == 17
    assert (np.diff(silent) >= 0).all()
    assert (np.diff(riichi) >= 0).all()
    assert riichi[2] < 0.25
    assert 0.5 < riichi[12] < 1.0


def test_a_silent_hand_is_fed_more_than_one_that_shows_itself():
    """A closed tenpai with a yaku: nobody knows of it."""
    silent, riichi = feeds_ahead(12, 0, called=0, shanten=0)
    open_hand = feeds_ahead(12, 0, called=1, shanten=0)[0]
    assert (silent > 1.3 * riichi).all()
    assert (silent > 1.2 * open_hand).all()
    undecided = feeds_ahead(12, 0, called=0, shanten=1)[0]
    assert (undecided < silent).all()
    assert (undecided > open_hand).all()


def test_who_sees_three_melds_throws_none_of_the_fourth():
    two, three = (feeds_ahead(10, 0, called=called, shanten=0)[0] for called in (2, 3))
    assert (three < two).all()


def test_what_is_called_is_thrown_more_than_what_is_waited_for():
    far, tenpai = (feeds_ahead(10, 0, called=1, shanten=shanten)[0] for shanten in (2, 0))
    assert (far > tenpai).all()
    assert (feeds_ahead(10, 0, called=1, shanten=5)[0] == far).all()
