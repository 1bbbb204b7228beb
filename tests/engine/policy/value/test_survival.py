"""How long the others let a hand go on."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.tiles import allocate136, parse_tiles37
from engine.policy.value.attack import STEEP, survival
from engine.search.position import Sketch

TENPAI = "123m456p1123567s1z"


def spot(hand, **facts):
    return Sketch(allocate136(parse_tiles37(hand)), **facts).position()


def course(hand, turn, lasts, way, **facts):
    return np.prod(getattr(survival(spot(hand, turn=turn, **facts), lasts, counted=True), way)[1:])


@pytest.mark.parametrize("lasts", [0.2, 0.4, 0.6])
def test_the_wall_runs_out_with_the_chance_given(lasts):
    assert course(TENPAI, 5, lasts, "silent") == pytest.approx(lasts, rel=0.05)


def test_an_early_riichi_is_ended_by_others_less_often_than_a_silent_hand():
    assert course(TENPAI, 4, 0.3, "riichi") > 1.5 * course(TENPAI, 4, 0.3, "silent")


def test_more_danger_ends_a_riichi_sooner_unless_somebody_else_is_in_riichi():
    assert course(TENPAI, 5, 0.2, "riichi") < course(TENPAI, 5, 0.4, "riichi")
    facts = {"riichi_against": 1}
    assert course(TENPAI, 5, 0.2, "riichi", **facts) == course(TENPAI, 5, 0.4, "riichi", **facts)


def test_a_late_riichi_is_ended_sooner_than_its_length_says():
    late, early = (survival(spot(TENPAI, turn=turn), 0.5, counted=True).riichi for turn in (11, 4))
    assert late[2] < early[2]


@pytest.mark.parametrize(("lasts", "bound"), [(1.0, STEEP[0]), (0.0, STEEP[1])])
def test_extreme_estimates_are_bounded(lasts, bound):
    extreme, usual = (survival(spot(TENPAI, turn=5), chance, counted=True).silent for chance in (lasts, 0.3))
    ratio = np.log(extreme[1:]) / np.log(usual[1:])
    assert np.ptp(ratio) == pytest.approx(0.0, abs=1e-6)
    assert (ratio[0] < 1.0) == (bound < 1.0)


def test_the_plain_course_is_the_same_for_silent_hands_and_shorter_in_riichi():
    plain, counted = (survival(spot(TENPAI, turn=4), 0.3, counted=counted) for counted in (False, True))
    assert plain.silent == counted.silent
    assert np.prod(plain.riichi[1:]) < np.prod(counted.riichi[1:])
