"""How long the others let a hand go on."""

from __future__ import annotations

import numpy as np
import pytest

from engine.model.tiles import allocate136, parse_tiles37
from engine.policy.value.average import STEEP, survival
from engine.search.position import Sketch

TENPAI = "123m456p1123567s1z"
SILENT, RIICHI = 0, 1


def spot(hand, **facts):
    return Sketch(allocate136(parse_tiles37(hand)), **facts).position()


def course(hand, turn, lasts, way, **facts):
    return np.prod(survival(spot(hand, turn=turn, **facts), lasts, riichi_now=True)[way][1:])


@pytest.mark.parametrize("lasts", [0.2, 0.4, 0.6])
def test_the_wall_runs_out_with_the_chance_given(lasts):
    assert course(TENPAI, 5, lasts, SILENT) == pytest.approx(lasts, rel=0.05)


def test_an_early_riichi_is_ended_by_others_less_often_than_a_silent_hand():
    assert course(TENPAI, 4, 0.3, RIICHI) > 1.5 * course(TENPAI, 4, 0.3, SILENT)


def test_more_danger_ends_a_riichi_sooner_unless_somebody_else_is_in_riichi():
    assert course(TENPAI, 5, 0.2, RIICHI) < course(TENPAI, 5, 0.4, RIICHI)
    facts = {"riichi_against": 1}
    assert course(TENPAI, 5, 0.2, RIICHI, **facts) == course(TENPAI, 5, 0.4, RIICHI, **facts)


def test_a_late_riichi_is_ended_sooner_than_its_length_says():
    late, early = (survival(spot(TENPAI, turn=turn), 0.5, riichi_now=True)[1] for turn in (11, 4))
    assert late[2] < early[2]


@pytest.mark.parametrize(("lasts", "bound"), [(1.0, STEEP[0]), (0.0, STEEP[1])])
def test_extreme_estimates_are_bounded(lasts, bound):
    extreme, usual = (survival(spot(TENPAI, turn=5), chance, riichi_now=True)[0] for chance in (lasts, 0.3))
    ratio = np.log(extreme[1:]) / np.log(usual[1:])
    assert np.ptp(ratio) == pytest.approx(0.0, abs=1e-6)
    assert (ratio[0] < 1.0) == (bound < 1.0)


def test_the_plain_course_is_the_same_for_silent_hands_and_shorter_in_riichi():
    plain, counted = (survival(spot(TENPAI, turn=4), 0.3, riichi_now=now) for now in (False, True))
    assert plain[0] == counted[0]
    assert np.prod(plain[1][1:]) < np.prod(counted[1][1:])
