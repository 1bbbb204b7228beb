"""The chance to deal in later."""

from __future__ import annotations

import pytest

from engine.model.actions import ActionKind
from engine.policy.value.risks import deals_in_later
from engine.search.evaluator import POINTS, Choice, Stakes, Worth

DRAWS = 6


def stakes(hazard, lasts):
    return Stakes(
        tsumo=POINTS,
        ron=POINTS,
        ended=(0.0, 0.0),
        terminal=(0.0, 0.0, 0.0),
        toll=(),
        hazard=((hazard / 2,), (hazard,)),
        hazard_worth=(0.0, 0.0),
        discard_ratios=((1.0,), (1.0,)),
        survive=((lasts,) * (DRAWS + 1), (lasts,) * (DRAWS + 1)),
        fold=(),
    )


def worth(wins, lasts):
    """A hand that wins with the same chance in each go-around."""
    chances = [0.0]
    for _ in range(DRAWS):
        chances.append(wins + (1.0 - wins) * lasts * chances[-1])
    return Worth(Choice(ActionKind.RIICHI, 0), 0.0, chances[-1], p_win_by_draws=tuple(chances))


def played_out(wins, hazard, lasts):
    """The chance to deal in, summed over the go-arounds in which it can happen."""
    goes_on = (1.0 - wins) * (1.0 - hazard) * lasts
    return sum(goes_on**turn * (1.0 - wins) * hazard for turn in range(DRAWS))


@pytest.mark.parametrize(("wins", "hazard", "lasts"), [(0.1, 0.05, 0.9), (0.0, 0.1, 1.0), (0.5, 0.2, 0.5)])
def test_it_is_the_sum_over_the_go_arounds(wins, hazard, lasts):
    found = deals_in_later(worth(wins, lasts), stakes(hazard, lasts), riichi=True)
    assert found == pytest.approx(played_out(wins, hazard, lasts))
    silent = deals_in_later(worth(wins, lasts), stakes(hazard, lasts), riichi=False)
    assert silent == pytest.approx(played_out(wins, hazard / 2, lasts))
    assert silent < found


def test_a_hand_that_always_wins_never_deals_in():
    assert deals_in_later(worth(1.0, 1.0), stakes(0.5, 1.0), riichi=True) == 0.0


def test_it_is_not_known_without_chances_by_draws():
    assert deals_in_later(Worth(Choice(ActionKind.RIICHI, 0), 0.0, 0.5), stakes(0.1, 0.9), riichi=True) is None
