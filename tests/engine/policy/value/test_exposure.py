"""The chance to deal in later, and what it costs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.model.actions import ActionKind
from engine.policy.value.parts import CLOSED_DEALS_IN, Paths
from engine.policy.value.risks import FoldEnds, _spreads
from engine.search.evaluator import POINTS, Choice, Stakes, TileChances, Worth
from engine.worth.currency import others_points

DRAWS = 6
ENDS = FoldEnds(np.zeros((3, 1, DRAWS + 1)), np.zeros((1, DRAWS + 1)))


def paths(lasts, ends=ENDS, by_draws=(), *, closed=False):
    """Courses at a table where nobody gives a hand up, and the others let it go on with the chance ``lasts``."""
    stands, never = np.full((3, DRAWS + 1), lasts), np.zeros((3, DRAWS + 1))
    tiles = TileChances(np.zeros((3, 3, 1, 34)), np.zeros((3, 1, 34)), stands, never, never)
    return Paths(ends, tiles, by_draws, 0, closed=closed)


def deals_in_later(worth, stakes, *, riichi):
    found = paths(stakes.survive[0][0]).attacking(worth, stakes, riichi=riichi)
    return None if found is None else found.p_later


def stakes(hazard, lasts):
    return Stakes(
        tsumo=POINTS,
        ron=POINTS,
        ended=(0.0, 0.0),
        terminal=(0.0, 0.0, 0.0),
        toll=(),
        hazard=((hazard / 2,), (hazard,)),
        hazard_worth=(0.0, 0.0),
        survive=((lasts,) * (DRAWS + 1), (lasts,) * (DRAWS + 1)),
        fold=(),
    )


def worth(wins, lasts, hazard=0.0):
    """A hand that wins with the same chance in each go-around; what deals in wins no more, as in the search."""
    chances = [0.0]
    for _ in range(DRAWS):
        chances.append(wins + (1.0 - wins) * (1.0 - hazard) * lasts * chances[-1])
    return Worth(Choice(ActionKind.RIICHI, 0), 0.0, chances[-1], p_win_by_draws=tuple(chances))


def played_out(wins, hazard, lasts):
    """The chance to deal in, summed over the go-arounds in which it can happen."""
    goes_on = (1.0 - wins) * (1.0 - hazard) * lasts
    return sum(goes_on**turn * (1.0 - wins) * hazard for turn in range(DRAWS))


@pytest.mark.parametrize(("wins", "hazard", "lasts"), [(0.1, 0.05, 0.9), (0.0, 0.1, 1.0), (0.5, 0.2, 0.5)])
def test_it_is_the_sum_over_the_go_arounds(wins, hazard, lasts):
    found = deals_in_later(worth(wins, lasts, hazard), stakes(hazard, lasts), riichi=True)
    assert found == pytest.approx(played_out(wins, hazard, lasts))
    silent = deals_in_later(worth(wins, lasts, hazard / 2), stakes(hazard, lasts), riichi=False)
    assert silent == pytest.approx(played_out(wins, hazard / 2, lasts))
    assert silent < found


def test_a_hand_that_always_wins_never_deals_in():
    assert deals_in_later(worth(1.0, 1.0), stakes(0.5, 1.0), riichi=True) == 0.0


def test_a_hand_that_is_given_up_deals_in_as_a_fold_does():
    ends = FoldEnds(np.full((3, 1, DRAWS + 1), -90.0), np.full((1, DRAWS + 1), 0.3))
    never = Worth(Choice(ActionKind.DISCARD, 0), -270.0, 0.0, p_win_by_draws=(0.0,) * (DRAWS + 1))
    gives_up = replace(stakes(0.1, 0.9), fold=(-270.0,) * (DRAWS + 1))
    found = paths(0.9, ends).attacking(never, gives_up, riichi=False)
    assert found.p_later == pytest.approx(0.3)
    assert (found.later, found.others, found.draw) == pytest.approx((-90.0, -90.0, -90.0))


def test_a_kan_without_chances_by_draws_goes_on_like_the_others():
    kan = Worth(Choice(ActionKind.ANKAN, 0), 0.0, worth(0.1, 0.9, 0.025).p_win)
    like = paths(0.9, by_draws=worth(0.1, 0.9, 0.025).p_win_by_draws)
    assert like.attacking(kan, stakes(0.05, 0.9), riichi=False).p_later == pytest.approx(played_out(0.1, 0.025, 0.9))


def test_a_closed_hand_deals_in_more_often_than_as_it_stands():
    found = {
        closed: paths(0.9, closed=closed).attacking(worth(0.0, 1.0), stakes(0.1, 0.9), riichi=False).p_later
        for closed in (False, True)
    }
    assert found[False] == pytest.approx(played_out(0.0, 0.05, 0.9))
    assert found[True] == pytest.approx(played_out(0.0, 0.05 * CLOSED_DEALS_IN, 0.9))


def test_it_is_not_known_without_chances_by_draws():
    assert deals_in_later(Worth(Choice(ActionKind.RIICHI, 0), 0.0, 0.5), stakes(0.1, 0.9), riichi=True) is None


@pytest.mark.parametrize(
    ("loss", "dealer"), [(1_500, False), (3_900, False), (8_000, False), (2_900, True), (24_000, True)]
)
def test_the_hand_that_is_dealt_into_costs_its_mean_points(loss, dealer):
    means, shares = _spreads(dealer)
    of_each = [np.interp(loss, means, share) for share in shares]
    assert sum(of_each) == pytest.approx(1.0)
    assert of_each @ others_points(dealer) == pytest.approx(loss, rel=0.05)
